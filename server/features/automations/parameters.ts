import type { Row } from '../../db/schema.ts';
import { aheadOfUtc } from '../../kernel/plans/next-time.ts';
import { WEEKDAYS } from '../../kernel/windows/opening.ts';
import { DAY } from '../../kernel/clock.ts';
import type { Operator, Value, Values } from './types.ts';

export type ParameterType = 'number' | 'text' | 'choice' | 'time' | 'place';

export interface Parameter {
  name: string;
  type: ParameterType;
  /** What a choice may be. */
  values?: readonly string[];
}

type DeviceRow = Row<'devices'>;

const NUMBERS = [
  'signal',
  'rsrp',
  'rsrq',
  'sinr',
  'temperature',
  'router_uptime',
  'load1',
  'mem_available_kb',
  'sent',
  'received',
] as const;
const TEXTS = ['operator', 'sim_slot', 'iccid', 'wan_ip', 'mobile_ip', 'firmware', 'hostname'] as const;
const CHOICES = {
  status: ['online', 'offline'],
  connection_type: ['5G', 'LTE', '3G', '2G'],
  network_state: ['Home', 'Roaming'],
  wan_state: ['Mobile', 'Wired', 'WiFi'],
} as const;

/** What conditions may speak of, beside any metric that devices send by themselves. */
export const PARAMETERS: readonly Parameter[] = [
  { name: 'status', type: 'choice', values: CHOICES.status },
  ...NUMBERS.map((name) => ({ name, type: 'number' as const })),
  { name: 'satellites', type: 'number' },
  { name: 'speed', type: 'number' },
  { name: 'connection_type', type: 'choice', values: CHOICES.connection_type },
  { name: 'network_state', type: 'choice', values: CHOICES.network_state },
  { name: 'wan_state', type: 'choice', values: CHOICES.wan_state },
  ...TEXTS.map((name) => ({ name, type: 'text' as const })),
  { name: 'time', type: 'time' },
  { name: 'weekday', type: 'choice', values: WEEKDAYS },
  { name: 'position', type: 'place' },
];

const byName = new Map(PARAMETERS.map((parameter) => [parameter.name, parameter]));
/** Readings that devices send under names of their own: `pin_din1`. */
const OWN_METRIC = /^[a-z][a-z0-9_]{0,47}$/;

/** The parameter of a name; readings of devices' own are numbers. undefined: nothing can be called so. */
export function parameterOf(name: string): Parameter | undefined {
  return byName.get(name) ?? (OWN_METRIC.test(name) ? { name, type: 'number' } : undefined);
}

const OPERATORS_OF: Record<ParameterType, readonly Operator[]> = {
  number: ['==', '!=', '>', '>=', '<', '<=', 'between', 'changed', 'changed_by'],
  text: ['==', '!=', 'contains', 'in', 'changed'],
  choice: ['==', '!=', 'in', 'changed'],
  time: ['between'],
  place: ['inside', 'outside'],
};

export const operatorsOf = (type: ParameterType): readonly Operator[] => OPERATORS_OF[type];

/** Whether a parameter is read from the device's record, so that its value is known at any time. */
export const isColumn = (name: string): boolean => byName.has(name) && name !== 'satellites' && name !== 'speed' && name !== 'position';

export interface Seen {
  row: Pick<
    DeviceRow,
    (typeof NUMBERS)[number] | (typeof TEXTS)[number] | 'status' | 'connection_type' | 'network_state' | 'wan_state' | 'timezone'
  >;
  /** Readings of this report that the record does not hold. */
  readings: ReadonlyMap<string, Value>;
  at: number;
}

function localTime({ row, at }: Seen): { time: string; weekday: string } {
  const local = at + aheadOfUtc(row.timezone ?? 'UTC', at);
  const weekday = WEEKDAYS[(new Date(Math.floor(local / DAY) * DAY).getUTCDay() + 6) % 7] ?? 'mon';
  return { time: new Date(local).toISOString().slice(11, 16), weekday };
}

/** The values of these parameters on a device. Temperatures are in degrees, as everywhere that people see them. */
export function valuesOf(names: Iterable<string>, seen: Seen): Values {
  const values: Record<string, Value | undefined> = {};
  for (const name of names) values[name] = valueOf(name, seen);
  return values;
}

function valueOf(name: string, seen: Seen): Value | undefined {
  const { row, readings } = seen;
  if (name === 'status') return row.status === 1 ? 'online' : row.status === 0 ? 'offline' : undefined;
  if (name === 'temperature') return row.temperature === null ? undefined : row.temperature / 10;
  if (name === 'time' || name === 'weekday') return localTime(seen)[name];
  if (name === 'sim_slot') return row.sim_slot === null ? undefined : String(row.sim_slot);
  if (isColumn(name)) return (row[name as (typeof NUMBERS)[number]] as Value | null) ?? undefined;
  return readings.get(name);
}
