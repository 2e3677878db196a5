import { mergeMessages } from '../kernel/i18n/messages.ts';
import 'dayjs/locale/ja.js';

export const messages = mergeMessages(
  import.meta.glob(['./ja/*.json', '../../schemas/credit-types/ja.json'], { eager: true, import: 'default' }),
);
