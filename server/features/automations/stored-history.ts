import { RULE_EVENTS, RULE_MOMENTS, VPN_CONNECTED } from '../../../schemas/kit/form/rule-parameters.ts';
import { changedSince } from '../../domain/devices/changed-since.ts';
import type { OwnReads } from '../../kernel/db/database.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { meets } from './compare.ts';
import { conditionsOf } from './branches.ts';
import type { Condition, Rule } from './types.ts';
import { readVpnHistory, type Point } from './vpn-history.ts';

const STATES: ReadonlySet<string> = new Set([
  'connection_type',
  'network_state',
  'operator',
  'sim_slot',
  'iccid',
  'wan_state',
  'wan_ip',
  'mobile_ip',
  'firmware',
  'hostname',
  'status',
]);
/** They are read by their outcome alone, so a time in which it does not change is as good as one reading of it. */
const BY_OUTCOME: ReadonlySet<string> = new Set(['==', '!=', '>', '>=', '<', '<=', 'between']);

const scaled = (metric: string, value: number): number => (metric === 'temperature' ? value / 10 : value);
const wordOf = (name: string, value: string): string => (name === 'status' ? (value === '1' ? 'online' : 'offline') : value);

/** The database as a helper process reads it, at a moment (Unix milliseconds). */
export interface HistorySource extends OwnReads {
  now: number;
  /** How long single readings are kept. */
  telemetryRawMs: number;
}

type Histories = Map<number, Point[]>;

function add(histories: Histories, deviceId: number, point: Point): void {
  const own = histories.get(deviceId);
  if (own) own.push(point);
  else histories.set(deviceId, [point]);
}

async function addStates(
  source: HistorySource,
  histories: Histories,
  ids: readonly number[],
  names: readonly string[],
  start: number,
): Promise<void> {
  if (names.length === 0) return;
  const rows = await source.reads
    .selectFrom('device_states')
    .select(['device_id', 'name', 'at', 'value'])
    .where('device_id', 'in', source.tools.idList(ids))
    .where('name', 'in', names)
    .where(changedSince(start))
    .execute();
  for (const { device_id, name, at, value } of rows) add(histories, device_id, { at: Number(at), name, value: wordOf(name, value) });
}

async function addPositions(source: HistorySource, histories: Histories, ids: readonly number[], start: number): Promise<void> {
  const rows = await source.reads
    .selectFrom('device_positions')
    .select(['device_id', 'at', 'latitude', 'longitude'])
    .where('device_id', 'in', source.tools.idList(ids))
    .where('at', '>=', start)
    .execute();
  for (const { device_id, at, latitude, longitude } of rows)
    add(histories, device_id, { at: Number(at), name: 'position', value: `${latitude},${longitude}` });
}

/** What happened while a device was with the company that it is with now. */
async function addEvents(source: HistorySource, histories: Histories, ids: readonly number[], start: number): Promise<void> {
  const rows = await source.reads
    .selectFrom('device_events')
    .innerJoin('devices', 'devices.id', 'device_events.device_id')
    .select(['device_events.device_id', 'device_events.at', 'device_events.type', 'device_events.message'])
    .where('device_events.device_id', 'in', source.tools.idList(ids))
    .whereRef('device_events.company_id', '=', 'devices.company_id')
    .where('device_events.type', 'in', RULE_EVENTS)
    .where('device_events.at', '>=', start)
    .orderBy('device_events.id')
    .execute();
  for (const { device_id, at, type, message } of rows) {
    add(histories, device_id, { at: Number(at), name: 'event', value: type });
    add(histories, device_id, { at: Number(at), name: 'event_text', value: message.replaceAll('\n', ' ') });
  }
}

/** Each reading since `from`. */
async function addReadings(
  source: HistorySource,
  histories: Histories,
  ids: readonly number[],
  metrics: readonly string[],
  from: number,
): Promise<void> {
  const rows = await source.reads
    .selectFrom('device_samples')
    .select(['device_id', 'metric', 'at', 'value'])
    .where('device_id', 'in', source.tools.idList(ids))
    .where('metric', 'in', metrics)
    .where('at', '>=', from)
    .execute();
  for (const { device_id, metric, at, value } of rows)
    add(histories, device_id, { at: Number(at), name: metric, value: scaled(metric, value) });
}

interface Span {
  from: number;
  to: number;
}

