import { saveFile } from '../../engine/actions/save-file.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

/** Saves the report of the chosen pool of credits as PDF. */
export async function saveReport({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    const file = await api.download(`/credits/${row.id}/report`, { survivesRouteChange: true });
    saveFile(file.blob, file.fileName);
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: translate('credits.report_failed') }));
  }
}
