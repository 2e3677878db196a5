import { beforeAll, expect, test } from 'vitest';
import { startI18n } from '../i18n/index.ts';
import { DAY, formatTime, formatUtc, HOUR, isTimezone, MINUTE, parseLocal, parseWire, SECOND, toWire } from './index.ts';
import { formatAge } from './relative.ts';

beforeAll(() => startI18n('en'));
const at = Date.UTC(2026, 10, 21, 9, 41, 0);

test('a wire time is UTC, there and back', () => {
  expect(parseWire('2026-11-21 09:41:00')).toBe(at);
  expect(parseWire('2026-11-21T09:41:00.000Z')).toBe(at);
  expect(toWire(at)).toBe('2026-11-21 09:41:00');
});

test.each([null, undefined, '', 'now', '2026-11-21', '2026-13-41 09:41:00', '21.11.2026 09:41:00'])('%j is no wire time', (value) => {
  expect(parseWire(value)).toBeUndefined();
});

test('a time is shown in the zone, over both changes of the clock', () => {
  expect(formatTime(at, undefined, 'Europe/Oslo')).toBe('2026-11-21 10:41:00');
  expect(formatTime(Date.UTC(2026, 2, 29, 0, 59), undefined, 'Europe/Oslo')).toBe('2026-03-29 01:59:00');
  expect(formatTime(Date.UTC(2026, 2, 29, 1, 0), undefined, 'Europe/Oslo')).toBe('2026-03-29 03:00:00');
  expect(formatTime(Date.UTC(2026, 9, 25, 1, 0), undefined, 'Europe/Oslo')).toBe('2026-10-25 02:00:00');
  expect(formatUtc(at)).toBe('2026-11-21 09:41:00');
});

test.each([
  ['2026-11-21T10:41', 'Europe/Oslo', '2026-11-21 09:41:00'],
  ['2026-03-29T02:30', 'Europe/Oslo', '2026-03-29 01:00:00'],
  ['2026-10-25T02:30:15', 'Europe/Oslo', '2026-10-25 00:30:15'],
  ['2026-13-41T00:00', 'Europe/Oslo', undefined],
])('%s entered in %s is %s: clocks change by the one rule [CB8]', (text, zone, utc) => {
  const time = parseLocal(text, zone);
  expect(time === undefined ? undefined : formatUtc(time)).toBe(utc);
});

test('a zone that the browser does not know is none', () => {
  expect([isTimezone('Asia/Tokyo'), isTimezone('Mars/Olympus')]).toEqual([true, false]);
});

test.each([
  [0, 'now'],
  [44 * SECOND, 'now'],
  [50 * SECOND, '50 s'],
  [5 * MINUTE, '5 min'],
  [60 * MINUTE, '1 h'],
  [47 * HOUR, '47 h'],
  [4 * DAY, '4 d'],
  [3 * 365 * DAY, '3 y'],
  [-2 * HOUR, 'in 2 h'],
])('%d ms ago is said as %s', (age, words) => {
  expect(formatAge(at - age, at)).toBe(words);
});
