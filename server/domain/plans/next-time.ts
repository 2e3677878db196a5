import { aheadOfUtc, momentOfClock } from '../../../schemas/kit/time/wall-clock.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';

export interface Plan {
  period: 'day' | 'week' | 'month';
  /** Of the week 1 (Monday) to 7, of the month 1 to 28; null for each day. */
  day: number | null;
  /** `03:30`. */
  time: string;
  timezone: string;
}

const MOST_DAYS = 62;

function isDay({ period, day }: Plan, shown: number): boolean {
  if (period === 'day') return true;
  const date = new Date(shown);
  return day === (period === 'week' ? date.getUTCDay() || 7 : date.getUTCDate());
}

/** The first moment after `after` at which a plan is due, in Unix milliseconds. */
export function nextTime(plan: Plan, after: number): number {
  const [hours = 0, minutes = 0] = plan.time.split(':').map(Number);
  const local = after + aheadOfUtc(plan.timezone, after);
  const midnight = Math.floor(local / DAY) * DAY;
  for (let days = 0; days <= MOST_DAYS; days += 1) {
    const shown = midnight + days * DAY + hours * HOUR + minutes * (HOUR / 60);
    if (!isDay(plan, shown)) continue;
    const at = momentOfClock(plan.timezone, shown);
    if (at > after) return at;
  }
  throw new Error('a plan without a day');
}
