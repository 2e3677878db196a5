import { translate } from '../i18n/index.ts';
import { createStore } from '../store.ts';
import { DAY, HOUR, MINUTE, SECOND } from './index.ts';

// Younger than this is "now"; devices report once a minute, so seconds would only be noise.
const NOW = 45 * SECOND;
const YEAR = 365 * DAY;

/** A short age: `now`, `5 min`, `2 h`, `4 d`, `3 y`; for the future `in 2 h`. */
export function formatAge(time: number, now: number): string {
  const age = Math.abs(now - time);
  if (age < NOW) return translate('time.now');
  const text = formatDuration(age);
  return time > now ? translate('time.in', { time: text }) : text;
}

/** A short length of time in its largest whole unit: `71 s`, `5 min`, `2 h`, `4 d`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 100 * SECOND) return translate('time.seconds', { count: Math.round(milliseconds / SECOND) });
  if (milliseconds < HOUR) return translate('time.minutes', { count: Math.floor(milliseconds / MINUTE) });
  if (milliseconds < 48 * HOUR) return translate('time.hours', { count: Math.floor(milliseconds / HOUR) });
  if (milliseconds < YEAR) return translate('time.days', { count: Math.floor(milliseconds / DAY) });
  return translate('time.years', { count: Math.floor(milliseconds / YEAR) });
}

const clock = createStore(Date.now());
let followers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One shared clock for all ages on the page: ticks every 10 s while the page is visible. */
export const ageClock = {
  get: clock.get,
  subscribe(listener: () => void): () => void {
    const stop = clock.subscribe(listener);
    followers += 1;
    if (followers === 1) {
      clock.set(Date.now());
      timer = setInterval(() => {
        if (document.visibilityState === 'visible') clock.set(Date.now());
      }, 10 * SECOND);
    }
    return () => {
      stop();
      followers -= 1;
      if (followers === 0) clearInterval(timer);
    };
  },
};
