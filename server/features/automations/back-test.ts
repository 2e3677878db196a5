import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { DAY, HOUR, MINUTE, SECOND, wireTime } from '../../kernel/clock.ts';
import { emptyState, evaluate } from './engine.ts';
import { valuesOf } from './parameters.ts';
import { parametersOf } from './stored-rule.ts';
import type { Evaluated, Rule, Value } from './types.ts';

const DAYS = 30;
const MOST_SHOWN = 200;
const STEP_MS = 5 * MINUTE;

interface Point {
  at: number;
  name: string;
  value: Value;
}

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

type Device = Row<'devices'>;

const STATES = new Set([
  'connection_type',
  'network_state',
  'operator',
  'sim_slot',
  'iccid',
  'wan_state',
  'wan_ip',
  'mobile_ip',
  'firmware',
  'status',
]);

/** What is kept of a device that the rule depends on: each reading of the last days, before that the average of each hour, and texts with the time of each change. */
async function historyOf(ctx: Context, device: Device, names: readonly string[], start: number): Promise<Point[]> {
  const metrics = names.filter((name) => !STATES.has(name));
  const states = names.filter((name) => STATES.has(name));
  const points: Point[] = [];
  const scale = (metric: string, value: number): number => (metric === 'temperature' ? value / 10 : value);
  if (metrics.length > 0) {
    const rawFrom = Math.max(start, ctx.clock.now() - ctx.config.telemetryRawMs);
    const hours = await ctx.reads
      .selectFrom('device_hours')
      .select(['metric', 'at', 'total', 'readings'])
      .where('device_id', '=', device.id)
      .where('metric', 'in', metrics)
      .where('at', '>=', start)
      .where('at', '<', rawFrom)
      .execute();
    for (const { metric, at, total, readings } of hours)
      points.push({ at: Number(at) + HOUR, name: metric, value: scale(metric, total / readings) });
    const samples = await ctx.reads
      .selectFrom('device_samples')
      .select(['metric', 'at', 'value'])
      .where('device_id', '=', device.id)
      .where('metric', 'in', metrics)
      .where('at', '>=', rawFrom)
      .execute();
    for (const { metric, at, value } of samples) points.push({ at: Number(at), name: metric, value: scale(metric, value) });
  }
  if (states.length > 0) {
    const rows = await ctx.reads
      .selectFrom('device_states')
      .select(['name', 'at', 'value'])
      .where('device_id', '=', device.id)
      .where('name', 'in', states)
      .where('at', '>=', start - DAY)
      .execute();
    const wordOf = (name: string, value: string): string => (name === 'status' ? (value === '1' ? 'online' : 'offline') : value);
    for (const { name, at, value } of rows) points.push({ at: Number(at), name, value: wordOf(name, value) });
  }
  return points.sort((a, b) => a.at - b.at);
}

/** Times at which a rule has to be looked at: those of the points, and steps in between where it waits or depends on the time of day. */
function* moments(points: readonly Point[], isTimed: boolean, end: number): Generator<{ at: number; points: Point[] }> {
  let index = 0;
  let at = points[0]?.at ?? end;
  const last = isTimed ? end : Number.NEGATIVE_INFINITY;
  while (index < points.length || at < last) {
    const next = points[index];
    if (isTimed && next && next.at > at + STEP_MS) at += STEP_MS;
    else if (next) ({ at } = next);
    else at += STEP_MS;
    const now: Point[] = [];
    while (index < points.length && (points[index]?.at ?? 0) <= at) {
      const point = points[index];
      if (point) now.push(point);
      index += 1;
    }
    yield { at, points: now };
  }
}

function replay(
  rule: Rule,
  device: Device,
  points: readonly Point[],
  start: number,
  end: number,
): Omit<Firing, 'device_id' | 'device_name'>[] {
  const names = parametersOf(rule);
  const isTimed = names.has('time') || names.has('weekday') || rule.delaySeconds > 0 || rule.cooldownSeconds > 0;
  const known: Record<string, Value> = {};
  const found: Omit<Firing, 'device_id' | 'device_name'>[] = [];
  let state = emptyState();
  for (const { at, points: now } of moments(points, isTimed, end)) {
    for (const { name, value } of now) known[name] = value;
    const clock = valuesOf(['time', 'weekday'], { row: device, readings: new Map(), at });
    const outcome = evaluate(rule, state, { ...known, ...clock }, at, { isReport: now.length > 0 });
    ({ state } = outcome);
    if (at >= start) for (const branch of outcome.fired) found.push({ branch, at: wireTime(at), evaluated: outcome.evaluated });
  }
  return found;
}

/** How often a rule would have acted on these devices in the last 30 days, and when: the same evaluation as live, over what is kept. */
export async function backTest(ctx: Context, rule: Rule, devices: readonly Device[]): Promise<BackTest> {
  const end = ctx.clock.now();
  const start = end - DAYS * DAY;
  const names = [...parametersOf(rule)].filter((name) => name !== 'time' && name !== 'weekday' && name !== 'position');
  const firings: Firing[] = [];
  let without = 0;
  for (const device of devices) {
    const points = await historyOf(ctx, device, names, start);
    if (points.length === 0) without += 1;
    for (const one of replay(rule, device, points, start, end)) firings.push({ device_id: device.id, device_name: device.name, ...one });
    await nextTurn();
  }
  firings.sort((a, b) => (a.at < b.at ? 1 : -1));
  return {
    from: wireTime(Math.floor(start / SECOND) * SECOND),
    devices: devices.length,
    without_history: without,
    count: firings.length,
    firings: firings.slice(0, MOST_SHOWN),
  };
}
