import { useEffect, useSyncExternalStore } from 'react';
import { api, isCancelled } from '../../kernel/http/index.ts';
import { MINUTE } from '../../kernel/time/index.ts';

/** The last 24 hours of a device by the hour; null where nothing is known. */
export interface Trend {
  id: number;
  signal: (number | null)[];
  online: (number | null)[];
}

const MOST = 100;
const FRESH_MS = 5 * MINUTE;

/** Trends by device, with when they were asked for. */
const known = new Map<number, { trend: Trend | undefined; askedAt: number }>();
const listeners = new Set<() => void>();
let wanted = new Set<number>();

async function read(ids: readonly number[]): Promise<void> {
  try {
    const { data } = await api.get<Trend[]>('/devices/trends', { query: { id: ids.join(',') } });
    for (const trend of data) known.set(trend.id, { trend, askedAt: Date.now() });
  } catch (error) {
    // Drawn when the page is read again.
    if (!isCancelled(error)) return;
    for (const id of ids) known.delete(id);
  }
  for (const listener of listeners) listener();
}

/** All rows of a page ask in one turn, so one call answers for all of them. */
function want(id: number): void {
  const entry = known.get(id);
  if (entry && Date.now() - entry.askedAt < FRESH_MS) return;
  known.set(id, { trend: entry?.trend, askedAt: Date.now() });
  if (wanted.size === 0)
    queueMicrotask(() => {
      const ids = [...wanted];
      wanted = new Set();
      for (let start = 0; start < ids.length; start += MOST) void read(ids.slice(start, start + MOST));
    });
  wanted.add(id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The trend of a device; undefined until it is there. */
export function useTrend(id: number): Trend | undefined {
  useEffect(() => want(id), [id]);
  const get = () => known.get(id)?.trend;
  return useSyncExternalStore(subscribe, get, get);
}
