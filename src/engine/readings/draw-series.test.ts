import { expect, test } from 'vitest';
import { drawSeries, HEIGHT, type Series } from './draw-series.ts';

const point = (created_at: string, value: number): Series['points'][number] => ({
  created_at,
  minimum: value - 1,
  maximum: value + 1,
  average: value,
  devices_count: 1,
});
const series: Series = {
  start_date: '2026-01-01 00:00:00',
  end_date: '2026-01-01 06:00:00',
  step_seconds: 3600,
  points: [point('2026-01-01 00:00:00', 10), point('2026-01-01 01:00:00', 20), point('2026-01-01 04:00:00', 10)],
};

test('M2 gaps are drawn as gaps: each stretch is a line of its own, a step alone a dot', () => {
  const { lines, bands, dots, top, bottom } = drawSeries(series);
  expect([top, bottom]).toEqual([21, 9]);
  expect(lines).toEqual([`50,${HEIGHT - HEIGHT / 12} 150,${Math.round((HEIGHT / 12) * 10) / 10}`.replace('146.66666666666666', '146.7')]);
  expect(bands).toHaveLength(1);
  expect(dots).toEqual([{ x: 450, y: 146.7 }]);
});

test('readings that are all the same stand in the middle', () => {
  const flat = { ...series, points: [{ ...point('2026-01-01 00:00:00', 5), minimum: 5, maximum: 5 }] };
  expect(drawSeries(flat).dots).toEqual([{ x: 50, y: HEIGHT / 2 }]);
});
