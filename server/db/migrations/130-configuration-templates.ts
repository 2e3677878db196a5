import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Configuration templates with their versions, the variables in them, and which devices follow which template. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table configuration_templates (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, description text not null, system text not null, base_id ${big} references configuration_templates (id), version text not null,
    revision ${big} not null, template text not null, min_firmware text not null, max_firmware text not null, created_by ${big}
    references users (id) on delete set null, actor_company_id ${big} not null, user_name text not null, next_at ${big} not null, created_at ${big} not null,
    updated_at ${big} not null)`.execute(db);
  await sql`create unique index configuration_templates_name on configuration_templates (company_id, name)`.execute(db);
  await sql`create index configuration_templates_base on configuration_templates (base_id)`.execute(db);
  await sql`create index configuration_templates_next on configuration_templates (next_at)`.execute(db);
  await sql`create table configuration_revisions (id ${tools.idColumn}, template_id ${big} not null references configuration_templates (id) on delete cascade,
    revision ${big} not null, version text not null, template text not null, user_name text not null, created_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index configuration_revisions_number on configuration_revisions (template_id, revision)`.execute(db);
  await sql`create table configuration_variables (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    tag_id ${big} references tags (id) on delete cascade, device_id ${big} references devices (id) on delete cascade, name text not null,
    value text not null, is_secret ${big} not null, user_name text not null, created_at ${big} not null, updated_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index configuration_variables_company on configuration_variables (company_id, name)
    where tag_id is null and device_id is null`.execute(db);
  await sql`create unique index configuration_variables_tag on configuration_variables (tag_id, name) where tag_id is not null`.execute(db);
  await sql`create unique index configuration_variables_device on configuration_variables (device_id, name) where device_id is not null`.execute(
    db,
  );
  await sql`create table device_templates (id ${tools.idColumn}, device_id ${big} not null references devices (id) on delete cascade,
    template_id ${big} not null references configuration_templates (id) on delete cascade, state text not null, revision ${big} not null,
    differences text not null, differences_count ${big} not null, applied_at ${big} not null, compared_at ${big})`.execute(db);
  await sql`create unique index device_templates_device on device_templates (device_id, template_id)`.execute(db);
  await sql`create index device_templates_template on device_templates (template_id, state)`.execute(db);
}
