import { SECOND } from '../../kernel/time/index.ts';

/** `[Unix seconds, average, lowest, highest]` of each step; steps without readings are missing. Edges of a band may be unknown. */
export type Points = [number, number, number | null, number | null][];

const HOUR_SECONDS = 3600;

/** Points with what is usual at their hour as the edges, in place of the lowest and the highest reading. */
export function withUsual(points: Points, band: readonly [number, number, number][]): Points {
  const edges = new Map(band.map(([at, low, high]) => [at, [low, high] as const]));
  return points.map(([at, average]) => {
    const [low = null, high = null] = edges.get(at - (at % HOUR_SECONDS)) ?? [];
    return [at, average, low, high];
  });
}

export interface DrawnPoints {
  /** Milliseconds; a gap is a time of its own without values. */
  times: number[];
  average: (number | null)[];
  lowest: (number | null)[];
  highest: (number | null)[];
}

/** Two devices' points on one line of time: the average of each step, null where one of them has none. */
export function comparePoints(
  first: Points,
  second: Points,
  { start, end, step_seconds: step }: { start: number; end: number; step_seconds: number },
): { times: number[]; first: (number | null)[]; second: (number | null)[] } {
  const [one, other] = [first, second].map((points) => new Map(points.map(([at, average]) => [at, average])));
  const steps = [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])].toSorted((a, b) => a - b);
  const joined = { times: [start * SECOND], first: [null] as (number | null)[], second: [null] as (number | null)[] };
  let former = start;
  const add = (at: number, a: number | null, b: number | null): void => {
    joined.times.push(at * SECOND);
    joined.first.push(a);
    joined.second.push(b);
  };
  for (const of of steps) {
    const at = Math.max(of + step / 2, former + 1);
    if (at - former > step * 1.5) add((former + at) / 2, null, null);
    add(at, one?.get(of) ?? null, other?.get(of) ?? null);
    former = at;
  }
  if (end > former) add(end, null, null);
  return joined;
}

/** Points as a chart draws them. The whole period is shown, readings or not. */
export function drawPoints(
  points: Points,
  { start, end, step_seconds: step }: { start: number; end: number; step_seconds: number },
): DrawnPoints {
  const drawn: DrawnPoints = { times: [], average: [], lowest: [], highest: [] };
  const add = (at: number, values?: [number, number | null, number | null]): void => {
    drawn.times.push(at * SECOND);
    drawn.average.push(values?.[0] ?? null);
    drawn.lowest.push(values?.[1] ?? null);
    drawn.highest.push(values?.[2] ?? null);
  };
  let former = start;
  add(start);
  for (const [step_start, ...values] of points) {
    const at = Math.max(step_start + step / 2, former + 1);
    if (at - former > step * 1.5) add((former + at) / 2);
    add(at, values);
    former = at;
  }
  if (end > former) add(end);
  return drawn;
}
