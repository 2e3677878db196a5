import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** The vault of device passwords with who looked at it, lists of new passwords to be downloaded once, plans, and the eSIM profiles of devices. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table device_passwords (id ${tools.idColumn}, device_id ${big} not null references devices (id) on delete cascade,
    username text not null, is_proven integer not null, changed_at ${big} not null,
    job_id ${big} references jobs (id) on delete set null)`.execute(db);
  await sql`create unique index device_passwords_device on device_passwords (device_id, username)`.execute(db);
  await sql`create index device_passwords_job on device_passwords (job_id) where job_id is not null`.execute(db);
  await sql`create table device_password_values (id ${tools.idColumn},
    password_id ${big} not null references device_passwords (id) on delete cascade, sealed_value text not null, created_at ${big} not null)`.execute(
    db,
  );
  await sql`create index device_password_values_password on device_password_values (password_id)`.execute(db);
  await sql`create table device_password_looks (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    device_id ${big} references devices (id) on delete set null, device_name text not null, username text not null,
    user_id ${big} references users (id) on delete set null, user_name text not null, reason text not null, ip text not null,
    at ${big} not null)`.execute(db);
  await sql`create index device_password_looks_company on device_password_looks (company_id)`.execute(db);
  await sql`create index device_password_looks_device on device_password_looks (device_id) where device_id is not null`.execute(db);
  await sql`create index device_password_looks_user on device_password_looks (user_id) where user_id is not null`.execute(db);
  await sql`create table password_lists (job_id ${big} not null primary key references jobs (id) on delete cascade, created_at ${big} not null,
    ended_at ${big}, end_reason text)`.execute(db);
  await sql`create table password_list_items (id ${tools.idColumn}, job_id ${big} not null references password_lists (job_id) on delete cascade,
    device_id ${big} not null, device_name text not null, serial text not null, mac text not null, username text not null, state text not null,
    sealed_value text not null)`.execute(db);
  await sql`create unique index password_list_items_job on password_list_items (job_id, device_id)`.execute(db);
  await sql`create table password_plans (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, applies_to text not null, apply_list text not null, username text not null, length integer not null,
    use_special integer not null, every_days integer not null, is_active integer not null,
    created_by ${big} references users (id) on delete set null, actor_company_id ${big} not null, user_name text not null,
    created_at ${big} not null, updated_at ${big} not null, next_at ${big}, last_at ${big},
    last_job_id ${big} references jobs (id) on delete set null)`.execute(db);
  await sql`create index password_plans_company on password_plans (company_id)`.execute(db);
  await sql`create index password_plans_user on password_plans (created_by) where created_by is not null`.execute(db);
  await sql`create index password_plans_job on password_plans (last_job_id) where last_job_id is not null`.execute(db);
  await sql`create index password_plans_due on password_plans (next_at) where next_at is not null`.execute(db);
  await sql`create table device_esims (device_id ${big} not null primary key references devices (id) on delete cascade, eid text, profiles text not null,
    read_at ${big} not null)`.execute(db);
}
