import { createAnswerCache, type AnswerCache, type AnswerCacheInit } from './answer-cache.ts';
import { createSharedRead, type SharedRead } from './shared-read.ts';

/** Where a kind of answers is kept; made by `keptReads.cache`. */
export interface Keeper {
  answers: AnswerCache<unknown>;
  /** Resources that its answers tell of beside the one in their path. */
  also: readonly string[];
}

export interface KeeperInit extends AnswerCacheInit {
  also?: readonly string[];
}

// docs/behaviour.md section 9, Kept answers.
const THROTTLE_MS = 1000;
// Their names stand in the records of all others.
const COMPANIES = 'companies';

/** The resource that a path is about: `/credits/types` → `credits`. */
export function resourceOf(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/**
 * Reads whose answers may be kept for later. Identical ones that begin within a second share one call. What is kept goes with `forget` (a write,
 * a live event) and `clear` (another user or company); answers that were under way then are not kept, nor shared with anybody who asks later.
 */
export function createKeptReads(now = () => Date.now()) {
  const keepers: Keeper[] = [];
  const underWay = new Map<string, { read: SharedRead<unknown>; about: readonly string[]; askedAt: number }>();

  function clear(): void {
    for (const { answers } of keepers) answers.clear();
    underWay.clear();
  }

  return {
    cache({ also = [], ...init }: KeeperInit = {}): Keeper {
      const keeper: Keeper = { answers: createAnswerCache({ now, ...init }), also };
      keepers.push(keeper);
      return keeper;
    },
    read<R>(
      { answers, also }: Keeper,
      call: { key: string; path: string; signal?: AbortSignal | undefined },
      run: (signal: AbortSignal) => Promise<R>,
    ): Promise<R> {
      const { key, path, signal } = call;
      // Same key, so same path and query: the same answer.
      const kept = answers.find(key) as R | undefined;
      if (kept !== undefined) return Promise.resolve(kept);
      const other = underWay.get(key);
      if (other && now() - other.askedAt < THROTTLE_MS) return (other.read as SharedRead<R>).join(signal);

      const read = createSharedRead(run, end);
      const entry = { read: read as SharedRead<unknown>, about: [resourceOf(path), ...also], askedAt: now() };
      function end(): void {
        if (underWay.get(key) === entry) underWay.delete(key);
      }
      underWay.set(key, entry);
      read.outcome
        .then((answer) => underWay.get(key) === entry && answers.keep(key, answer, entry.about))
        .finally(end)
        .catch(() => undefined);
      return read.join(signal);
    },
    /** Something about a resource has changed. */
    forget(resource: string): void {
      if (resource === COMPANIES) return clear();
      for (const { answers } of keepers) answers.forget(resource);
      for (const [key, { about }] of underWay) if (about.includes(resource)) underWay.delete(key);
    },
    clear,
    /** The calls under way are being cancelled: nobody may join them any more. What is kept stays. */
    endSharing(): void {
      underWay.clear();
    },
  };
}
