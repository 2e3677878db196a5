import type { Job, TargetState } from './job-api.ts';

/** The states that people distinguish: what the bar's parts, the counts and the filters stand for. */
export type TargetGroup = 'done' | 'running' | 'failed' | 'skipped' | 'cancelled' | 'queued';

/** In the order in which they are counted; the bar's order too. */
export const GROUPS: readonly TargetGroup[] = ['done', 'running', 'failed', 'skipped', 'cancelled', 'queued'];
export const BAR_ORDER: readonly TargetGroup[] = ['done', 'failed', 'skipped', 'cancelled', 'running', 'queued'];

export const STATES_OF: Readonly<Record<TargetGroup, readonly TargetState[]>> = {
  done: ['ok'],
  running: ['sent', 'running'],
  failed: ['failed', 'timed-out'],
  skipped: ['skipped'],
  cancelled: ['cancelled'],
  queued: ['queued'],
};

/** The group that a state belongs to. */
export function groupOf(state: TargetState): TargetGroup {
  return GROUPS.find((group) => STATES_OF[group].includes(state)) ?? 'queued';
}

/** How many targets are in each group. */
export function countGroups(counts: Job['counts']): Record<TargetGroup, number> {
  const sum = (group: TargetGroup) => STATES_OF[group].reduce((total, state) => total + counts[state], 0);
  return {
    done: sum('done'),
    running: sum('running'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    cancelled: sum('cancelled'),
    queued: sum('queued'),
  };
}

/** How much of the job is over, 0 to 100; 100 only when all of it is. */
export function percentDone({ counts, total }: Pick<Job, 'counts' | 'total'>): number {
  const groups = countGroups(counts);
  const open = groups.queued + groups.running;
  if (total <= 0) return 100;
  const percent = Math.floor(((total - open) / total) * 100);
  return open > 0 ? Math.min(99, percent) : 100;
}

/** Whether nothing of the job changes any more. */
export function isOver(job: Pick<Job, 'state'>): boolean {
  return job.state === 'finished' || job.state === 'cancelled';
}

/** Whether a target can be part of a retry: it is over and did not succeed. */
export function isRetryable(state: TargetState): boolean {
  return state === 'failed' || state === 'timed-out' || state === 'cancelled' || state === 'skipped';
}
