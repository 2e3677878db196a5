import { mergeMessages } from '../kernel/i18n/messages.ts';
import 'dayjs/locale/uk.js';

export const messages = mergeMessages(
  import.meta.glob(['./uk/*.json', '../../schemas/credit-types/uk.json'], { eager: true, import: 'default' }),
);
