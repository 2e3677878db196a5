import { expect, test } from 'vitest';
import { HOUR } from '../../kernel/clock.ts';
import { shiftAt } from './rota.ts';

const schedule = { user_ids: '[11,12,13]', shift_days: 7, starts_on: '2026-11-02', handover_hour: 9, timezone: 'Europe/Oslo' };
const at = (text: string): number => Date.parse(text);

test('people follow each other in their order, from the hour of handover by the clock of the zone', () => {
  const who = (text: string): number | undefined => shiftAt(schedule, at(text))?.userId;
  expect(who('2026-11-02T08:00:00Z')).toBe(11);
  expect(who('2026-11-09T07:59:00Z')).toBe(11);
  expect(who('2026-11-09T08:00:00Z')).toBe(12);
  expect(who('2026-11-23T08:00:00Z')).toBe(11);
  expect(shiftAt(schedule, at('2026-11-09T08:00:00Z'))).toMatchObject({ nextUserId: 13, until: at('2026-11-16T08:00:00Z') });
});

test('before the first day it is the turn of the first person, and the hour of handover follows daylight saving time', () => {
  expect(shiftAt(schedule, at('2026-10-01T00:00:00Z'))?.userId).toBe(11);
  const daily = { ...schedule, shift_days: 1, starts_on: '2026-10-24' };
  const shift = shiftAt(daily, at('2026-10-24T12:00:00Z'));
  expect(shift?.until).toBe(at('2026-10-25T08:00:00Z'));
  expect(shiftAt(daily, at('2026-10-25T08:00:00Z') - HOUR)?.userId).toBe(11);
});

test('a handover in an hour that spring leaves out comes at its end, one in an hour that autumn has twice the first time [CB8]', () => {
  const daily = { ...schedule, shift_days: 1, handover_hour: 2 };
  const spring = { ...daily, starts_on: '2026-03-28' };
  expect(shiftAt(spring, at('2026-03-29T00:59:00Z'))).toMatchObject({ userId: 11, until: at('2026-03-29T01:00:00Z') });
  expect(shiftAt(spring, at('2026-03-29T01:00:00Z'))?.userId).toBe(12);
  const autumn = { ...daily, starts_on: '2026-10-24' };
  expect(shiftAt(autumn, at('2026-10-24T23:59:00Z'))).toMatchObject({ userId: 11, until: at('2026-10-25T00:00:00Z') });
  for (const time of ['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z']) expect(shiftAt(autumn, at(time))?.userId).toBe(12);
});

test('a schedule of nobody is nobody’s turn', () => {
  expect(shiftAt({ ...schedule, user_ids: '[]' }, 0)).toBeUndefined();
});
