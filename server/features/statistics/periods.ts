import { sql, type RawBuilder } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { integers } from '../../kernel/apply-list-query.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { DAYS_KEPT_MS, SAMPLED } from '../../domain/devices/sampled.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin, type TenantTable } from '../../kernel/tenancy.ts';
import { valuesOf, type Statistic } from './statistic-routes.ts';
import { sumBytes } from '../../kernel/db/sum-bytes.ts';

/** A stretch of time with its name; `start` and `end` in unix milliseconds, the end not included. */
interface Bucket {
  id: number;
  name: string;
  start: number;
  end: number;
}

/** As long as readings are kept. */
const DAYS = 30;
const MONTHS = 24;

function lastDays(now: number): Bucket[] {
  const today = Math.floor(now / DAY) * DAY;
  return Array.from({ length: DAYS }, (_, age) => {
    const start = today - age * DAY;
    const name = wireTime(start).slice(0, 10);
    return { id: Number(name.replaceAll('-', '')), name, start, end: start + DAY };
  });
}

function lastMonths(now: number): Bucket[] {
  const today = new Date(now);
  return Array.from({ length: MONTHS }, (_, age) => {
    const startOf = (later: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - age + later, 1);
    const name = wireTime(startOf(0)).slice(0, 7);
    return { id: Number(name.replace('-', '')), name, start: startOf(0), end: startOf(1) };
  });
}

/** The buckets as rows, for `from`: `p.id`, `p.name`, `p.start_at`, `p.end_at`. */
function bucketRows(buckets: readonly Bucket[]): RawBuilder<unknown> {
  const rows = buckets.map(
    ({ id, name, start, end }) => sql`select cast(${id} as bigint) as id, cast(${name} as text) as name,
      cast(${start} as bigint) as start_at, cast(${end} as bigint) as end_at`,
  );
  return sql`(${sql.join(rows, sql` union all `)}) as p`;
}

interface Measure {
  /** Its name in the result. */
  as: string;
  table: TenantTable;
  /** The time that says in which bucket a row is. */
  at: string;
  joins?: RawBuilder<unknown>;
  where?: RawBuilder<unknown>;
  /** `count(*)` by default. */
  value?: RawBuilder<unknown>;
}

/** Counts a measure in all buckets in one pass over its rows, for `left join … on <name>.bucket = p.id`. */
function countInBuckets(actor: Actor, query: ListQuery, buckets: readonly Bucket[], measure: Measure): RawBuilder<unknown> {
  const at = sql.ref(measure.at);
  // Newest first: the first start that is not after the row's time.
  const bucket = sql.join(
    buckets.map(({ start, id }) => sql`when ${at} >= ${start} then cast(${id} as bigint)`),
    sql` `,
  );
  const first = buckets.at(-1)?.start ?? 0;
  const counted = sql`select case ${bucket} end as bucket, ${measure.value ?? sql`count(*)`} as n
    from ${sql.table(measure.table)} ${measure.joins ?? sql``}
    where ${at} >= ${first} and ${isVisible(actor, measure.table)} ${ofCompanies(query, measure.table)} ${measure.where ? sql`and ${measure.where}` : sql``}
    group by 1`;
  return sql`left join (${counted}) as ${sql.ref(measure.as)} on ${sql.ref(`${measure.as}.bucket`)} = p.id`;
}

/** The filter `company_id` means these companies and all below them. */
function ofCompanies(query: ListQuery, table: TenantTable): RawBuilder<unknown> {
  const values = valuesOf(query, 'company_id');
  if (values === undefined) return sql``;
  return sql`and ${isWithin(sql.ref(table === 'companies' ? 'companies.id' : `${table}.company_id`), integers(values))}`;
}

const joined: Measure = { as: 'devices_joined', table: 'audit', at: 'audit.at', where: sql`audit.action = 'devices.join'` };
const removed: Measure = { as: 'devices_removed', table: 'audit', at: 'audit.at', where: sql`audit.action = 'devices.remove'` };

function countedColumns(measures: readonly Measure[]): RawBuilder<unknown> {
  return sql.join(measures.map(({ as }) => sql`coalesce(${sql.ref(`${as}.n`)}, 0) as ${sql.ref(as)}`));
}

const dayMeasures: readonly Measure[] = [
  { as: 'connections', table: 'device_events', at: 'device_events.at', where: sql`device_events.type = 'connected'` },
  { as: 'refusals', table: 'device_events', at: 'device_events.at', where: sql`device_events.type in ('refused', 'quarantined')` },
  joined,
  removed,
];

/**
 * The rows without those before the first company that the caller sees and before the first figure: of that time there is nothing to say. Companies that
 * were asked for make no difference, so that nobody learns of others. `rows` have the `figures` and `end_at` beside `id` and the period's name.
 */
