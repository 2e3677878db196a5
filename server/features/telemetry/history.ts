import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';

/** Texts that are kept where they change. */
const TEXTS = [
  'firmware',
  'sim_slot',
  'network_state',
  'mobile_ip',
  'operator',
  'connection_type',
  'wan_state',
  'wan_ip',
  'iccid',
  'operator_number',
  'cell_id',
  'lac',
] as const;
const NUMBERS = ['signal', 'temperature', 'sent', 'received', 'router_uptime'] as const;
/** Parts of `operator_number`. */
const NETWORK = ['mcc', 'mnc'] as const;
/** Documented names that no device of ours reports yet; their value is null and they never change. */
const UNREPORTED = ['sim_state', 'pin_state', 'connection_state', 'connection_uptime'] as const;
const TRAFFIC = ['rx_day', 'rx_week', 'rx_month', 'tx_day', 'tx_week', 'tx_month'] as const;

/** The parameters whose past can be asked for. */
export const PARAMETERS = [...TEXTS, ...NUMBERS, ...NETWORK, ...UNREPORTED, ...TRAFFIC, 'period'] as const;
export type Parameter = (typeof PARAMETERS)[number];

/** So far back changes are listed. */
const LISTED_MS = 30 * DAY;
const MOST_CHANGES = 1000;

type Device = Pick<Row<'devices'>, 'id'>;

async function textsAt(ctx: Context, device: Device, at: number): Promise<Map<string, string>> {
  const rows = await ctx.reads
    .selectFrom('device_states')
    .select(['name', 'value'])
    .where('device_id', '=', device.id)
    .where('name', 'in', TEXTS)
    .where('at', '<=', at)
    .orderBy('at')
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

async function numberAt(ctx: Context, device: Device, metric: string, at: number): Promise<number | null> {
  const row = await ctx.reads
    .selectFrom('device_samples')
    .select('value')
    .where('device_id', '=', device.id)
    .where('metric', '=', metric)
    .where('at', '<=', at)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? Math.round(row.value) : null;
}

/** Bytes of the day, the seven days and the thirty days (UTC) that end with the day of `at`. */
async function trafficAt(ctx: Context, device: Device, at: number): Promise<Record<(typeof TRAFFIC)[number], string>> {
  const today = at - (at % DAY);
  const rows = await ctx.reads
    .selectFrom('device_traffic')
    .select(['day', 'sent', 'received'])
    .where('device_id', '=', device.id)
    .where('day', '>', today - 30 * DAY)
    .where('day', '<=', today)
    .execute();
  const sum = (days: number, key: 'sent' | 'received') =>
    String(rows.filter(({ day }) => day > today - days * DAY).reduce((total, row) => total + row[key], 0));
  return {
    rx_day: sum(1, 'received'),
    rx_week: sum(7, 'received'),
    rx_month: sum(30, 'received'),
    tx_day: sum(1, 'sent'),
    tx_week: sum(7, 'sent'),
    tx_month: sum(30, 'sent'),
  };
}

/** What a device had reported by a past moment (Unix ms), as the public API has it. The caller has checked that the actor sees the device. */
export async function readMoment(ctx: Context, device: Device, at: number): Promise<Record<string, string | number | null>> {
  const texts = await textsAt(ctx, device, at);
  const numbers = await Promise.all(NUMBERS.map(async (metric) => [metric, await numberAt(ctx, device, metric, at)] as const));
  const slot = texts.get('sim_slot');
  const plmn = texts.get('operator_number');
  return {
    device_id: device.id,
    ...Object.fromEntries(TEXTS.map((name) => [name, texts.get(name) ?? null])),
    sim_slot: slot === undefined ? null : Number(slot),
    ...Object.fromEntries(numbers),
    mcc: plmn?.slice(0, 3) ?? null,
    mnc: plmn?.slice(3) ?? null,
    ...Object.fromEntries(UNREPORTED.map((name) => [name, null])),
    ...(await trafficAt(ctx, device, at)),
  };
}

interface Wanted {
  /** Without one any text. */
  parameter: Parameter | undefined;
  /** Unix ms. */
  until: number;
}

/** When a parameter changed in the 30 days up to a moment, newest first, at most 1,000 times. */
export async function readChanges(ctx: Context, device: Device, { parameter, until }: Wanted): Promise<{ created_at: string }[]> {
  const kept = NETWORK.some((name) => name === parameter) ? 'operator_number' : parameter;
  const isText = kept === undefined || TEXTS.some((name) => name === kept);
  const names = kept === undefined ? TEXTS : [kept];
  const rows = isText
    ? await ctx.reads
        .selectFrom('device_states')
        .select(['at', 'value'])
        .where('device_id', '=', device.id)
        .where('name', 'in', names)
        .where('at', '>', until - LISTED_MS)
        .where('at', '<=', until)
        .orderBy('at', 'desc')
        .limit(MOST_CHANGES)
        .execute()
    : await ctx.reads
        .selectFrom('device_samples')
        .select(['at', 'value'])
        .where('device_id', '=', device.id)
        .where('metric', 'in', names)
        .where('at', '>', until - LISTED_MS)
        .where('at', '<=', until)
        .orderBy('at', 'desc')
        .limit(MOST_CHANGES)
        .execute();
  // Texts are kept where they change; numbers with each report.
  const changes = isText ? rows : rows.filter(({ value }, index) => value !== rows[index + 1]?.value);
  return [...new Set(changes.map(({ at }) => wireTime(at)))].map((created_at) => ({ created_at }));
}

/** The days of the last 30 on which something of a device changed, newest first, each with the times (UTC). */
export async function readDatetimes(ctx: Context, device: Device): Promise<{ date: string; times: string[] }[]> {
  const rows = await ctx.reads
    .selectFrom('device_states')
    .select('at')
    .distinct()
    .where('device_id', '=', device.id)
    .where('at', '>', ctx.clock.now() - LISTED_MS)
    .orderBy('at', 'desc')
    .limit(MOST_CHANGES)
    .execute();
  const days = Map.groupBy(rows, ({ at }) => wireTime(at).slice(0, 10));
  return [...days].map(([date, moments]) => ({ date, times: [...new Set(moments.map(({ at }) => wireTime(at).slice(11)))] }));
}
