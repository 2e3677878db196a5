import { ruleDataOf } from '../../../schemas/kit/form/rule-parameters.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { DAY } from '../../kernel/clock.ts';

const MEBIBYTE = 1024 * 1024;

/** When the day, the week (from Monday) or the month of a moment begins, UTC. */
function beginOf(period: 'day' | 'week' | 'month', at: number): number {
  const day = at - (at % DAY);
  if (period === 'day') return day;
  const date = new Date(day);
  return period === 'week' ? day - ((date.getUTCDay() + 6) % 7) * DAY : day - (date.getUTCDate() - 1) * DAY;
}

/** Mobile data that devices have used, in MiB, for rules that ask: by device, then by parameter. */
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
  if (asked.length === 0 || deviceIds.length === 0) return new Map();
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
      return [id, Object.fromEntries(sums)];
    }),
  );
}