/** The average of each hour, known at its end. */
async function addHours(
  source: HistorySource,
  histories: Histories,
  ids: readonly number[],
  metrics: readonly string[],
  { from, to }: Span,
): Promise<void> {
  const rows = await source.reads
    .selectFrom('device_hours')
    .select(['device_id', 'metric', 'at', 'total', 'readings'])
    .where('device_id', 'in', source.tools.idList(ids))
    .where('metric', 'in', metrics)
    .where('at', '>=', from)
    .where('at', '<', to)
    .execute();
  for (const { device_id, metric, at, total, readings } of rows)
    add(histories, device_id, { at: Number(at) + HOUR, name: metric, value: scaled(metric, total / readings) });
}

/** Whether no reading of a day can have another outcome than its average. */
function isSettled(conditions: readonly Condition[], lowest: number, highest: number): boolean {
  return conditions.every((condition) => {
    const isRange = condition.operator === 'between' || condition.operator === '==' || condition.operator === '!=';
    return (
      meets(lowest, condition) === meets(highest, condition) && (!isRange || lowest === highest || isOutside(condition, lowest, highest))
    );
  });
}

function isOutside({ value = '' }: Condition, lowest: number, highest: number): boolean {
  const numbers = (value.match(/-?[\d.]+(?=\s*(?:\.\.|-|$))/g) ?? []).map(Number);
  return highest < Math.min(...numbers) || lowest > Math.max(...numbers);
}

/**
 * Hours of many devices: where all of a day has one outcome for every condition, one point says so, and only the other days are read by the hour. So a
 * month of 10,000 devices is some 300,000 days instead of seven million hours.
 */
async function addDays(
  source: HistorySource,
  histories: Histories,
  ids: readonly number[],
  { rule, metrics, from, to }: { rule: Rule; metrics: readonly string[] } & Span,
): Promise<void> {
  const conditions = conditionsOf(rule.branches);
  const rows = await source.reads
    .selectFrom('device_days')
    .select(['device_id', 'metric', 'at', 'lowest', 'highest', 'total', 'readings'])
    .where('device_id', 'in', source.tools.idList(ids))
    .where('metric', 'in', metrics)
    .where('at', '>=', from - (from % DAY))
    .where('at', '<', to)
    .execute();
  const open = new Map<number, Set<number>>();
  for (const { device_id, metric, at, lowest, highest, total, readings } of rows) {
    const own = conditions.filter(({ parameter }) => parameter === metric);
    const day = Number(at);
    if (isSettled(own, scaled(metric, lowest), scaled(metric, highest)))
      add(histories, device_id, { at: day + HOUR, name: metric, value: scaled(metric, total / readings) });
    else open.set(day, (open.get(day) ?? new Set()).add(device_id));
  }
  for (const [day, devices] of open) await addHours(source, histories, [...devices], metrics, { from: day, to: day + DAY });
}

/**
 * What is kept of devices that a rule depends on, by device, the oldest first: states by the moment of each change; of up to 200 devices each reading of
 * the last days and before that the average of each hour, of more devices the averages alone.
 */
export async function readHistories(
  source: HistorySource,
  rule: Rule,
  ids: readonly number[],
  { start, isFine }: { start: number; isFine: boolean },
): Promise<Histories> {
  const conditions = conditionsOf(rule.branches);
  const names = [...new Set(conditions.map(({ parameter }) => parameter))].filter((name) => name !== 'time' && name !== 'weekday');
  const metrics = names.filter((name) => !STATES.has(name) && !RULE_MOMENTS.has(name) && name !== 'position' && name !== VPN_CONNECTED);
  const end = source.now;
  const histories: Histories = new Map();
  await addStates(
    source,
    histories,
    ids,
    names.filter((name) => STATES.has(name)),
    start,
  );
  if (names.some((name) => RULE_MOMENTS.has(name))) await addEvents(source, histories, ids, start);
  if (names.includes('position')) await addPositions(source, histories, ids, start);
  if (names.includes(VPN_CONNECTED))
    for (const { deviceId, point } of await readVpnHistory(source, ids, start)) add(histories, deviceId, point);
  if (metrics.length > 0) {
    const rawFrom = isFine ? Math.max(start, end - source.telemetryRawMs) : end;
    const isByOutcome = rule.delayCount <= 1 && conditions.every(({ operator, of }) => of === undefined && BY_OUTCOME.has(operator));
    if (!isFine && isByOutcome) await addDays(source, histories, ids, { rule, metrics, from: start, to: end });
    else if (rawFrom > start) await addHours(source, histories, ids, metrics, { from: start, to: rawFrom - (rawFrom % HOUR) });
    if (isFine) await addReadings(source, histories, ids, metrics, rawFrom);
  }
  for (const points of histories.values()) points.sort((a, b) => a.at - b.at);
  return histories;
}
