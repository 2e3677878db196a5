import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Automations, what is kept of them on each device, what they did, and the alerts that they raised. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table automations (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, description text not null, is_enabled integer not null, applies_to text not null, apply_list text not null,
    rule text not null, version integer not null, created_by ${big} references users (id) on delete set null, actor_company_id ${big} not null,
    user_name text not null, triggered_count integer not null, last_mail_at ${big}, created_at ${big} not null, updated_at ${big} not null)`.execute(
    db,
  );
  await sql`create index automations_company on automations (company_id)`.execute(db);
  await sql`create index automations_user on automations (created_by) where created_by is not null`.execute(db);
  await sql`create table automation_devices (automation_id ${big} not null references automations (id) on delete cascade,
    device_id ${big} not null references devices (id) on delete cascade, is_enabled integer not null, state text not null, due_at ${big},
    triggered_count integer not null, last_triggered_at ${big}, created_at ${big} not null, primary key (automation_id, device_id))`.execute(
    db,
  );
  await sql`create index automation_devices_device on automation_devices (device_id)`.execute(db);
  await sql`create index automation_devices_due on automation_devices (due_at) where due_at is not null`.execute(db);
  await sql`create table automation_logs (id ${tools.idColumn}, automation_id ${big} not null references automations (id) on delete cascade,
    device_id ${big} not null references devices (id) on delete cascade, company_id ${big} not null, at ${big} not null, branch text not null,
    version integer not null, evaluated text not null, actions text not null, status text not null, results text not null, mails text not null,
    finished_at ${big})`.execute(db);
  await sql`create index automation_logs_automation on automation_logs (automation_id, id)`.execute(db);
  await sql`create index automation_logs_device on automation_logs (device_id, id)`.execute(db);
  await sql`create index automation_logs_pending on automation_logs (id) where status = 'pending'`.execute(db);
  await sql`create index automation_logs_mails on automation_logs (id) where mails = 'pending'`.execute(db);
  await sql`create table alerts (id ${tools.idColumn}, automation_id ${big} references automations (id) on delete set null,
    device_id ${big} not null references devices (id) on delete cascade, company_id ${big} not null, branch text not null, name text not null,
    severity text not null, message text not null, raised_at ${big} not null, ended_at ${big}, acknowledged_at ${big}, acknowledged_by text,
    snoozed_until ${big})`.execute(db);
  await sql`create unique index alerts_open on alerts (automation_id, device_id, branch) where ended_at is null`.execute(db);
  await sql`create index alerts_device on alerts (device_id, id)`.execute(db);
  await sql`create index alerts_company on alerts (company_id, id)`.execute(db);
}
