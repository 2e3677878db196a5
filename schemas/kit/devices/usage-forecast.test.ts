import { expect, test } from 'vitest';
import { expectUsage, forecastMonth, monthEnd, usedUpOn } from './usage-forecast.ts';

const DAY = 86_400_000;
const utc = (text: string): number => Date.parse(`${text}T00:00:00Z`);
const from = (start: string, values: readonly number[]) => new Map(values.map((value, index) => [utc(start) + index * DAY, value]));

test('a forecast needs three complete days', () => {
  const now = utc('2026-03-04') + DAY / 2;
  const month = { now, since: utc('2026-03-01'), until: utc('2026-04-01'), limit: null };
  expect(forecastMonth({ ...month, bytes: from('2026-03-02', [10, 10, 5]) })).toEqual({ total: null, daysKnown: 0, reachedOn: null });
  // 10 on each of three days, today as much, and 27 days to come.
  expect(forecastMonth({ ...month, bytes: from('2026-03-01', [10, 10, 10, 5]) })).toMatchObject({ total: 310, daysKnown: 3 });
});

test('a day is expected to be as the same weekdays were', () => {
  // Monday 2 February to Sunday 1 March: 100 on Mondays, else 10.
  const bytes = from(
    '2026-02-02',
    Array.from({ length: 28 }, (_, index) => (index % 7 === 0 ? 100 : 10)),
  );
  const expected = expectUsage(bytes, utc('2026-03-02'));
  expect([0, 1, 7, 8].map((days) => expected?.of(utc('2026-03-02') + days * DAY))).toEqual([100, 10, 100, 10]);
});

test('days without data after the first one count as zero', () => {
  const bytes = new Map([[utc('2026-03-01'), 90]]);
  expect(expectUsage(bytes, utc('2026-03-04'))?.of(utc('2026-03-05'))).toBe(30);
});

test('the day on which a limit is reached is named, also when it is past', () => {
  const bytes = from('2026-03-01', [10, 10, 10, 0]);
  const month = { bytes, now: utc('2026-03-04'), since: utc('2026-03-01'), until: utc('2026-04-01') };
  expect(forecastMonth({ ...month, limit: 100 }).reachedOn).toBe(utc('2026-03-10'));
  expect(forecastMonth({ ...month, limit: 20 }).reachedOn).toBe(utc('2026-03-02'));
  expect(forecastMonth({ ...month, limit: 1000 }).reachedOn).toBeNull();
});

test('a balance runs out on the day that uses the last of it, or not within a year', () => {
  const bytes = from('2026-03-01', [10, 10, 10]);
  expect(usedUpOn(bytes, utc('2026-03-04'), 30)).toBe(utc('2026-03-06'));
  expect(usedUpOn(bytes, utc('2026-03-04'), 1_000_000)).toBeNull();
  expect(usedUpOn(from('2026-03-03', [10]), utc('2026-03-04'), 30)).toBeUndefined();
});

test('a month that began on the 15th ends on the 15th of the next', () => {
  expect(monthEnd(utc('2026-12-15'))).toBe(utc('2027-01-15'));
});
