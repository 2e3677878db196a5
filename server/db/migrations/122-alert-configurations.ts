import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Alerts of single devices as the public API knows them; each is an automation underneath. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table alert_configurations (id ${tools.idColumn}, device_id ${big} not null references devices (id) on delete cascade,
    automation_id ${big} not null references automations (id) on delete cascade, subtype_id integer not null, action integer not null,
    subject text not null, message text not null, email text not null, smtp_config_id ${big}, redundancy_enable integer not null,
    redundancy_interval integer not null, details text not null, created_by ${big} references users (id) on delete set null, created_at ${big} not null,
    updated_at ${big} not null)`.execute(db);
  await sql`create index alert_configurations_device on alert_configurations (device_id)`.execute(db);
  await sql`create unique index alert_configurations_automation on alert_configurations (automation_id)`.execute(db);
  await sql`create index alert_configurations_user on alert_configurations (created_by) where created_by is not null`.execute(db);
}
