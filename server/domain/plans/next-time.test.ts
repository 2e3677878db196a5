import { expect, test } from 'vitest';
import { nextTime } from './next-time.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const shown = (moment: number): string => new Date(moment).toISOString().slice(0, 16);

test.each([
  [{ period: 'day', day: null, time: '03:00', timezone: 'UTC' }, '2026-11-23T02:59', '2026-11-23T03:00'],
  [{ period: 'day', day: null, time: '03:00', timezone: 'UTC' }, '2026-11-23T03:00', '2026-11-24T03:00'],
  [{ period: 'day', day: null, time: '00:30', timezone: 'Asia/Tokyo' }, '2026-11-23T15:00', '2026-11-23T15:30'],
  [{ period: 'week', day: 7, time: '23:30', timezone: 'Europe/Oslo' }, '2026-11-23T12:00', '2026-11-29T22:30'],
  [{ period: 'month', day: 28, time: '12:00', timezone: 'UTC' }, '2026-02-28T12:00', '2026-03-28T12:00'],
  // The clocks go forward from 02:00 to 03:00 on 29 March 2026, and back from 03:00 to 02:00 on 25 October.
  [{ period: 'day', day: null, time: '02:30', timezone: 'Europe/Oslo' }, '2026-03-28T12:00', '2026-03-29T01:00'],
  [{ period: 'day', day: null, time: '02:30', timezone: 'Europe/Oslo' }, '2026-03-29T01:00', '2026-03-30T00:30'],
  [{ period: 'day', day: null, time: '02:30', timezone: 'Europe/Oslo' }, '2026-10-24T12:00', '2026-10-25T00:30'],
  [{ period: 'day', day: null, time: '02:30', timezone: 'Europe/Oslo' }, '2026-10-25T00:30', '2026-10-26T01:30'],
  [{ period: 'day', day: null, time: '04:00', timezone: 'Europe/Oslo' }, '2026-03-28T12:00', '2026-03-29T02:00'],
  [{ period: 'day', day: null, time: '04:00', timezone: 'Europe/Oslo' }, '2026-10-24T12:00', '2026-10-25T03:00'],
] as const)('%j after %s is %s [CB8]', (plan, after, next) => expect(shown(nextTime(plan, at(after)))).toBe(next));
