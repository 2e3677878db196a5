import type { TextFile } from '../kernel/i18n/load-texts.ts';

export const files = import.meta.glob<TextFile>(['./ja/*.json', '../../schemas/credit-types/ja.json'], { import: 'default' });
