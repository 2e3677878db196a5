import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { RULE_MOMENTS } from '../../../schemas/kit/form/rule-parameters.ts';
import { DAY, HOUR, SECOND, wireTime } from '../../kernel/clock.ts';
import { bandAt } from '../../domain/devices/usual-band.ts';
import { emptyState, evaluate } from './engine.ts';
import { isColumn, valuesOf } from './parameters.ts';
import { readHistories } from './stored-history.ts';
import { type Point } from './vpn-history.ts';
import { bandValues, parametersOf, unusualOf } from './stored-rule.ts';
import type { Evaluated, Rule, Value } from './types.ts';

const DAYS = 30;
const MOST_SHOWN = 200;
/** Of more devices the averages of hours are looked at, not each reading. */
const MOST_FINE = 200;
/** What is read and looked at between two turns of the event loop: some 40,000 values each, at a reading a minute. */
const AT_ONCE = { fine: 4, byHour: 50 };
/** A rule that looks at itself repeatedly gets no further. */
const MOST_STEPS = 50_000;

/** A time at which a rule would have acted. */
export interface Firing {
  device_id: number;
  device_name: string;
  branch: string;
  at: string;
  evaluated: Evaluated[];
}

export interface BackTest {
  /** Since when, on the wire. */
  from: string;
  devices: number;
  /** Devices of which nothing is kept that the rule depends on. */
  without_history: number;
  count: number;
  /** The newest first, at most 200. */
  firings: Firing[];
}

type Device = Pick<Row<'devices'>, 'id' | 'name' | 'timezone'>;
type Found = Omit<Firing, 'device_id' | 'device_name'>;
type BandFor = (metric: string, hour: number) => ReturnType<typeof bandAt>;

/**
 * Evaluates a rule over the history of a device: at each of its points, and when the rule asks to be looked at again, which is what happens live. Answers
 * what would have been acted on from `start` to `end`.
 */
export function replay(
  rule: Rule,
  device: Device,
  points: readonly Point[],
  { start, end, bandFor }: { start: number; end: number; bandFor?: BandFor },
): Found[] {
  const isTimed = parametersOf(rule).has('time');
  const unusual = unusualOf(rule);
  const record: Record<string, Value> = {};
  const found: Found[] = [];
  let state = emptyState();
  let dueAt: number | undefined = points.length === 0 ? undefined : start;
  let index = 0;
  for (let steps = 0; steps < MOST_STEPS + points.length; steps += 1) {
    const next = points[index]?.at ?? Number.POSITIVE_INFINITY;
    const at = Math.min(next, dueAt ?? Number.POSITIVE_INFINITY);
    if (at > end) break;
    const readings = new Map<string, Value>();
    const fresh = new Set<string>();
    const moments: Record<string, string> = Object.fromEntries([...RULE_MOMENTS].map((name) => [name, '']));
    for (let point = points[index]; point !== undefined && point.at <= at; point = points[index]) {
      const before = moments[point.name];
      if (before !== undefined) moments[point.name] = before === '' ? String(point.value) : `${before}\n${String(point.value)}`;
      else if (isColumn(point.name)) record[point.name] = point.value;
      else readings.set(point.name, point.value);
      fresh.add(point.name);
      index += 1;
    }
    const isReport = next <= at;
    const clock = isTimed ? valuesOf(['time', 'weekday'], { row: device as Row<'devices'>, at }) : {};
    const bands = bandFor ? bandValues(unusual, (metric) => bandFor(metric, at - (at % HOUR))) : {};
    const outcome = evaluate(rule, state, { ...record, ...clock, ...bands, ...moments }, at, { isReport, readings, fresh });
    ({ state, dueAt } = outcome);
    if (at >= start) for (const branch of outcome.fired) found.push({ branch, at: wireTime(at), evaluated: outcome.evaluated });
  }
  return found;
}

/** The usual bands of each device at any hour, for rules that ask. */
async function readBands(
  ctx: Context,
  metrics: readonly string[],
  ids: readonly number[],
  start: number,
): Promise<(id: number) => BandFor | undefined> {
  if (metrics.length === 0) return () => undefined;
  const rows = await ctx.reads
    .selectFrom('device_hours')
    .select(['device_id', 'metric', 'at', 'total', 'readings'])
    .where('device_id', 'in', ctx.database.tools.idList(ids))
    .where('metric', 'in', metrics)
    .where('at', '>=', start - 29 * DAY)
    .execute();
  const averages = new Map<string, Map<number, number>>();
  for (const { device_id, metric, at, total, readings } of rows) {
    const key = `${device_id} ${metric}`;
    averages.set(key, (averages.get(key) ?? new Map<number, number>()).set(Number(at), total / readings));
  }
  return (id) => (metric, hour) => bandAt(averages.get(`${id} ${metric}`) ?? new Map(), hour);
}

/** How often a rule would have acted on these devices in the last 30 days, and when: the same evaluation as live, over what is kept. */
export async function backTest(ctx: Context, rule: Rule, devices: readonly Device[]): Promise<BackTest> {
  const end = ctx.clock.now();
  const start = end - DAYS * DAY;
  const isFine = devices.length <= MOST_FINE;
  const unusual = unusualOf(rule);
  let firings: Firing[] = [];
  let [without, count] = [0, 0];
  const atOnce = isFine ? AT_ONCE.fine : AT_ONCE.byHour;
  for (let first = 0; first < devices.length; first += atOnce) {
    const some = devices.slice(first, first + atOnce);
    const ids = some.map(({ id }) => id);
    const histories = await readHistories(ctx, rule, ids, { start, isFine });
    const bandsOf = await readBands(ctx, unusual, ids, start);
    for (const device of some) {
      const points = histories.get(device.id) ?? [];
      if (points.length === 0) without += 1;
      const bandFor = bandsOf(device.id);
      const found = replay(rule, device, points, { start, end, ...(bandFor ? { bandFor } : {}) });
      count += found.length;
      for (const one of found) firings.push({ device_id: device.id, device_name: device.name, ...one });
    }
    if (firings.length > MOST_SHOWN) firings = firings.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST_SHOWN);
    await nextTurn();
  }
  return {
    from: wireTime(Math.floor(start / SECOND) * SECOND),
    devices: devices.length,
    without_history: without,
    count,
    firings: firings.toSorted((a, b) => (a.at < b.at ? 1 : -1)),
  };
}