function sinceBeginning(
  actor: Actor,
  { name, figures, rows }: { name: string; figures: readonly string[]; rows: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const isAny = sql.join(
    figures.map((figure) => sql`${sql.ref(figure)} <> 0`),
    sql` or `,
  );
  const begun = sql`(select min(companies.created_at) from companies where ${isVisible(actor, 'companies')})`;
  return sql`with counted as (${rows}) select id, ${sql.join([name, ...figures].map((column) => sql.ref(column)))} from counted
    where end_at > ${begun} or id >= (select min(id) from counted where ${isAny})`;
}

/** The last 30 days, from the first company on: how many different devices sent readings, and how they came and went. */
export const dayStatistic: Statistic = {
  resource: 'unique-devices',
  summary: 'The last 30 days: different devices that reported, connections, devices that joined and were removed.',
  texts: ['day'],
  ownFilters: ['company_id'],
  rows(ctx, actor, query) {
    const buckets = lastDays(ctx.clock.now());
    const reporting = sql`(select count(*) from devices where ${isVisible(actor, 'devices')} ${ofCompanies(query, 'devices')}
      and exists (select 1 from device_days where device_days.device_id = devices.id and device_days.metric in (${sql.join(SAMPLED)})
      and device_days.at >= p.start_at and device_days.at < p.end_at))`;
    const rows = sql`select p.id, p.end_at, p.name as day, ${reporting} as devices_reporting, ${countedColumns(dayMeasures)} from ${bucketRows(buckets)}
      ${sql.join(
        dayMeasures.map((measure) => countInBuckets(actor, query, buckets, measure)),
        sql` `,
      )}`;
    return sinceBeginning(actor, { name: 'day', figures: ['devices_reporting', ...dayMeasures.map(({ as }) => as)], rows });
  },
};

const monthMeasures: readonly Measure[] = [
  joined,
  removed,
  { as: 'new_companies', table: 'companies', at: 'companies.created_at' },
  {
    as: 'new_people',
    table: 'memberships',
    at: 'memberships.created_at',
    where: sql`memberships.user_id not in (select user_id from service_accounts)`,
  },
  { as: 'jobs', table: 'jobs', at: 'jobs.created_at' },
  { as: 'changes', table: 'audit', at: 'audit.at' },
  { as: 'alerts_raised', table: 'alerts', at: 'alerts.raised_at' },
  { as: 'remote_sessions', table: 'remote_sessions', at: 'remote_sessions.opened_at' },
  { as: 'reports_made', table: 'generated_reports', at: 'generated_reports.created_at' },
  {
    as: 'credits_used',
    table: 'credit_entries',
    at: 'credit_transfers.created_at',
    joins: sql`inner join credit_transfers on credit_transfers.id = credit_entries.transfer_id`,
    // What companies gave; who sees everything sees the other side of the entry too.
    where: sql`credit_entries.company_id is not null and credit_transfers.credit_type_id > 0 and credit_transfers.kind in ('use', 'renew', 'data', 'reserve', 'release')`,
    value: sql`cast(-sum(credit_entries.amount) as bigint)`,
  },
];

const traffic: Measure = {
  as: 'data_used',
  table: 'company_traffic',
  at: 'company_traffic.day',
  value: sumBytes(sql`company_traffic.sent + company_traffic.received`),
};

const active: Measure = {
  as: 'devices_active',
  table: 'company_months',
  at: 'company_months.month',
  value: sql`cast(sum(company_months.devices) as bigint)`,
};

/** The last 24 months, from the first company on: what came, what went, what was done. Of months before the counting began, or that are not kept as a whole, nobody knows the active devices and the data. */
export const monthStatistic: Statistic = {
  resource: 'month-statistics',
  summary: 'The last 24 months: devices that came, went and were active, companies, people, jobs, changes, used credits and data.',
  texts: ['month'],
  ownFilters: ['company_id'],
  rows(ctx, actor, query) {
    const now = ctx.clock.now();
    const buckets = lastMonths(now);
    const measures = [...monthMeasures, traffic, active];
    const rows = sql`select p.id, p.end_at, p.name as month, ${countedColumns(monthMeasures)},
      case when p.start_at >= ${now - DAYS_KEPT_MS} then coalesce(data_used.n, 0) end as data_used,
      case when p.start_at >= (select min(company_months.month) from company_months) then coalesce(devices_active.n, 0) end as devices_active
      from ${bucketRows(buckets)}
      ${sql.join(
        measures.map((measure) => countInBuckets(actor, query, buckets, measure)),
        sql` `,
      )}`;
    return sinceBeginning(actor, { name: 'month', figures: measures.map(({ as }) => as), rows });
  },
};
