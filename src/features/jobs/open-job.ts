import { openDialog } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';

/** Opens the action-status dialog of the chosen job. */
export async function openChosenJob({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (row) await openDialog('job.status', { jobId: row.id }, { id: `job-${row.id}` });
}

/** Opens the job that an address names (`?job=12`); anything else is no job. */
export function openLinkedJob(value: string): void {
  if (/^[1-9]\d{0,15}$/.test(value)) void openDialog('job.status', { jobId: Number(value) }, { id: `job-${value}` });
}
