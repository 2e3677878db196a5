import type { TextFile } from '../kernel/i18n/load-texts.ts';

export const files = import.meta.glob<TextFile>(['./nb/*.json', '../../schemas/credit-types/nb.json'], { import: 'default' });
