import type { TextFile } from '../kernel/i18n/load-texts.ts';

export const files = import.meta.glob<TextFile>(['./en/*.json', '../../schemas/credit-types/en.json'], { import: 'default' });
