import { openDialog } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';

/** Opens the job in which a tag's action ran. */
export async function openRunJob({ rows }: ActionContext): Promise<void> {
  const jobId = rows[0]?.['job_id'];
  if (typeof jobId === 'number') await openDialog('job.status', { jobId }, { id: `job-${jobId}` });
}
