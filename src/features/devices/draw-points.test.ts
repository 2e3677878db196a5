import { expect, test } from 'vitest';
import { drawPoints } from './draw-points.ts';

const period = { start: 0, end: 1000, step_seconds: 100 };

test('the whole period is drawn, and what lies between two readings that are far apart is a gap', () => {
  const { times, average } = drawPoints(
    [
      [100, 5, 4, 6],
      [200, 7, 7, 7],
      [700, 9, 8, 10],
    ],
    period,
  );
  expect(times).toEqual([0, 150_000, 250_000, 500_000, 750_000, 1_000_000]);
  expect(average).toEqual([null, 5, 7, null, 9, null]);
});

test('times rise, also when the first step began before the period', () => {
  const { times } = drawPoints([[-100, 1, 1, 1]], { ...period, start: 0 });
  expect(times).toEqual([0, 1000, 1_000_000]);
});
