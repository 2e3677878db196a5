import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { DAY } from '../../kernel/clock.ts';
import { currentDeafness } from '../../domain/devices/hearing.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { devicesOf, matchDevices } from './match.ts';

/** How long devices were online in a period. Percent of the time that is known. */
export interface FleetAvailability {
  /** Devices of which something is known. */
  devices: number;
  /** Those of them that reached the target. */
  met: number;
  /** Average of the devices; null while nothing is known. */
  average: number | null;
  /** The lowest ones below the target, at most `count`. */
  worst: { id: number; name: string; online_percent: number }[];
}

interface Measured {
  id: number;
  name: string;
  online: number | null;
  known: number | null;
}

/** Measures all devices that match over the last `days`, in one read for all of them. `target`: percent. */
export async function readAvailability(
  ctx: Context,
  actor: Actor,
  query: Pick<ListQuery, 'filters' | 'ids' | 'q'>,
  { days, target, count }: { days: number; target: number; count: number },
): Promise<FleetAvailability> {
  const end = ctx.clock.now();
  const start = end - days * DAY;
  const match = await matchDevices(ctx, actor, query);
  const current = await currentDeafness(ctx.reads, end);
  const isDeafNow = current ? sql` union all select cast(${current.from} as bigint), cast(${current.to} as bigint)` : sql``;
  const deafTime = sql`coalesce((select sum(case when deaf.until_at < whole.until then deaf.until_at else whole.until end
      - case when deaf.from_at > whole.since then deaf.from_at else whole.since end)
    from (select from_at, until_at from deaf_periods${isDeafNow}) as deaf where deaf.until_at > whole.since and deaf.from_at < whole.until), 0)`;
  // Before the first change that is kept, the status is as it was changed last.
  const read = sql<Measured>`with chosen as (
      select devices.id, devices.name, devices.status, devices.status_changed_at from ${devicesOf(match)}
    ), spans as (
      select device_states.device_id, device_states.value, device_states.at as since,
        lead(device_states.at) over (partition by device_states.device_id order by device_states.at) as until
      from device_states where device_states.name = 'status' and device_states.device_id in (select chosen.id from chosen)
    ), clipped as (
      select spans.device_id, spans.value,
        case when spans.since < ${start} then ${start} else spans.since end as since,
        case when coalesce(spans.until, ${end}) > ${end} then ${end} else coalesce(spans.until, ${end}) end as until
      from spans where coalesce(spans.until, ${end}) > ${start}
    ), whole as (
      select clipped.device_id, clipped.value, clipped.since, clipped.until from clipped
      union all select chosen.id, case when chosen.status = 1 then '1' else '0' end,
        case when coalesce(chosen.status_changed_at, 0) < ${start} then ${start} else chosen.status_changed_at end, ${end}
      from chosen where chosen.status is not null and chosen.id not in (select clipped.device_id from clipped)
    ), measured as (
      select whole.device_id, whole.value, whole.until - whole.since - ${deafTime} as length from whole
    ), sums as (
      select measured.device_id, sum(measured.length) as known, sum(case when measured.value = '1' then measured.length else 0 end) as online
      from measured group by measured.device_id
    )
    select chosen.id, chosen.name, sums.known, sums.online from chosen left join sums on sums.device_id = chosen.id`;
  const rows = await ctx.database.longReads.rows(read.compile(ctx.reads));
  const measured = rows.flatMap(({ id, name, online, known }) =>
    Number(known ?? 0) > 0 ? [{ id: Number(id), name, online_percent: (Number(online) * 100) / Number(known) }] : [],
  );
  const missed = measured.filter(({ online_percent }) => online_percent < target).toSorted((a, b) => a.online_percent - b.online_percent);
  const total = measured.reduce((sum, { online_percent }) => sum + online_percent, 0);
  return {
    devices: measured.length,
    met: measured.length - missed.length,
    average: measured.length === 0 ? null : total / measured.length,
    worst: missed.slice(0, count),
  };
}
