import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { DAY, HOUR, wireTime } from '../../kernel/clock.ts';

interface HourRow {
  metric: string;
  at: number;
  average: number;
  total: number;
}

export interface WirelessHour {
  interval: 'hour';
  clients_count: number;
  received: number;
  sent: number;
  created_at: string;
}

const METRIC = /^wifi_(clients|received|sent)_(.+)$/;

/** Clients (average) and bytes of each Wi-Fi network of a device by the hour, over the last day. The caller has checked that the actor sees the device. */
export async function readWirelessHours(ctx: Context, deviceId: number, wlan?: string): Promise<Record<string, WirelessHour[]>> {
  const now = ctx.clock.now();
  const { rows } = await sql<HourRow>`select metric, at, total / readings as average, total from device_hours
    where device_id = ${deviceId} and metric like 'wifi\\_%' escape '\\' and at >= ${now - DAY - (now % HOUR)} order by at`.execute(
    ctx.reads,
  );
  const networks: Record<string, Map<number, WirelessHour>> = {};
  for (const { metric, at, average, total } of rows) {
    const [, what, name] = METRIC.exec(metric) ?? [];
    if (name === undefined || (wlan !== undefined && wlan !== name)) continue;
    const hours = (networks[name] ??= new Map());
    const start = Number(at);
    const hour = hours.get(start) ?? { interval: 'hour', clients_count: 0, received: 0, sent: 0, created_at: wireTime(start) };
    if (what === 'clients') hour.clients_count = Math.round(average * 10) / 10;
    else if (what === 'received') hour.received = Math.round(Number(total));
    else hour.sent = Math.round(Number(total));
    hours.set(start, hour);
  }
  return Object.fromEntries(Object.entries(networks).map(([name, hours]) => [name, [...hours.values()]]));
}
