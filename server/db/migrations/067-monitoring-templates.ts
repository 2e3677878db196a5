import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** What devices are asked for again and again, which devices, and what they answered. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table monitoring_templates (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, description text not null, api_system text, api_version text not null, device_documentation_id ${big}, data text not null,
    version integer not null, is_enabled integer not null, period integer not null, user_name text not null, created_at ${big} not null,
    updated_at ${big} not null)`.execute(db);
  await sql`create unique index monitoring_templates_name on monitoring_templates (company_id, name)`.execute(db);
  await sql`create table monitoring_variables (metric text primary key, template_id ${big} not null references monitoring_templates (id) on delete cascade,
    variable text not null, url text not null, type text not null, description text not null)`.execute(db);
  await sql`create index monitoring_variables_template on monitoring_variables (template_id)`.execute(db);
  await sql`create table monitoring_assignments (id ${tools.idColumn}, template_id ${big} not null references monitoring_templates (id) on delete cascade,
    device_id ${big} not null references devices (id) on delete cascade, is_enabled integer not null, period integer not null, last_at ${big},
    last_bytes ${big}, created_at ${big} not null)`.execute(db);
  await sql`create unique index monitoring_assignments_device on monitoring_assignments (device_id, template_id)`.execute(db);
  await sql`create index monitoring_assignments_template on monitoring_assignments (template_id)`.execute(db);
  await sql`create table monitoring_reports (id ${tools.idColumn}, template_id ${big} not null references monitoring_templates (id) on delete cascade,
    device_id ${big} not null references devices (id) on delete cascade, company_id ${big} not null, at ${big} not null, data text not null,
    log text not null)`.execute(db);
  await sql`create index monitoring_reports_device on monitoring_reports (device_id, at)`.execute(db);
  await sql`create index monitoring_reports_template on monitoring_reports (template_id, at)`.execute(db);
  await sql`create index monitoring_reports_at on monitoring_reports (at)`.execute(db);
}
