import { useList } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { parseWire } from '../../kernel/time/index.ts';
import { FOLLOWING, TARGETS_PER_PAGE } from './job-api.ts';
import type { JobTarget, TargetQuery } from './job-api.ts';
import type { JobState } from './use-job.ts';

// Rows that join or leave a filtered list are fetched at most this often while the job runs.
const REFETCH_MS = 1000;

export interface TargetsState {
  targets: readonly JobTarget[];
  total: number;
  isFirstLoad: boolean;
  error: unknown;
  retry: () => void;
}

/** One page of a job's targets, patched in place by the live channel and read again when rows move in or out of the filter. */
export function useTargets(jobId: number, query: TargetQuery, { changed, epoch, job }: JobState): TargetsState {
  const { query: page } = useList<JobTarget, ApiError>({
    resource: `jobs/${jobId}/targets`,
    pagination: { currentPage: query.page + 1, pageSize: TARGETS_PER_PAGE },
    meta: { ...FOLLOWING, query: { state: query.states, q: query.q } },
    queryOptions: { placeholderData: keepPreviousData },
    errorNotification: false,
  });
  const { data, error, refetch } = page;
  const [patches, setPatches] = useState<ReadonlyMap<number, JobTarget>>(new Map());
  const [seen, setSeen] = useState(changed);
  if (changed !== seen) {
    setSeen(changed);
    setPatches(new Map([...patches, ...changed.map((target): [number, JobTarget] => [target.id, target])]));
  }

  // With a filter the rows themselves change, and so does the last state of a finished job.
  const isFiltered = query.states.length > 0;
  const mark = isFiltered ? JSON.stringify(job?.counts) : job?.state;
  const lastRead = useRef(0);
  const lastMark = useRef('');
  useEffect(() => {
    const now = `${epoch} ${mark}`;
    // The first update came with the rows themselves.
    const isFirst = lastMark.current === '';
    if (epoch === 0 || lastMark.current === now) return;
    lastMark.current = now;
    if (isFirst) return;
    const wait = Math.max(0, lastRead.current + REFETCH_MS - Date.now());
    const timer = setTimeout(() => {
      lastRead.current = Date.now();
      void refetch({ cancelRefetch: false });
    }, wait);
    return () => clearTimeout(timer);
  }, [mark, epoch, refetch]);

  const targets = useMemo(() => (data?.data ?? []).map((target) => newer(target, patches.get(target.id))), [data, patches]);
  return {
    targets,
    total: data?.total ?? 0,
    isFirstLoad: data === undefined && error === null,
    error: error ?? undefined,
    retry: () => void refetch(),
  };
}

/** A target never goes back: of two tellings the one further on is the later. */
function newer(loaded: JobTarget, live: JobTarget | undefined): JobTarget {
  if (!live) return loaded;
  const order = ['queued', 'sent', 'running'];
  // A device that has done a step is sent the next one.
  const rank = (target: JobTarget) =>
    order.includes(target.state) ? target.step * order.length + order.indexOf(target.state) : Number.POSITIVE_INFINITY;
  // The live update cuts a long output, so a loaded final target is the better one.
  return rank(live) > rank(loaded) ? live : loaded;
}

/** When the offline ones of these targets were last heard of: device id → unix milliseconds. Missing where it is not known. */
export function useLastSeen(targets: readonly JobTarget[]): ReadonlyMap<number, number> {
  const ids = targets.flatMap((target) => (target.reason === 'OFFLINE' && target.device_id !== null ? [target.device_id] : []));
  const { query } = useList<{ id: number; last_connection_at: string | null }, ApiError>({
    resource: 'devices',
    pagination: { mode: 'off' },
    meta: { query: { id: ids, fields: ['id', 'last_connection_at'] } },
    queryOptions: { enabled: ids.length > 0, staleTime: Infinity },
    errorNotification: false,
  });
  const data = query.data?.data;
  return useMemo(
    () =>
      new Map(
        (data ?? []).flatMap((device): [number, number][] => {
          const seen = parseWire(device.last_connection_at);
          return seen === undefined ? [] : [[device.id, seen]];
        }),
      ),
    [data],
  );
}
