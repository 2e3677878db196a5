import type { ActionContext } from '../../engine/resources/registry.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { startImpersonation as start } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

/** Starts impersonating the chosen user; the console starts again, so that nothing of the own session stays in memory. */
export async function startImpersonation({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    await start(row.id);
    location.assign('/');
  } catch (error) {
    toasts.error(failureMessage(error));
  }
}
