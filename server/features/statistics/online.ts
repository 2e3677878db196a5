import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { integers, isOneOf } from '../../kernel/apply-list-query.ts';
import { DAY, HOUR, wireTime } from '../../kernel/clock.ts';
import { SAMPLED } from '../../domain/devices/sampled.ts';
import { deafPeriods, withoutDeafness } from '../../domain/devices/hearing.ts';
import { momentAfter, momentOf } from '../../kernel/moments.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { valuesOf, type Statistic } from './statistic-routes.ts';

/** From the first moment to before the last, in unix milliseconds. */
interface Period {
  start: number;
  end: number;
}

/** Default: the last day up to now. */
function periodOf(now: number, first: string | undefined, last: string | undefined): Period {
  const end = last === undefined ? now : Math.min(now, momentAfter(last));
  return { start: first === undefined ? end - DAY : momentOf(first), end };
}

/** The condition "this device was online in the period": it sent readings then, or is online while the period lasts. */
function wasOnline({ start, end }: Period, now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(exists (select 1 from device_hours where device_hours.device_id = devices.id
    and device_hours.metric in (${sql.join(SAMPLED)}) and device_hours.at >= ${start - (start % HOUR)} and device_hours.at < ${end})
    ${end >= now ? sql`or devices.status = 1` : sql``})`;
}

/** Devices of which it is known whether they were online: none of a period in which nobody could hear them. */
async function countByCompany(ctx: Context, actor: Actor, period: Period): Promise<RawBuilder<unknown>> {
  const now = ctx.clock.now();
  const span = { from: period.start, to: period.end };
  const isDeaf = span.from < span.to && withoutDeafness([span], await deafPeriods(ctx.reads, period, now)).length === 0;
  return sql`select devices.company_id, ${isDeaf ? sql`0` : sql`count(*)`} as n, sum(case when ${isDeaf ? sql`1 = 0` : wasOnline(period, now)} then 1 else 0 end) as online
    from devices where ${isVisible(actor, 'devices')} group by devices.company_id`;
}

/** How many devices of each company were online in a period, and how many not. By whole hours, as long as those are kept. */
export const onlineStatistic: Statistic = {
  resource: 'online-statistics',
  summary: 'Devices that were online in a period, by company; the last day by default.',
  texts: ['company_name'],
  ownFilters: ['start_date', 'end_date'],
  filters: { company_id: (values) => isOneOf(sql.ref('figures.company_id'), integers(values)) },
  async rows(ctx, actor, query) {
    const now = ctx.clock.now();
    const period = periodOf(now, valuesOf(query, 'start_date')?.[0], valuesOf(query, 'end_date')?.[0]);
    return sql`select companies.id as id, companies.id as company_id, companies.name as company_name,
      coalesce(d.online, 0) as online, coalesce(d.n - d.online, 0) as offline
      from companies left join (${await countByCompany(ctx, actor, period)}) as d on d.company_id = companies.id
      where ${isVisible(actor, 'companies')}`;
  },
};

interface OnlineCompany {
  company_id: number;
  company_name: string;
  devices: { online: number; offline: number };
  sub_companies: OnlineCompany[];
}

interface OnlineQuery {
  start_date?: string;
  end_date?: string;
  company_id?: number;
  include_child_companies?: boolean;
}

/** The same as a tree of companies, from the given one or the top of what the actor sees. Throws NOT_FOUND at `company_id`. */
export async function onlineTree(ctx: Context, actor: Actor, asked: OnlineQuery) {
  const now = ctx.clock.now();
  const period = periodOf(now, asked.start_date, asked.end_date);
  const top = asked.company_id === undefined ? undefined : await requireCompany(ctx.reads, actor, asked.company_id, 'company_id');
  const read = sql<{ id: number; parent_id: number | null; name: string; path: string; n: number | null; online: number | null }>`
    select companies.id, companies.parent_id, companies.name, companies.path, d.n, d.online from companies
    left join (${await countByCompany(ctx, actor, period)}) as d on d.company_id = companies.id
    where ${isVisible(actor, 'companies')} order by companies.path`;
  const rows = (await ctx.database.longReads.rows(read.compile(ctx.reads))).filter((row) => !top || row.path.startsWith(top.path));
  const byId = new Map<number, OnlineCompany>();
  const tops: OnlineCompany[] = [];
  for (const row of rows) {
    const online = row.online ?? 0;
    const devices = { online, offline: (row.n ?? 0) - online };
    const company: OnlineCompany = { company_id: row.id, company_name: row.name, devices, sub_companies: [] };
    byId.set(row.id, company);
    const parent = row.parent_id === null ? undefined : byId.get(row.parent_id);
    if (!parent) tops.push(company);
    else if (asked.include_child_companies !== false) parent.sub_companies.push(company);
  }
  return { query_period: { start_date: wireTime(period.start), end_date: wireTime(period.end) }, companies: tops };
}
