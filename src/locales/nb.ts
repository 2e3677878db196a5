import { mergeMessages } from '../kernel/i18n/messages.ts';
import 'dayjs/locale/nb.js';

export const messages = mergeMessages(
  import.meta.glob(['./nb/*.json', '../../schemas/credit-types/nb.json'], { eager: true, import: 'default' }),
);
