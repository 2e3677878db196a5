import { expect, test } from 'vitest';
import { WEEKDAYS } from '../../../schemas/kit/form/rule-parameters.ts';
import { nextOpening, type WeeklyWindow } from './opening.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const shown = (moment: number): string => new Date(moment).toISOString().slice(0, 16);
const window = (days: WeeklyWindow['days'], from: string, to: string, timezone = 'UTC'): WeeklyWindow => ({ days, from, to, timezone });

// 23 November 2026 is a Monday.
test.each([
  ['opens later today', window(['mon'], '02:00', '04:00'), '2026-11-23T01:00', '2026-11-23T02:00', '2026-11-23T04:00'],
  ['is open', window(['mon'], '02:00', '04:00'), '2026-11-23T03:59', '2026-11-23T02:00', '2026-11-23T04:00'],
  ['opens again in a week', window(['mon'], '02:00', '04:00'), '2026-11-23T04:00', '2026-11-30T02:00', '2026-11-30T04:00'],
  ['lasts over midnight', window(['sun'], '23:00', '03:00'), '2026-11-23T02:00', '2026-11-22T23:00', '2026-11-23T03:00'],
  ['lasts a whole day', window(['tue'], '00:00', '00:00'), '2026-11-23T12:00', '2026-11-24T00:00', '2026-11-25T00:00'],
  ['follows the zone', window(['mon'], '02:00', '04:00', 'Asia/Tokyo'), '2026-11-22T17:30', '2026-11-22T17:00', '2026-11-22T19:00'],
  [
    'is shorter when clocks go forward',
    window(WEEKDAYS, '01:00', '04:00', 'Europe/Oslo'),
    '2026-03-28T23:30',
    '2026-03-29T00:00',
    '2026-03-29T02:00',
  ],
  [
    'opens at the end of the gap when clocks go forward over its begin',
    window(['sun'], '02:15', '03:30', 'Europe/Oslo'),
    '2026-03-28T23:30',
    '2026-03-29T01:00',
    '2026-03-29T01:30',
  ],
  [
    'that exists twice opens once, the first time',
    window(['sun'], '02:15', '02:45', 'Europe/Oslo'),
    '2026-10-24T22:30',
    '2026-10-25T00:15',
    '2026-10-25T00:45',
  ],
  [
    'is longer when clocks go back',
    window(WEEKDAYS, '01:00', '04:00', 'Europe/Oslo'),
    '2026-10-24T22:30',
    '2026-10-24T23:00',
    '2026-10-25T03:00',
  ],
])('a window %s [CB8]', (_title, given, now, from, to) => {
  const opening = nextOpening(given, at(now));
  expect(opening && [shown(opening.from), shown(opening.to)]).toEqual([from, to]);
});

test('a window that only opens in the hour that spring leaves out stays shut that day', () => {
  const opening = nextOpening(window(WEEKDAYS, '02:00', '03:00', 'Europe/Oslo'), at('2026-03-29T00:30'));
  expect(opening && shown(opening.from)).toBe('2026-03-30T00:00');
});
