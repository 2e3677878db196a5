import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Images that are marked as stable, rules for backups that are made again and again, and jobs that wait for somebody between their waves. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table backup_rules (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, applies_to text not null, apply_list text not null, period text not null, day integer, time text not null,
    timezone text not null, keep integer not null, is_active integer not null, created_by ${big} references users (id) on delete set null,
    actor_company_id ${big} not null, user_name text not null, created_at ${big} not null, updated_at ${big} not null, next_at ${big}, last_at ${big},
    last_job_id ${big} references jobs (id) on delete set null)`.execute(db);
  await sql`create index backup_rules_company on backup_rules (company_id)`.execute(db);
  await sql`create index backup_rules_user on backup_rules (created_by) where created_by is not null`.execute(db);
  await sql`create index backup_rules_job on backup_rules (last_job_id) where last_job_id is not null`.execute(db);
  await sql`create index backup_rules_due on backup_rules (next_at) where next_at is not null`.execute(db);
  await sql`alter table jobs add column wave_first integer`.execute(db);
  await sql`alter table jobs add column wave_asks integer not null default 0`.execute(db);
  await sql`alter table jobs add column wave_approved integer not null default 0`.execute(db);
  await sql`alter table jobs add column paused_at ${big}`.execute(db);
  await sql`alter table files add column is_stable integer not null default 0`.execute(db);
  await sql`alter table files add column backup_rule_id ${big} references backup_rules (id) on delete set null`.execute(db);
  await sql`create index files_backup_rule on files (backup_rule_id, device_id) where backup_rule_id is not null`.execute(db);
}
