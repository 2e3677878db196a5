import type { TextFile } from '../kernel/i18n/load-texts.ts';

export const files = import.meta.glob<TextFile>(['./uk/*.json', '../../schemas/credit-types/uk.json'], { import: 'default' });
