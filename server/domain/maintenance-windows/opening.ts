import { WEEKDAYS } from '../../../schemas/kit/form/rule-parameters.ts';
import { DAY, MINUTE } from '../../kernel/clock.ts';
import { aheadOfUtc, momentOfClock } from '../../../schemas/kit/time/wall-clock.ts';

export type Weekday = (typeof WEEKDAYS)[number];

/** When devices may be worked on, each week. */
export interface WeeklyWindow {
  /** The days on which it opens. */
  days: readonly Weekday[];
  /** `23:30`, by the clocks of the zone. One that ends no later than it begins ends on the day after. */
  from: string;
  to: string;
  timezone: string;
}

/** A time during which a window is open, Unix milliseconds; `to` is no longer in it. */
export interface Opening {
  from: number;
  to: number;
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/** The opening of a window that lasts at `at`, or else the next one; undefined for a window without days. A window that spring leaves out is not open then. */
export function nextOpening(window: WeeklyWindow, at: number): Opening | undefined {
  const { timezone } = window;
  const local = at + aheadOfUtc(timezone, at);
  const today = Math.floor(local / DAY) * DAY;
  const [from, to] = [minutesOf(window.from), minutesOf(window.to)];
  const length = to > from ? to - from : to - from + 24 * 60;
  for (let days = -1; days <= 8; days += 1) {
    const midnight = today + days * DAY;
    const weekday = WEEKDAYS[(new Date(midnight).getUTCDay() + 6) % 7];
    if (weekday === undefined || !window.days.includes(weekday)) continue;
    const shown = midnight + from * MINUTE;
    const opening = { from: momentOfClock(timezone, shown), to: momentOfClock(timezone, shown + length * MINUTE) };
    if (opening.to > at && opening.to > opening.from) return opening;
  }
  return undefined;
}
