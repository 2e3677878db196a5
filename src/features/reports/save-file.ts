import { saveFile } from '../../engine/actions/save-file.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

async function save({ rows }: ActionContext, part: string): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    const file = await api.download(`/reports/generated/${row.id}/${part}`, { survivesRouteChange: true });
    saveFile(file.blob, file.fileName);
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: translate('reports.save_failed') }));
  }
}

/** Saves the chosen report as PDF. */
export const savePdf = (context: ActionContext): Promise<void> => save(context, 'pdf');

/** Saves all devices of the chosen report as CSV. */
export const saveCsv = (context: ActionContext): Promise<void> => save(context, 'file?format=csv');

/** Saves all devices of the chosen report as a spreadsheet. */
export const saveSheet = (context: ActionContext): Promise<void> => save(context, 'file?format=xlsx');
