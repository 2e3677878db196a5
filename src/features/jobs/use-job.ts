import { useOne } from '@refinedev/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { keepAsking } from '../../kernel/back-off.ts';
import { live } from '../../kernel/socket/index.ts';
import { useStore } from '../../kernel/store.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { FOLLOWING } from './job-api.ts';
import { isOver } from './progress.ts';
import type { Job, JobTarget } from './job-api.ts';

// While the live channel is down; after failures more rarely.
const POLL_MS = 2000;
// Events can be lost on the way; a job on screen is never further behind than this.
const CHECK_MS = 10_000;
// Live targets are handed on together, at most four times a second (docs/checks.md T8).
const PAINT_MS = 250;

export interface JobState {
  job: Job | undefined;
  error: unknown;
  /** Targets that the live channel reported since the last render, newest last. */
  changed: readonly JobTarget[];
  /** Unix milliseconds of the last reading; grows with each poll and each resumed channel. */
  epoch: number;
  reload: () => void;
}

/** A job as it goes on: by its live channel, and by asking while that is down, every two seconds and more rarely after failures. */
export function useJob(id: number): JobState {
  const [update, setUpdate] = useState<{ at: number; progress: Progress }>();
  const [changed, setChanged] = useState<readonly JobTarget[]>([]);
  const isDown = useStore(live.state) !== 'connected';
  const { query } = useOne<Job, ApiError>({
    resource: 'jobs',
    id,
    meta: FOLLOWING,
    queryOptions: {
      gcTime: 0,
      refetchInterval: ({ state }) => (isDown || (state.data && isOver(state.data.data)) ? false : CHECK_MS),
    },
    errorNotification: false,
  });
  const { error, dataUpdatedAt, refetch } = query;
  const data = query.data?.data;
  const reload = useCallback(() => void refetch({ cancelRefetch: false }), [refetch]);
  const job = useMemo(
    () => (data && update && update.at >= dataUpdatedAt ? { ...data, ...update.progress } : data),
    [data, update, dataUpdatedAt],
  );
  const channel = job?.channel;
  const isFinished = job !== undefined && isOver(job);
  const isRunning = job !== undefined && !isFinished;

  useEffect(() => {
    if (!isDown || isFinished) return undefined;
    // Nobody looks at a hidden tab, so nothing is asked for it.
    return keepAsking(async () => document.hidden || (await refetch({ cancelRefetch: false })).isSuccess, { minMs: POLL_MS });
  }, [isDown, isFinished, refetch]);

  useEffect(() => {
    if (!channel || !isRunning) return;
    const waiting: JobTarget[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      timer = undefined;
      setChanged(waiting.splice(0));
    };
    const stop = live.follow(channel, {
      onEvent(event, payload) {
        // What happened at about the same time comes together, oldest first.
        for (const item of Array.isArray(payload) ? payload : [payload]) {
          if (event === 'JobProgress' && isProgress(item)) setUpdate({ at: Date.now(), progress: item });
          if (event === 'JobTargetChanged' && isTarget(item)) waiting.push(item);
        }
        if (waiting.length > 0) timer ??= setTimeout(flush, PAINT_MS);
      },
      onFollowed: reload,
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [channel, isRunning, reload]);

  return { job, error: error ?? undefined, changed, epoch: dataUpdatedAt, reload };
}

type Progress = Pick<Job, 'state' | 'total' | 'counts' | 'waves' | 'paused_at' | 'finished_at'>;

function isProgress(payload: unknown): payload is Progress {
  return typeof payload === 'object' && payload !== null && 'counts' in payload && 'state' in payload;
}

function isTarget(payload: unknown): payload is JobTarget {
  return typeof payload === 'object' && payload !== null && 'job_id' in payload && 'state' in payload;
}
