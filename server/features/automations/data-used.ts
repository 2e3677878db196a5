import { sql } from 'kysely';
import { ruleDataOf, SIM_LIMIT_USED } from '../../../schemas/kit/form/rule-parameters.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { simMonthUse } from '../../domain/devices/month-use.ts';
import { DAY } from '../../kernel/clock.ts';

const ALL = 100;
const MEBIBYTE = 1024 * 1024;

/** When the day, the week (from Monday) or the month of a moment begins, UTC. */
function beginOf(period: 'day' | 'week' | 'month', at: number): number {
  const day = at - (at % DAY);
  if (period === 'day') return day;
  const date = new Date(day);
  return period === 'week' ? day - ((date.getUTCDay() + 6) % 7) * DAY : day - (date.getUTCDate() - 1) * DAY;
}

/** Percent of the data limit that the SIM in use of each device has used up: of the fuller one where it has two; devices whose SIMs have none are left out. */
async function readLimitUsed({ clock, database }: Pick<Context, 'clock' | 'database'>, db: Db, deviceIds: readonly number[]) {
  const rows = await db
    .selectFrom('sims')
    .innerJoin('devices', 'devices.id', 'sims.device_id')
    .select(['sims.device_id', 'sims.limit_bytes', simMonthUse(clock.now()).as('used')])
    .where('sims.device_id', 'in', database.tools.idList(deviceIds))
    .where('sims.limit_bytes', 'is not', null)
    .where(sql<boolean>`sims.iccid in (substr(devices.iccid, 1, length(sims.iccid)), substr(devices.iccid_2, 1, length(sims.iccid)))`)
    .execute();
  const percents = new Map<number, number>();
  for (const { device_id: id, limit_bytes: limit, used } of rows)
    if (id !== null && limit !== null) percents.set(id, Math.max(percents.get(id) ?? 0, (Number(used) / limit) * ALL));
  return percents;
}

/**
 * Mobile data that devices have used, in MiB, for rules that ask: by device, then by parameter; `sim_limit_used` in percent, where the SIM in use has a limit.
 */
export async function readDataUsed(
  ctx: Pick<Context, 'clock' | 'database'>,
  db: Db,
  deviceIds: readonly number[],
  names: readonly string[],
): Promise<Map<number, Record<string, number>>> {
  const asked = names.flatMap((name) => {
    const data = ruleDataOf(name);
    return data ? [{ name, sim: data.sim, begin: beginOf(data.period, ctx.clock.now()) }] : [];
  });
  const limits = names.includes(SIM_LIMIT_USED) && deviceIds.length > 0 ? await readLimitUsed(ctx, db, deviceIds) : undefined;
  const limitOf = (id: number): Record<string, number> => {
    const percent = limits?.get(id);
    return percent === undefined ? {} : { [SIM_LIMIT_USED]: percent };
  };
  if (deviceIds.length === 0) return new Map();
  if (asked.length === 0) return new Map(deviceIds.map((id) => [id, limitOf(id)]));
  const rows = await db
    .selectFrom('device_traffic')
    .selectAll()
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .where('day', '>=', Math.min(...asked.map(({ begin }) => begin)))
    .execute();
  const byDevice = Map.groupBy(rows, (row) => row.device_id);
  return new Map(
    deviceIds.map((id) => {
      const own = byDevice.get(id) ?? [];
      const sums = asked.map(({ name, sim, begin }) => {
        const bytes = own
          .filter((row) => Number(row.day) >= begin && (sim === undefined ? row.sim > 0 : row.sim === sim))
          .reduce((sum, { sent, received }) => sum + Number(sent) + Number(received), 0);
        return [name, bytes / MEBIBYTE] as const;
      });
      return [id, { ...Object.fromEntries(sums), ...limitOf(id) }];
    }),
  );
}
