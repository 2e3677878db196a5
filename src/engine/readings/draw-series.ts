import { parseWire } from '../../kernel/time/index.ts';

/** Readings in steps, as `GET /tags/:id/series` and `GET /companies/:id/series` answer them; steps without readings are missing. */
export interface Series {
  start_date: string;
  end_date: string;
  step_seconds: number;
  points: { created_at: string; minimum: number; maximum: number; average: number; devices_count: number }[];
}

export const WIDTH = 600;
export const HEIGHT = 160;

interface Place {
  x: number;
  low: number;
  high: number;
  middle: number;
}

/** The series as points of an SVG of WIDTH by HEIGHT: a band and a line for each stretch without a gap, a dot for a step alone. */
export function drawSeries({ start_date, end_date, step_seconds, points }: Series) {
  const [start, end] = [parseWire(start_date) ?? 0, parseWire(end_date) ?? 0];
  const step = step_seconds * 1000;
  const top = Math.max(...points.map((point) => point.maximum));
  const bottom = Math.min(...points.map((point) => point.minimum));
  const round = (value: number): number => Math.round(value * 10) / 10;
  // Where all readings are the same the line stands in the middle.
  const y = (value: number): number => round(top === bottom ? HEIGHT / 2 : HEIGHT - ((value - bottom) / (top - bottom)) * HEIGHT);
  const stretches: Place[][] = [];
  let former: number | undefined;
  for (const point of points) {
    const at = parseWire(point.created_at) ?? 0;
    if (former === undefined || at - former > step * 1.5) stretches.push([]);
    const x = round(((at + step / 2 - start) / Math.max(end - start, step)) * WIDTH);
    stretches.at(-1)?.push({ x, low: y(point.minimum), high: y(point.maximum), middle: y(point.average) });
    former = at;
  }
  const long = stretches.filter((stretch) => stretch.length > 1);
  return {
    top,
    bottom,
    bands: long.map((stretch) =>
      [...stretch.map(({ x, high }) => `${x},${high}`), ...stretch.toReversed().map(({ x, low }) => `${x},${low}`)].join(' '),
    ),
    lines: long.map((stretch) => stretch.map(({ x, middle }) => `${x},${middle}`).join(' ')),
    dots: stretches.filter((stretch) => stretch.length === 1).flatMap((stretch) => stretch.map(({ x, middle }) => ({ x, y: middle }))),
  };
}
