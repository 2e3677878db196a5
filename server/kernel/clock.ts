/** The time, as a part that tests replace. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Runs `work` every `periodMs`; returns the way to stop it. A run that is still going is not started twice. */
  every(periodMs: number, work: () => void | Promise<void>): () => void;
  /** Runs `work` once after `delayMs`; returns the way to cancel it. */
  after(delayMs: number, work: () => void | Promise<void>): () => void;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The real clock. Errors of the work go to `onError`. */
export function systemClock(onError: (error: unknown) => void): Clock {
  return {
    now: () => Date.now(),
    every(periodMs, work) {
      let isRunning = false;
      const timer = setInterval(() => {
        if (isRunning) return;
        isRunning = true;
        Promise.resolve()
          .then(work)
          .catch(onError)
          .finally(() => {
            isRunning = false;
          });
      }, periodMs);
      return () => clearInterval(timer);
    },
    after(delayMs, work) {
      const timer = setTimeout(() => void Promise.resolve().then(work).catch(onError), delayMs);
      return () => clearTimeout(timer);
    },
  };
}

/** Unix milliseconds as the wire's `YYYY-MM-DD HH:mm:ss` in UTC. */
export function wireTime(at: number): string;
export function wireTime(at: number | null): string | null;
export function wireTime(at: number | null): string | null {
  if (at === null) return null;
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
