export interface CallHandle {
  signal: AbortSignal;
  /** Why the call was ended. */
  reason(): string;
  close(): void;
}
export type PendingCalls = ReturnType<typeof createPendingCalls>;

/**
 * The calls that wait for an answer (docs/behaviour.md section 4, Pending requests). `open` … `close` frame one call; `cancelAll` ends all that
 * do not survive a route change.
 */
export function createPendingCalls() {
  const open = new Set<{ controller: AbortController; survives: boolean }>();

  return {
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
