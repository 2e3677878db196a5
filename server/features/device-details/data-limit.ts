import { forecastMonth, monthEnd, SAME_WEEKDAYS_DAYS } from '../../../schemas/kit/devices/usage-forecast.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { monthStart } from '../../domain/devices/month-start.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { sumBytes } from '../../kernel/db/sum-bytes.ts';

const GIGABYTE = 1024 ** 3;
const FIRST_DAY = 1;

type Limit = Pick<Row<'device_data_limits'>, 'limit_bytes' | 'starts_on'>;

const wireOf = (limit: Limit | undefined) => ({
  limit_gb: limit ? Math.round((limit.limit_bytes / GIGABYTE) * 100) / 100 : null,
  starts_on: limit?.starts_on ?? FIRST_DAY,
});

/** The limit of a device (gigabytes of 1024³ bytes; null: none), the bytes since the month began, and those expected by its end. The caller has checked that the actor sees the device. */
export async function readDataLimit(ctx: Context, deviceId: number) {
  const limit = await ctx.reads.selectFrom('device_data_limits').selectAll().where('device_id', '=', deviceId).executeTakeFirst();
  const since = monthStart(ctx.clock.now(), limit?.starts_on ?? FIRST_DAY);
  const now = ctx.clock.now();
  const rows = await ctx.reads
    .selectFrom('device_traffic')
    .select(['day', sumBytes('sent').as('sent'), sumBytes('received').as('received')])
    .where('device_id', '=', deviceId)
    .where((eb) => eb.or([eb('sim', '>', 0), eb('modem', '>', 1)]))
    .where('day', '>=', Math.min(since, now - (SAME_WEEKDAYS_DAYS + 1) * DAY))
    .groupBy('day')
    .execute();
  const bytes = new Map(rows.map(({ day, sent, received }) => [day, Number(sent) + Number(received)]));
  const forecast = forecastMonth({ bytes, now, since, until: monthEnd(since), limit: limit?.limit_bytes ?? null });
  return {
    ...wireOf(limit),
    limit_bytes: limit?.limit_bytes ?? null,
    since: wireTime(since),
    used_bytes: [...bytes].reduce((sum, [day, more]) => (day >= since ? sum + more : sum), 0),
    forecast_bytes: forecast.total,
    reached_on: forecast.reachedOn === null ? null : wireTime(forecast.reachedOn).slice(0, 10),
  };
}

/** Sets how much data a device may use in a month; without `limit_gb` there is no limit. Throws NOT_FOUND. */
export async function setDataLimit(
  ctx: Context,
  caller: Caller,
  deviceId: number,
  { limit_gb, starts_on }: { limit_gb?: number | undefined; starts_on: number },
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const device = await requireDevice(trx, caller.actor, deviceId);
    const before = await trx.selectFrom('device_data_limits').selectAll().where('device_id', '=', device.id).executeTakeFirst();
    const after = limit_gb === undefined ? undefined : { limit_bytes: Math.round(limit_gb * GIGABYTE), starts_on };
    if (before?.limit_bytes === after?.limit_bytes && before?.starts_on === after?.starts_on) return;
    if (after)
      await trx
        .insertInto('device_data_limits')
        .values({ device_id: device.id, ...after })
        .onConflict((conflict) => conflict.column('device_id').doUpdateSet(after))
        .execute();
    else await trx.deleteFrom('device_data_limits').where('device_id', '=', device.id).execute();
    await writeAudit(trx, { ...caller, at }, [
      {
        action: 'devices.data-limit',
        entity: 'device',
        entityId: device.id,
        entityName: device.name,
        companyId: device.company_id,
        before: wireOf(before),
        after: wireOf(after),
      },
    ]);
  });
}
