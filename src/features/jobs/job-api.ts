import { api } from '../../kernel/http/index.ts';
import type { Job, JobTarget } from '../../../schemas/_generated/contract.ts';
import type { FileAnswer } from '../../kernel/http/index.ts';
import type { AnswerMeta } from '../../../schemas/kit/types.ts';

export type { Job, JobTarget };
export type TargetState = JobTarget['state'];
export type SkipReason = 'OFFLINE' | 'NOT_ACTIVATED' | 'QUARANTINED' | 'NO_RIGHT' | 'UNSUPPORTED' | 'ALREADY_RUNNING' | 'GONE' | 'EXPIRED';

/** The answer of a dry run: nothing was made. */
export interface JobPreview {
  total: number;
  /** The count that the user saw, when "all that match" was chosen. */
  seen: number | null;
  will_run: number;
  skipped: { reason: string; count: number; sample: { id: number; name: string }[] }[];
  warnings: { code: string; params: Record<string, string | number> }[];
}

export interface TargetPage {
  targets: JobTarget[];
  total: number;
}

/** How many targets one page shows; a job of ten thousand never has more of them on screen. */
export const TARGETS_PER_PAGE = 50;

export interface TargetQuery {
  states: readonly TargetState[];
  q: string;
  /** Counted from 0. */
  page: number;
}

const FOLLOWING = { survivesRouteChange: true };

/** One job; throws `ApiError`. */
export async function getJob(id: number): Promise<Job> {
  return (await api.get<Job>(`/jobs/${id}`, FOLLOWING)).data;
}

/** One page of a job's targets. */
export async function getTargets(id: number, query: TargetQuery, signal?: AbortSignal): Promise<TargetPage> {
  const { data, meta } = await api.get<JobTarget[]>(`/jobs/${id}/targets`, {
    ...FOLLOWING,
    signal,
    query: { state: query.states, q: query.q, limit: TARGETS_PER_PAGE, offset: query.page * TARGETS_PER_PAGE },
  });
  return { targets: data, total: meta.total ?? data.length };
}

/** Device ids of all targets in these states, page by page. */
export async function getDeviceIds(id: number, states: readonly TargetState[]): Promise<number[]> {
  const ids: number[] = [];
  for (let offset = 0; ; offset += 100) {
    const { data, meta } = await api.get<JobTarget[]>(`/jobs/${id}/targets`, {
      ...FOLLOWING,
      query: { state: states, limit: 100, offset },
    });
    ids.push(...data.flatMap((target) => (target.device_id === null ? [] : [target.device_id])));
    if (data.length === 0 || offset + data.length >= (meta.total ?? 0)) return ids;
  }
}

/** Runs the failed targets again, or the chosen ones, as a child job. */
export async function retryJob(id: number, targetIds?: readonly number[]): Promise<AnswerMeta> {
  return (await api.post(`/jobs/${id}/retry`, targetIds ? { target_id: targetIds } : {})).meta;
}

/** Cancels what has not started; answers how many that was, and how many are under way and cannot be stopped. */
export async function cancelJob(id: number): Promise<{ cancelled: number; cannot_cancel: number }> {
  return (await api.post<{ cancelled: number; cannot_cancel: number }>(`/jobs/${id}/cancel`)).data;
}

/** The job's targets as a CSV file. */
export function exportJob(id: number): Promise<FileAnswer> {
  return api.download(`/jobs/${id}/export`);
}
