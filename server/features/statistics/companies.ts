import { sql } from 'kysely';
import { integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { DAY } from '../../kernel/clock.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Statistic } from './statistic-routes.ts';

const ofCompanies: ListColumns['filters'] = {
  company_id: (values) => isOneOf(sql.ref('figures.company_id'), integers(values)),
};

/** What each company has: devices by state, tags, files, the jobs of its people, and what else it has set up. */
export const companyStatistic: Statistic = {
  resource: 'company-statistics',
  summary: 'Figures of the companies that the caller sees.',
  texts: ['company_name'],
  times: ['created_at'],
  filters: { ...ofCompanies, level: (values) => isOneOf(sql.ref('figures.level'), values.map(Number)) },
  rows: (ctx, actor) => sql`select companies.id as id, companies.id as company_id, companies.name as company_name, companies.level as level,
    coalesce(d.all_of_them, 0) as devices_count, coalesce(d.online, 0) as devices_online, coalesce(d.offline, 0) as devices_offline,
    coalesce(d.not_activated, 0) as devices_not_activated, coalesce(d.pending, 0) as devices_pending,
    coalesce(t.n, 0) as tags_count, coalesce(f.bytes, 0) as files_size, coalesce(j.n, 0) as jobs_month, coalesce(au.n, 0) as automations_count,
    coalesce(al.n, 0) as alerts_open, coalesce(re.n, 0) as reports_count, coalesce(h.n, 0) as hubs_count,
    coalesce(ho.n, 0) as hotspots_count, coalesce(rs.n, 0) as remote_month, companies.created_at as created_at
    from companies
    left join (select company_id, count(*) as all_of_them, sum(case when status = 1 then 1 else 0 end) as online,
      sum(case when status = 0 then 1 else 0 end) as offline, sum(case when status is null then 1 else 0 end) as not_activated,
      sum(case when status = 2 then 1 else 0 end) as pending from devices group by company_id) as d on d.company_id = companies.id
    left join (select company_id, count(*) as n from tags group by company_id) as t on t.company_id = companies.id
    left join (select company_id, cast(sum(size) as bigint) as bytes from files group by company_id) as f on f.company_id = companies.id
    left join (select company_id, count(*) as n from jobs where created_at >= ${ctx.clock.now() - 30 * DAY} group by company_id) as j
      on j.company_id = companies.id
    left join (select company_id, count(*) as n from automations group by company_id) as au on au.company_id = companies.id
    left join (select company_id, count(*) as n from alerts where ended_at is null group by company_id) as al on al.company_id = companies.id
    left join (select company_id, count(*) as n from reports group by company_id) as re on re.company_id = companies.id
    left join (select company_id, count(*) as n from vpn_hubs group by company_id) as h on h.company_id = companies.id
    left join (select devices.company_id as company_id, count(*) as n from device_hotspots
      inner join devices on devices.id = device_hotspots.device_id group by devices.company_id) as ho on ho.company_id = companies.id
    left join (select company_id, count(*) as n from remote_sessions where opened_at >= ${ctx.clock.now() - 30 * DAY} group by company_id) as rs
      on rs.company_id = companies.id
    where ${isVisible(actor, 'companies')}`,
};

/** The people of each company: how many there are, sign in, and have a second factor; invitations and programs beside them. */
export const peopleStatistic: Statistic = {
  resource: 'people-statistics',
  summary: 'Figures of the people of the companies that the caller sees.',
  texts: ['company_name'],
  filters: ofCompanies,
  rows(ctx, actor) {
    const now = ctx.clock.now();
    const count = (condition: ReturnType<typeof sql>) => sql`sum(case when ${condition} then 1 else 0 end)`;
    const hasFactor = sql`(exists (select 1 from second_factors where second_factors.user_id = users.id and confirmed_at is not null)
      or exists (select 1 from passkeys where passkeys.user_id = users.id))`;
    return sql`select companies.id as id, companies.id as company_id, companies.name as company_name,
      coalesce(p.n, 0) as people_count, coalesce(p.week, 0) as active_week, coalesce(p.month, 0) as active_month,
      coalesce(p.never, 0) as never_signed_in, coalesce(p.factor, 0) as second_factor_count, coalesce(p.disabled, 0) as disabled_count,
      coalesce(i.n, 0) as invitations_count, coalesce(s.n, 0) as programs_count
      from companies
      left join (select memberships.company_id, count(*) as n, ${count(sql`users.last_login_at >= ${now - 7 * DAY}`)} as week,
        ${count(sql`users.last_login_at >= ${now - 30 * DAY}`)} as month, ${count(sql`users.last_login_at is null`)} as never,
        ${count(hasFactor)} as factor, ${count(sql`memberships.disabled_at is not null`)} as disabled
        from memberships inner join users on users.id = memberships.user_id
        where memberships.user_id not in (select user_id from service_accounts) group by memberships.company_id) as p
        on p.company_id = companies.id
      left join (select company_id, count(*) as n from invitations where expires_at > ${now} group by company_id) as i
        on i.company_id = companies.id
      left join (select company_id, count(*) as n from service_accounts group by company_id) as s on s.company_id = companies.id
      where ${isVisible(actor, 'companies')}`;
  },
};
