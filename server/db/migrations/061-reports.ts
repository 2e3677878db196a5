import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Templates of reports, the reports that were made of them, and what those say of each device and day. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const real = sql.raw(tools.real);
  await sql`create table reports (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, description text not null, type text not null, period text not null, parameters text not null,
    applies_to text not null, apply_list text not null, is_active integer not null, start_date text, end_date text, time text not null,
    timezone text not null, next_at ${big}, generated_at ${big}, created_by ${big} references users (id) on delete set null,
    actor_company_id ${big} not null, user_name text not null, created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create index reports_company on reports (company_id)`.execute(db);
  await sql`create index reports_due on reports (next_at) where next_at is not null`.execute(db);
  await sql`create index reports_user on reports (created_by) where created_by is not null`.execute(db);
  await sql`create table generated_reports (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    report_id ${big} references reports (id) on delete set null, report_name text not null, name text not null, description text not null,
    type text not null, period text not null, parameters text not null, starts_at ${big} not null, ends_at ${big} not null,
    job_id ${big} references jobs (id) on delete set null, user_name text not null, created_at ${big} not null)`.execute(db);
  await sql`create index generated_reports_company on generated_reports (company_id, id)`.execute(db);
  await sql`create index generated_reports_report on generated_reports (report_id) where report_id is not null`.execute(db);
  await sql`create index generated_reports_job on generated_reports (job_id) where job_id is not null`.execute(db);
  await sql`create table report_devices (generated_id ${big} not null references generated_reports (id) on delete cascade,
    device_id ${big} not null, company_id ${big} not null, name text not null, serial text not null, mac text not null,
    company_name text not null, sent ${big}, received ${big}, sims text, min_signal ${real}, max_signal ${real}, avg_signal ${real},
    min_temperature ${real}, max_temperature ${real}, avg_temperature ${real}, router_uptime ${real}, connection_uptime ${real},
    availability ${real}, operator text, connection_type text, firmware text, actions_done integer, actions_failed integer,
    primary key (generated_id, device_id))`.execute(db);
  await sql`create table report_days (generated_id ${big} not null references generated_reports (id) on delete cascade,
    company_id ${big} not null, day ${big} not null, sent ${big} not null, received ${big} not null,
    primary key (generated_id, company_id, day))`.execute(db);
}
