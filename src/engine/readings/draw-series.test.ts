import { expect, test } from 'vitest';
import { drawSeries, type Series } from './draw-series.ts';

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

test('gaps are drawn as gaps: steps without readings have a time without values, and the whole period is shown [M2]', () => {
  const { times, average, minimum, maximum } = drawSeries(series);
  const hours = times.map((time) => (time - Date.UTC(2026, 0, 1)) / 3_600_000);
  expect(hours).toEqual([0, 0.5, 1.5, 3, 4.5, 6]);
  expect(average).toEqual([null, 10, 20, null, 10, null]);
  expect([minimum[2], maximum[2]]).toEqual([19, 21]);
});
