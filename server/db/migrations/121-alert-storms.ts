import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Causes of alerts, who is told of them by mail and when, and who is on call. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table sites add column router_id ${big} references devices (id) on delete set null`.execute(db);
  await sql`create index sites_router on sites (router_id) where router_id is not null`.execute(db);
  await sql`alter table alerts add column cause_device_id ${big}`.execute(db);
  await sql`alter table alerts add column told_at ${big}`.execute(db);
  await sql`alter table alerts add column escalated integer not null default 0`.execute(db);
  // What was raised before is not told again.
  await sql`update alerts set told_at = raised_at, escalated = 9`.execute(db);
  await sql`create index alerts_untold on alerts (id) where told_at is null and ended_at is null`.execute(db);
  await sql`create index alerts_unanswered on alerts (company_id, id) where ended_at is null and acknowledged_at is null`.execute(db);
  await sql`alter table notification_rules add column alert_mail text not null default 'none'`.execute(db);
  await sql`alter table notification_rules add column remind_minutes integer not null default 0`.execute(db);
  await sql`create table alert_mails (user_id ${big} not null references users (id) on delete cascade, company_id ${big} not null references companies (id)
    on delete cascade, name text not null, severity text not null, reason text not null, count integer not null, devices text not null, last_at ${big} not null,
    first_at ${big} not null, primary key (user_id, company_id, name, severity, reason))`.execute(db);
  await sql`create table alert_mail_times (user_id ${big} not null primary key references users (id) on delete cascade, sent_at ${big} not null)`.execute(
    db,
  );
  await sql`create table on_call_schedules (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, user_ids text not null, shift_days integer not null, starts_on text not null, handover_hour integer not null,
    timezone text not null, least_severity text not null, after_minutes integer not null, next_minutes integer not null, user_name text not null,
    created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create unique index on_call_schedules_company on on_call_schedules (company_id)`.execute(db);
}
