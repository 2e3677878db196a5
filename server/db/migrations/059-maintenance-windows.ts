import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** When devices may be worked on, the time zone that devices report, and jobs whose devices wait for their window. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table maintenance_windows (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, applies_to text not null, apply_list text not null, days text not null, time_from text not null, time_to text not null,
    timezone text not null, uses_device_time integer not null, is_active integer not null, user_name text not null, created_at ${big} not null,
    updated_at ${big} not null)`.execute(db);
  await sql`create index maintenance_windows_company on maintenance_windows (company_id)`.execute(db);
  await sql`alter table devices add column timezone text`.execute(db);
  await sql`alter table jobs add column window_rule text`.execute(db);
  await sql`alter table job_targets add column due_at ${big}`.execute(db);
}
