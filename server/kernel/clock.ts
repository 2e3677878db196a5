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

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
// Lists and exports write many times of few days: the day's text is the slow part.
const wireDays = new Map<number, string>();
const WIRE_DAYS = 1000;

function wireDay(day: number): string {
  const known = wireDays.get(day);
  if (known !== undefined) return known;
  if (wireDays.size >= WIRE_DAYS) wireDays.clear();
  const text = new Date(day * DAY).toISOString().slice(0, 10);
  wireDays.set(day, text);
  return text;
}

/** Unix milliseconds as the wire's `YYYY-MM-DD HH:mm:ss` in UTC. */
export function wireTime(at: number): string;
export function wireTime(at: number | null): string | null;
export function wireTime(at: number | null): string | null {
  if (at === null) return null;
  const day = Math.floor(at / DAY);
  const seconds = Math.floor((at - day * DAY) / SECOND);
  return `${wireDay(day)} ${twoDigits[Math.floor(seconds / 3600)]}:${twoDigits[Math.floor(seconds / 60) % 60]}:${twoDigits[seconds % 60]}`;
}
