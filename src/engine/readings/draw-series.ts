import { parseWire } from '../../kernel/time/index.ts';

/** Readings in steps, as `GET /tags/:id/series` and `GET /companies/:id/series` answer them; steps without readings are missing. */
export interface Series {
  start_date: string;
  end_date: string;
  step_seconds: number;
  points: { created_at: string; minimum: number; maximum: number; average: number; devices_count: number }[];
}

export interface Drawn {
  /** Milliseconds: the middle of each step, and one of each gap. */
  times: number[];
  minimum: (number | null)[];
  maximum: (number | null)[];
  average: (number | null)[];
}

/** The series as a chart draws it: a gap is a time of its own without values. The whole period is shown, readings or not. */
export function drawSeries({ start_date, end_date, step_seconds, points }: Series): Drawn {
  const drawn: Drawn = { times: [], minimum: [], maximum: [], average: [] };
  const step = step_seconds * 1000;
  const add = (time: number, point?: Series['points'][number]): void => {
    drawn.times.push(time);
    drawn.minimum.push(point?.minimum ?? null);
    drawn.maximum.push(point?.maximum ?? null);
    drawn.average.push(point?.average ?? null);
  };
  let former = parseWire(start_date) ?? 0;
  add(former);
  for (const point of points) {
    const at = (parseWire(point.created_at) ?? 0) + step / 2;
    if (at - former > step * 1.5) add((former + at) / 2);
    add(at, point);
    former = at;
  }
  const end = parseWire(end_date) ?? 0;
  if (end > former) add(end);
  return drawn;
}
