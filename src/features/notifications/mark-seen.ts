import type { ActionContext } from '../../engine/resources/registry.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { markSeen, seenElsewhere } from './notification-api.ts';

/** Marks the chosen rows of the list as seen. */
export async function markChosen({ rows, reload }: ActionContext): Promise<void> {
  try {
    await markSeen(rows.map((row) => row.id));
    seenElsewhere.emit('seen', undefined);
    reload();
  } catch (error) {
    toasts.error(failureMessage(error, { fallback: translate('notifications.notMarked') }));
  }
}
