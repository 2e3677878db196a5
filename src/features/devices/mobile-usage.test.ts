import { describe, expect, test } from 'vitest';
import { mobileDays, monthToDate, simsOf, type UsageDay } from './mobile-usage.ts';

const day = (date: string, ...sims: [sim: number, bytes: number][]): UsageDay => ({
  date,
  modems: [{ modem_id: '1', sims: sims.map(([sim_id, bytes]) => ({ sim_id, data: { tx: bytes, rx: 0 } })) }],
});
const DAYS = [day('2026-02-28', [1, 5]), day('2026-03-01', [1, 10], [2, 20], [0, 999]), day('2026-03-03', [2, 7])];

describe('mobile data', () => {
  test('is counted by SIM; what went over cable is left out', () => {
    expect(simsOf(DAYS)).toEqual([1, 2]);
    expect(mobileDays(DAYS).map(({ bytes }) => bytes)).toEqual([5, 30, 7]);
    expect(mobileDays(DAYS, 1).map(({ bytes }) => bytes)).toEqual([5, 10, 0]);
  });

  test('adds up from the day on which the month begins, over days without any', () => {
    expect(monthToDate(DAYS, Date.UTC(2026, 2, 1)).total).toEqual([30, 30, 37]);
    expect(monthToDate([], Date.UTC(2026, 2, 1)).total).toEqual([0]);
  });
});
