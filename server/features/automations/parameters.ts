import type { Row } from '../../db/schema.ts';
import type { DeviceNews } from '../../domain/devices/watchers.ts';
import { aheadOfUtc } from '../../../schemas/kit/time/wall-clock.ts';
import { RULE_MOMENTS, RULE_PARAMETERS, SIM_LIMIT_USED, VPN_CONNECTED, WEEKDAYS } from '../../../schemas/kit/form/rule-parameters.ts';
import { DAY } from '../../kernel/clock.ts';
import type { Value, Values } from './types.ts';

type DeviceRow = Row<'devices'>;

const names = new Set(RULE_PARAMETERS.map(({ name }) => name));
const NOT_IN_THE_RECORD = new Set([
  ...['satellites', 'speed', 'position', 'time', 'weekday', 'data_day', 'data_week', 'data_month'],
  ...['wireless_clients', 'hotspot_users', SIM_LIMIT_USED, VPN_CONNECTED],
  ...RULE_MOMENTS,
]);

/** Whether a parameter is read from the device's record, so that its value is known at any time. */
export const isColumn = (name: string): boolean => names.has(name) && !NOT_IN_THE_RECORD.has(name);

export interface Seen {
  row: DeviceRow;
  at: number;
}

function localTime({ row, at }: Seen): { time: string; weekday: string } {
  const local = at + aheadOfUtc(row.timezone ?? 'UTC', at);
  const weekday = WEEKDAYS[(new Date(Math.floor(local / DAY) * DAY).getUTCDay() + 6) % 7] ?? 'mon';
  return { time: new Date(local).toISOString().slice(11, 16), weekday };
}

/** The values of these parameters in the record of a device. Temperatures are in degrees, as everywhere that people see them. */
export function valuesOf(names: Iterable<string>, seen: Seen): Values {
  const values: Record<string, Value | undefined> = {};
  for (const name of names) values[name] = valueOf(name, seen);
  return values;
}

function readColumn(row: DeviceRow, name: string): Value | undefined {
  const value: unknown = Reflect.get(row, name);
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}

function valueOf(name: string, seen: Seen): Value | undefined {
  const { row } = seen;
  if (name === 'status') return row.status === 1 ? 'online' : row.status === 0 ? 'offline' : undefined;
  if (name === 'temperature') return row.temperature === null ? undefined : row.temperature / 10;
  if (name === 'time' || name === 'weekday') return localTime(seen)[name];
  if (RULE_MOMENTS.has(name)) return '';
  if (name === 'sim_slot') return row.sim_slot === null ? undefined : String(row.sim_slot);
  return isColumn(name) ? readColumn(row, name) : undefined;
}

/** The events of a report as rules read them; nothing of a report without any. */
export function momentsOf({ events = [] }: Pick<DeviceNews, 'events'>): Values {
  if (events.length === 0) return {};
  const text = (event: { message?: string }): string => (event.message ?? '').replaceAll('\n', ' ');
  return { event: events.map(({ type }) => type).join('\n'), event_text: events.map(text).join('\n') };
}
