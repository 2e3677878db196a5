import { ApiError } from './api-error.ts';

export type SharedRead<R> = ReturnType<typeof createSharedRead<R>>;

/** One call that several callers wait for. It is given up when all of them have given up; `onGivenUp` says so. */
export function createSharedRead<R>(run: (signal: AbortSignal) => Promise<R>, onGivenUp: () => void) {
  const controller = new AbortController();
  const outcome = run(controller.signal);
  let waiting = 0;

  function leave(): void {
    waiting -= 1;
    if (waiting > 0) return;
    onGivenUp();
    controller.abort('Given up');
  }

  return {
    outcome,
    /** The answer for one more caller; a caller whose signal ends gets `cancelled`, and the others theirs. */
    join(signal: AbortSignal | undefined): Promise<R> {
      waiting += 1;
      if (!signal) return outcome;
      return new Promise((resolve, reject) => {
        const handleAbort = () => {
          reject(new ApiError({ kind: 'cancelled', message: String(signal.reason) }));
          leave();
        };
        if (signal.aborted) return handleAbort();
        signal.addEventListener('abort', handleAbort, { once: true });
        outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', handleAbort));
      });
    },
  };
}
