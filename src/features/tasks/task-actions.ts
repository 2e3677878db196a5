import { saveFile } from '../../engine/actions/save-file.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

/** Opens the job of a run, with what each task gave. */
export async function openRun({ rows }: ActionContext): Promise<void> {
  const jobId = rows[0]?.['job_id'];
  if (typeof jobId === 'number') await openDialog('job.status', { jobId }, { id: `job-${jobId}` });
}

/** Saves a list of tasks as a file of JSON. Failures are shown as a message. */
export async function exportGroup({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    const file = await api.download(`/devices/tasks/groups/${row.id}/export`, { survivesRouteChange: true });
    saveFile(file.blob, file.fileName ?? `task-group-${row.id}.json`);
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: translate('form.failed') }));
  }
}
