import type { Job, JobStep, JobTarget } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { JobCounts } from './counts.ts';
import { maskedInput } from './mask-secrets.ts';

/** Where a job's events arrive, and what `GET /status/channel/{channel}` polls. */
export function jobChannel(jobId: number): string {
  return `jobs.${jobId}`;
}

/** Whether the wave after the present one has to be let go on, and was not yet. */
export function asksForApproval(job: Pick<Row<'jobs'>, 'wave_asks' | 'wave_number' | 'wave_approved'>): boolean {
  return job.wave_asks === 1 && job.wave_number > 0 && job.wave_approved < job.wave_number;
}

/** A job's waves as the wire shows them: the present one, and how many there are if nothing stops them. */
export function presentWaves(job: Row<'jobs'>): Job['waves'] {
  if (job.wave_size === null) return null;
  const { skipped, queued, sent, running }: JobCounts = JSON.parse(job.counts);
  const first = job.wave_first ?? job.wave_size;
  const left = job.wave_number === 0 ? Math.max(0, job.total - skipped - first) : job.wave_floor;
  const begun = job.wave_number === 0 ? Math.min(1, job.total - skipped) : job.wave_number;
  const total = begun + Math.ceil(left / job.wave_size);
  return {
    size: job.wave_size,
    first,
    approve: job.wave_asks === 1,
    is_waiting: asksForApproval(job) && queued > 0 && sent + running === 0 && job.wave_stopped === 0,
    stop_percent: job.wave_stop_percent,
    on_stop: job.wave_holds === 1 ? 'hold' : 'end',
    pause_seconds: job.wave_pause_seconds,
    newcomers: job.joins_newcomers === 1,
    number: job.wave_number,
    total,
    resumes_at: wireTime(job.wave_resumes_at),
    is_stopped: job.wave_stopped === 1,
  };
}

/** A job as the wire shows it, without secrets of its input. */
export function presentJob(row: Row<'jobs'> & { company_name: string; device_name?: string | null }): Job {
  const counts: JobCounts = JSON.parse(row.counts);
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    company_id: row.company_id,
    company_name: row.company_name,
    user_id: row.created_by,
    user_name: row.user_name,
    parent_id: row.parent_job_id,
    channel: jobChannel(row.id),
    input: maskedInput(row.input),
    reason: row.reason || null,
    total: row.total,
    ...(row.device_name === undefined ? {} : { device_name: row.device_name }),
    counts,
    waves: presentWaves(row),
    paused_at: wireTime(row.paused_at),
    starts_at: wireTime(row.starts_at),
    waits_until: wireTime(row.waits_until),
    cancel_requested_at: wireTime(row.cancel_requested_at),
    message: row.message,
    created_at: wireTime(row.created_at),
    started_at: wireTime(row.started_at),
    finished_at: wireTime(row.finished_at),
  };
}

export type TargetRow = Omit<Row<'job_targets'>, 'command_id' | 'attempts' | 'deadline_at' | 'sent_at' | 'facts' | 'failed_state'> & {
  company_name: string;
};

/** A target as the wire shows it. */
export function presentTarget(row: TargetRow): JobTarget {
  return {
    id: row.id,
    job_id: row.job_id,
    device_id: row.device_id,
    device_name: row.device_name,
    company_id: row.company_id,
    company_name: row.company_name,
    state: row.state,
    reason: row.reason,
    message: row.message,
    code: row.code,
    output: row.output,
    truncated: row.truncated === 1,
    step: row.step + 1,
    steps: row.steps,
    step_name: row.step_name,
    file_id: row.file_id,
    wave: row.wave,
    due_at: wireTime(row.due_at),
    started_at: wireTime(row.started_at),
    finished_at: wireTime(row.finished_at),
  };
}

/** What a step that is over gave, as the wire shows it. */
export function presentStep(row: Row<'job_target_steps'> & { device_id: number; device_name: string }): JobStep {
  return {
    id: row.id,
    target_id: row.target_id,
    device_id: row.device_id,
    device_name: row.device_name,
    step: row.step + 1,
    name: row.name,
    state: row.state,
    code: row.code,
    message: row.message,
    output: row.output,
    truncated: row.truncated === 1,
    file_id: row.file_id,
    finished_at: wireTime(row.finished_at),
  };
}

const MAX_LIVE_OUTPUT = 2048;

/** The same for a live event: a long output is cut, and says so; the whole of it is read by the target's list. Of one that is not over the end is shown. */
export function presentLiveTarget(row: TargetRow): JobTarget {
  const target = presentTarget(row);
  if (target.output === null || target.output.length <= MAX_LIVE_OUTPUT) return target;
  const output = target.state === 'running' ? target.output.slice(-MAX_LIVE_OUTPUT) : target.output.slice(0, MAX_LIVE_OUTPUT);
  return { ...target, output, truncated: true };
}
