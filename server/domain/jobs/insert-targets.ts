import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewRow, Trx } from '../../db/schema.ts';
import { CHUNK, type PlannedTarget } from './evaluate.ts';
import { newCommandId } from './steps.ts';

export type Target = PlannedTarget;

function newTarget(jobId: number, target: Target, companyId: number, at: number): NewRow<'job_targets'> {
  const isSkipped = target.reason !== undefined;
  return {
    job_id: jobId,
    device_id: target.id,
    device_name: target.name,
    company_id: target.companyId || companyId,
    command_id: newCommandId(),
    state: isSkipped ? 'skipped' : 'queued',
    reason: target.reason ?? null,
    truncated: 0,
    attempts: 0,
    finished_at: isSkipped ? at : null,
  };
}

/** Writes a row for each target of a job, in their order; those with a reason are skipped at once. `companyId`: for devices that are gone. */
export async function insertTargets(
  trx: Trx,
  jobId: number,
  targets: readonly Target[],
  { companyId, at }: { companyId: number; at: number },
): Promise<void> {
  for (let start = 0; start < targets.length; start += CHUNK) {
    await trx
      .insertInto('job_targets')
      .values(targets.slice(start, start + CHUNK).map((target) => newTarget(jobId, target, companyId, at)))
      .execute();
    await nextTurn();
  }
}
