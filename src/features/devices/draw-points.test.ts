import { expect, test } from 'vitest';
import { comparePoints, drawPoints } from './draw-points.ts';

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

test('two devices are drawn on one line of time; where one has nothing there is a gap in its line alone', () => {
  const drawn = comparePoints([[0, 1, 1, 1], [100, 2, 2, 2]], [[100, 5, 5, 5], [800, 6, 6, 6]], period); // prettier-ignore
  expect(drawn.times).toEqual([0, 50_000, 150_000, 500_000, 850_000, 1_000_000]);
  expect(drawn.first).toEqual([null, 1, 2, null, null, null]);
  expect(drawn.second).toEqual([null, null, 5, null, 6, null]);
});
