import { describe, expect, test } from 'vitest';
import { mobileDays, monthToDate, simsOf, type UsageDay } from './mobile-usage.ts';

const day = (date: string, ...sims: [sim: number, bytes: number][]): UsageDay => ({
  date,
  modems: [{ modem_id: '1', sims: sims.map(([sim_id, bytes]) => ({ sim_id, data: { tx: bytes, rx: 0 } })) }],
});
const DAYS = [day('2026-02-28', [1, 5]), day('2026-03-01', [1, 10], [2, 20], [0, 999]), day('2026-03-03', [2, 7])];

describe('mobile data', () => {
  test('is counted by SIM; what went over cable is left out', () => {
    expect(simsOf(DAYS)).toEqual([
      { modem: '1', slot: 1 },
      { modem: '1', slot: 2 },
    ]);
    expect(mobileDays(DAYS).map(({ bytes }) => bytes)).toEqual([5, 30, 7]);
    expect(mobileDays(DAYS, { modem: '1', slot: 1 }).map(({ bytes }) => bytes)).toEqual([5, 10, 0]);
  });

  test('over a second modem is beside that over the first one with a SIM of the same number', () => {
    const data = { tx: 1, rx: 2 };
    const days = [{ date: '2026-03-01', modems: [1, 2].map((modem) => ({ modem_id: String(modem), sims: [{ sim_id: 1, data }] })) }];
    expect(simsOf(days)).toEqual([
      { modem: '1', slot: 1 },
      { modem: '2', slot: 1 },
    ]);
    expect(mobileDays(days, { modem: '2', slot: 1 })).toEqual([{ date: '2026-03-01', bytes: 3 }]);
    expect(mobileDays(days)).toEqual([{ date: '2026-03-01', bytes: 6 }]);
  });

  test('adds up from the day on which the month begins, over days without any', () => {
    expect(monthToDate(DAYS, Date.UTC(2026, 2, 1)).total).toEqual([30, 30, 37]);
    expect(monthToDate([], Date.UTC(2026, 2, 1)).total).toEqual([0]);
  });
});
