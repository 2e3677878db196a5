const DAY = 86_400_000;
/** Fewer complete days than these say nothing of those to come. */
export const FEWEST_DAYS = 3;
/** So many days back the same weekdays are looked at. */
export const SAME_WEEKDAYS_DAYS = 28;
/** Where a weekday was seen fewer than twice: the mean of so many days. */
const LAST_DAYS = 14;
const TWICE = 2;
const WEEK = 7;
const FARTHEST_DAYS = 366;

/** Bytes by day; keys are Unix milliseconds at which a day (UTC) begins. */
export type BytesByDay = ReadonlyMap<number, number>;

interface Expectation {
  /** Complete days that it is made from, at most 28. */
  daysKnown: number;
  /** Bytes of a day to come. */
  of(day: number): number;
}

const dayOf = (at: number): number => at - (at % DAY);

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * What a day will use: the mean of the same weekdays of the last 28 days, or of the last 14 days where a weekday was seen fewer than twice. Days count from
 * the first one with data on; today is not complete, so it is left out. undefined: fewer than 3 days are known.
 */
export function expectUsage(bytes: BytesByDay, now: number): Expectation | undefined {
  const today = dayOf(now);
  const from = Math.max(Math.min(...bytes.keys(), today), today - SAME_WEEKDAYS_DAYS * DAY);
  const daysKnown = Math.round((today - from) / DAY);
  if (daysKnown < FEWEST_DAYS) return undefined;
  const known = Array.from({ length: daysKnown }, (_, index) => today - (index + 1) * DAY);
  const bytesOf = (days: readonly number[]): number => mean(days.map((day) => bytes.get(day) ?? 0));
  const recent = bytesOf(known.slice(0, LAST_DAYS));
  const weekdays = Array.from({ length: WEEK }, (_, offset) => {
    const same = known.filter((day) => ((day - today) / DAY + SAME_WEEKDAYS_DAYS) % WEEK === offset);
    return same.length < TWICE ? recent : bytesOf(same);
  });
  return { daysKnown, of: (day) => weekdays[Math.round((day - today) / DAY) % WEEK] ?? recent };
}

export interface MonthForecast {
  /** Bytes at the end of the month; null: too little data. */
  total: number | null;
  /** Complete days that it is made from. */
  daysKnown: number;
  /** The day (Unix ms) on which the limit is reached, or was; null: not in this month, or there is no limit. */
  reachedOn: number | null;
}

interface Month {
  bytes: BytesByDay;
  now: number;
  /** When the month began and ends, Unix ms at which days begin. */
  since: number;
  until: number;
  /** Bytes; null: none. */
  limit: number | null;
}

/** How much data will be used by the end of a month, by `expectUsage` for each day that is left; of today, what is still expected of it. */
export function forecastMonth({ bytes, now, since, until, limit }: Month): MonthForecast {
  const today = dayOf(now);
  const expected = expectUsage(bytes, now);
  let total = 0;
  let reachedOn: number | null = null;
  for (let day = since; day < until; day += DAY) {
    if (day > today && !expected) break;
    const used = bytes.get(day) ?? 0;
    if (day < today) total += used;
    else total += day === today ? Math.max(used, expected?.of(day) ?? 0) : (expected?.of(day) ?? 0);
    if (limit !== null && reachedOn === null && total >= limit) reachedOn = day;
  }
  return { total: expected ? Math.round(total) : null, daysKnown: expected?.daysKnown ?? 0, reachedOn };
}

/** The day (Unix ms) on which so many bytes are used up; null: not within a year; undefined: too little data. */
export function usedUpOn(bytes: BytesByDay, now: number, left: number): number | null | undefined {
  const expected = expectUsage(bytes, now);
  if (!expected) return undefined;
  const today = dayOf(now);
  let rest = left - Math.max(0, expected.of(today) - (bytes.get(today) ?? 0));
  for (let day = today; day < today + FARTHEST_DAYS * DAY; day += DAY) {
    if (rest <= 0) return day;
    rest -= expected.of(day + DAY);
  }
  return null;
}

/** When the month that began at a moment (Unix ms) ends. */
export function monthEnd(since: number): number {
  const day = new Date(since);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate());
}

/** Bytes expected by the end of the calendar month (UTC) of a moment, from days (`YYYY-MM-DD`, several lines of a day are added up); null: too little data. */
export function forecastOfMonth(days: readonly { date: string; bytes: number }[], now: number): number | null {
  const bytes = new Map<number, number>();
  for (const { date, bytes: more } of days) {
    const day = Date.parse(`${date}T00:00:00Z`);
    bytes.set(day, (bytes.get(day) ?? 0) + more);
  }
  const today = new Date(now);
  const since = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
  return forecastMonth({ bytes, now, since, until: monthEnd(since), limit: null }).total;
}
