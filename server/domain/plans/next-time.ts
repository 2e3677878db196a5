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

/** By how much the clocks of a zone are ahead of UTC at a moment, in milliseconds. Throws RangeError for a zone that does not exist. */
export function aheadOfUtc(timezone: string, at: number): number {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' }).format(at);
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}

/** Whether clocks of this zone are known. */
export function isZone(timezone: string): boolean {
  try {
    aheadOfUtc(timezone, 0);
    return true;
  } catch {
    return false;
  }
}

/** The moment at which clocks of the zone show this; an hour that is left out in spring is the one after it. */
export function momentOf(timezone: string, shown: number): number {
  const first = shown - aheadOfUtc(timezone, shown);
  const second = shown - aheadOfUtc(timezone, first);
  return second + aheadOfUtc(timezone, second) === shown ? second : Math.max(first, second);
}

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
    const at = momentOf(plan.timezone, shown);
    if (at > after) return at;
  }
  throw new Error('a plan without a day');
}
