import { RULE_MOMENTS } from '../../../schemas/kit/form/rule-parameters.ts';
import type { Row } from '../../db/schema.ts';
import { bandAt } from '../../domain/devices/usual-band.ts';
import { DAY, HOUR, SECOND, wireTime } from '../../kernel/clock.ts';
import { WorkTooLarge } from '../../kernel/errors.ts';
import { conditionsOf } from './branches.ts';
import { emptyState, evaluate } from './engine.ts';
import { isColumn, valuesOf } from './parameters.ts';
import { readHistories, type HistorySource } from './stored-history.ts';
import { bandValues, parametersOf, unusualOf } from './stored-rule.ts';
import type { Evaluated, Rule, Value } from './types.ts';
import type { Point } from './vpn-history.ts';

const DAYS = 30;
const MAX_SHOWN = 200;
/** Of more devices the averages of hours are looked at, not each reading. */
const MAX_FINE_DEVICES = 200;
/** Devices that are read together: of one there may be 300,000 readings. */
const READ_TOGETHER = { fine: 1, byHour: 50 };
/** A rule that looks at itself repeatedly gets no further. */
const MAX_STEPS = 50_000;
/** Conditions that a test may evaluate, over all devices and moments: some 30 s of a processor. */
const MAX_EVALUATIONS = 40_000_000;

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

export type TestedDevice = Pick<Row<'devices'>, 'id' | 'name' | 'timezone'>;
type FoundFiring = Omit<Firing, 'device_id' | 'device_name'>;
type BandFor = (metric: string, hour: number) => ReturnType<typeof bandAt>;

interface Span {
  start: number;
  end: number;
  bandFor?: BandFor | undefined;
  /** Called before each evaluation; may throw. */
  onStep?(): void;
}

/**
 * Evaluates a rule over the history of a device: at each of its points, and when the rule asks to be looked at again, which is what happens live. Gives
 * what would have been acted on from `start` to `end`, the oldest first.
 */
export function* replay(
  rule: Rule,
  device: TestedDevice,
  points: readonly Point[],
  { start, end, bandFor, onStep }: Span,
): Generator<FoundFiring> {
  const isTimed = parametersOf(rule).has('time');
  const unusual = unusualOf(rule);
  const record: Record<string, Value> = {};
  let state = emptyState();
  let dueAt: number | undefined = points.length === 0 ? undefined : start;
  let index = 0;
  for (let steps = 0; steps < MAX_STEPS + points.length; steps += 1) {
    const next = points[index]?.at ?? Number.POSITIVE_INFINITY;
    const at = Math.min(next, dueAt ?? Number.POSITIVE_INFINITY);
    if (at > end) break;
    onStep?.();
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
    if (at >= start) for (const branch of outcome.fired) yield { branch, at: wireTime(at), evaluated: outcome.evaluated };
  }
}

/** The usual bands of each device at any hour, for rules that ask. */
async function readBands(
  { reads, tools }: HistorySource,
  metrics: readonly string[],
  ids: readonly number[],
  start: number,
): Promise<(id: number) => BandFor | undefined> {
  if (metrics.length === 0) return () => undefined;
  const rows = await reads
    .selectFrom('device_hours')
    .select(['device_id', 'metric', 'at', 'total', 'readings'])
    .where('device_id', 'in', tools.idList(ids))
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

/** Keeps the newest of all that is added, so that a rule that acts all the time takes no more memory than one that hardly ever does. */
function newestFirings() {
  let kept: Firing[] = [];
  const cut = (): Firing[] => kept.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MAX_SHOWN);
  return {
    add(firing: Firing): void {
      kept.push(firing);
      if (kept.length > 2 * MAX_SHOWN) kept = cut();
    },
    list: cut,
  };
}

/**
 * How often a rule would have acted on these devices in the last 30 days, and when: the same evaluation as live, over what is kept. Throws WORK_TOO_LARGE when
 * that takes more than `maxEvaluations` conditions.
 */
export async function replayDevices(
  source: HistorySource,
  rule: Rule,
  devices: readonly TestedDevice[],
  maxEvaluations = MAX_EVALUATIONS,
): Promise<BackTest> {
  const end = source.now;
  const start = end - DAYS * DAY;
  const isFine = devices.length <= MAX_FINE_DEVICES;
  const unusual = unusualOf(rule);
  const firings = newestFirings();
  const conditions = conditionsOf(rule.branches).length;
  let [without, count, evaluations] = [0, 0, 0];
  const onStep = (): void => {
    evaluations += conditions;
    if (evaluations > maxEvaluations) throw new WorkTooLarge({});
  };
  const together = isFine ? READ_TOGETHER.fine : READ_TOGETHER.byHour;
  for (let first = 0; first < devices.length; first += together) {
    const part = devices.slice(first, first + together);
    const ids = part.map(({ id }) => id);
    const histories = await readHistories(source, rule, ids, { start, isFine });
    const bandsOf = await readBands(source, unusual, ids, start);
    for (const device of part) {
      const points = histories.get(device.id) ?? [];
      if (points.length === 0) without += 1;
      for (const firing of replay(rule, device, points, { start, end, bandFor: bandsOf(device.id), onStep })) {
        count += 1;
        firings.add({ device_id: device.id, device_name: device.name, ...firing });
      }
    }
  }
  return {
    from: wireTime(Math.floor(start / SECOND) * SECOND),
    devices: devices.length,
    without_history: without,
    count,
    firings: firings.list(),
  };
}
