import { sql, type RawBuilder } from 'kysely';
import { DAY } from '../../kernel/clock.ts';
import { sumBytes } from '../../kernel/db/sum-bytes.ts';

export interface MonthUse {
  device_id: number;
  /** Bytes that it may use in its month. */
  most: number;
  /** Bytes over its SIMs since its month began. */
  used: number;
}

/** When the present month began (Unix ms), for months that begin on the day of a column, 1 to 28. */
export function monthBegin(startsOn: string, now: number): RawBuilder<number> {
  const today = new Date(now);
  const thisMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
  const lastMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);
  const starts = sql.ref(startsOn);
  return sql<number>`case when ${starts} <= ${today.getUTCDate()} then ${sql.lit(thisMonth)} else ${sql.lit(lastMonth)} end + (${starts} - 1) * ${sql.lit(DAY)}`;
}

/** Bytes over a SIM since its month began; to be used where `sims` is in the query. */
export function simMonthUse(now: number): RawBuilder<number> {
  return sql<number>`(select ${sumBytes(sql`sim_traffic.sent + sim_traffic.received`)} from sim_traffic
    where sim_traffic.sim_id = sims.id and sim_traffic.day >= ${monthBegin('sims.starts_on', now)})`;
}

/** The devices that have a data limit, with what they used of it in their present month. */
export function monthUse(now: number): RawBuilder<MonthUse> {
  return sql<MonthUse>`(select device_data_limits.device_id as device_id, device_data_limits.limit_bytes as most,
    ${sumBytes(sql`device_traffic.sent + device_traffic.received`)} as used
    from device_data_limits left join device_traffic on device_traffic.device_id = device_data_limits.device_id
    and (device_traffic.sim > 0 or device_traffic.modem > 1) and device_traffic.day >= ${monthBegin('device_data_limits.starts_on', now)}
    group by device_data_limits.device_id, device_data_limits.limit_bytes)`;
}
