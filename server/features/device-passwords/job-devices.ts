import type { Context } from '../../context.ts';
import type { TargetState } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { PASSWORD_KIND } from './password-input.ts';

/** A device of a job as the public API lists it. */
export interface JobDevice {
  id: number;
  name: string;
  serial: string;
  mac: string;
  description: string;
  status: TargetState;
  created_at: string;
}

/** The devices of a job for passwords that the actor sees, with what became of each. Throws NOT_FOUND. */
export async function listJobDevices(ctx: Context, actor: Actor, jobId: number): Promise<JobDevice[]> {
  const job = await ctx.reads
    .selectFrom('jobs')
    .select('created_at')
    .where('id', '=', jobId)
    .where('kind', '=', PASSWORD_KIND)
    .where(isJobVisible(actor))
    .executeTakeFirst();
  if (!job) throw new NotFound({});
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .innerJoin('devices', 'devices.id', 'job_targets.device_id')
    .select(['devices.id', 'devices.name', 'devices.serial', 'devices.mac', 'devices.description', 'job_targets.state as status'])
    .where('job_targets.job_id', '=', jobId)
    .where(isVisible(actor, 'devices'))
    .orderBy('job_targets.id')
    .execute();
  return rows.map((row) => ({ ...row, created_at: wireTime(job.created_at) }));
}
