import { mergeMessages } from '../kernel/i18n/messages.ts';

export const messages = mergeMessages(
  import.meta.glob(['./en/*.json', '../../schemas/credit-types/en.json'], { eager: true, import: 'default' }),
);
