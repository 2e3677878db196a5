import { dataProvider } from '../../engine/data/data-provider.ts';
import { api } from '../../kernel/http/index.ts';
import type { Job, JobStep, JobTarget, JobWave } from '../../../schemas/_generated/contract.ts';
import type { FileAnswer } from '../../kernel/http/index.ts';

export type { Job, JobStep, JobTarget, JobWave };
export type TargetState = JobTarget['state'];
export type SkipReason =
  | 'OFFLINE'
  | 'NOT_ACTIVATED'
  | 'QUARANTINED'
  | 'NO_RIGHT'
  | 'UNSUPPORTED'
  | 'ALREADY_RUNNING'
  | 'GONE'
  | 'EXPIRED'
  | 'WRONG_MODEL'
  | 'DOWNGRADE'
  | 'UP_TO_DATE'
  | 'NO_FILE'
  | 'CHANGED_SINCE'
  | 'NOT_SIGNED'
  | 'PASSWORD_UNFIT'
  | 'WRONG_FIRMWARE'
  | 'NOT_READ'
  | 'VALUE_MISSING'
  | 'OUTSIDE_WINDOW';

/** The answer of a dry run: nothing was made. */
export interface JobPreview {
  total: number;
  /** The count that the user saw, when "all that match" was chosen. */
  seen: number | null;
  will_run: number;
  skipped: { reason: string; count: number; sample: { id: number; name: string }[] }[];
  warnings: { code: string; params: Record<string, string | number> }[];
  /** The devices that it runs on, by what the kind distinguishes. */
  groups?: { group: Record<string, string | null>; count: number }[];
  /** Devices outside their maintenance window, when the first of those windows opens, and what becomes of them. */
  windows?: { outside: number; opens_at: string; rule: 'wait' | 'refuse' | 'now' } | null;
  /** A company of these devices wants to know why. */
  asks_reason?: boolean;
}

/** How many targets one page shows; a job of ten thousand never has more of them on screen. */
export const TARGETS_PER_PAGE = 50;

export interface TargetQuery {
  states: readonly TargetState[];
  q: string;
  /** Counted from 0. */
  page: number;
}

/** A job goes on, and is followed, whatever page is opened. */
export const FOLLOWING = { survivesRouteChange: true };
const MOST_TARGETS = 100;

/** Device ids of all targets in these states, page by page. */
export async function getDeviceIds(id: number, states: readonly TargetState[]): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = await dataProvider.getList<JobTarget>({
      resource: `jobs/${id}/targets`,
      pagination: { currentPage: page, pageSize: MOST_TARGETS },
      filters: [{ field: 'state', operator: 'in', value: states }],
      meta: FOLLOWING,
    });
    ids.push(...data.flatMap((target) => (target.device_id === null ? [] : [target.device_id])));
    if (page * MOST_TARGETS >= total) return ids;
  }
}

/** Cancels what has not started; answers how many that was, and how many are under way and cannot be stopped. */
export async function cancelJob(id: number): Promise<{ cancelled: number; cannot_cancel: number }> {
  return (await dataProvider.custom<{ cancelled: number; cannot_cancel: number }>({ url: `/jobs/${id}/cancel`, method: 'post' })).data;
}

/** Holds a job back, or lets it go on. */
export async function holdJob(id: number, hold: 'pause' | 'resume' | 'continue'): Promise<void> {
  await dataProvider.custom({ url: `/jobs/${id}/${hold}`, method: 'post' });
}

/** The job's targets as a CSV file. */
export function exportJob(id: number): Promise<FileAnswer> {
  return api.download(`/jobs/${id}/export`);
}
