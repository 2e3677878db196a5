import { isCancelled } from './api-error.ts';

export interface CallHandle {
  signal: AbortSignal;
  /** Why the call was ended. */
  reason(): string;
  close(): void;
}
export type PendingCalls = ReturnType<typeof createPendingCalls>;

interface Read {
  controller: AbortController;
  /** The caller's own signal. */
  signal: AbortSignal | undefined;
  outcome: Promise<unknown>;
  /** The identical read that took over. */
  newer?: Read;
}

/**
 * Keeps account of the calls under way (docs/behaviour.md section 4, Pending requests).
 * `open` … `close` frame one call; `cancelAll` ends all that do not survive a route change;
 * `newestWins` lets a newer identical read take over from an older one, whose caller then gets the newer answer.
 */
export function createPendingCalls() {
  const open = new Set<{ controller: AbortController; survives: boolean }>();
  const reads = new Map<string, Read>();

  function newestWins<R>(key: string, signal: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const controller = new AbortController();
    const older = reads.get(key);
    const outcome = run(signal ? AbortSignal.any([controller.signal, signal]) : controller.signal)
      .catch((error: unknown) => takeNewer(error))
      .finally(() => {
        if (reads.get(key) === read) reads.delete(key);
      });
    const read: Read = { controller, signal, outcome };
    reads.set(key, read);
    if (older) {
      older.newer = read;
      older.controller.abort('Superseded');
    }
    return outcome;

    async function takeNewer(error: unknown): Promise<R> {
      const { newer } = read;
      if (!newer || signal?.aborted) throw error;
      try {
        // Same key, so same method, path and query: the same answer.
        return (await newer.outcome) as R;
      } catch (newerError) {
        // Given up by the newer caller, not by ours: ours is sent again.
        if (isCancelled(newerError) && newer.signal?.aborted && !signal?.aborted) return newestWins(key, signal, run);
        throw newerError;
      }
    }
  }

  return {
    newestWins,
    open(signal: AbortSignal | undefined, survives: boolean): CallHandle {
      const controller = new AbortController();
      const entry = { controller, survives };
      open.add(entry);
      const any = signal ? AbortSignal.any([controller.signal, signal]) : controller.signal;
      return {
        signal: any,
        reason: () => (any.reason instanceof Error ? any.reason.message : String(any.reason)),
        close: () => open.delete(entry),
      };
    },
    cancelAll(reason: string): void {
      for (const entry of [...open]) if (!entry.survives) entry.controller.abort(reason);
    },
  };
}
