import { saveFile } from '../../engine/actions/save-file.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

/** Saves the whole history that the user sees, with its chain of hashes. */
export async function exportHistory(): Promise<void> {
  try {
    const file = await api.download('/history/export', { survivesRouteChange: true });
    saveFile(file.blob, file.fileName);
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error));
  }
}
