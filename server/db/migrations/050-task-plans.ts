import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Which task lists run by themselves, when and where. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table task_plans (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    group_id ${big} not null references task_groups (id) on delete cascade, name text not null, applies_to text not null, apply_list text not null,
    period text not null, day integer, time text not null, timezone text not null, every_hours integer, given text not null,
    is_active integer not null, created_by ${big} references users (id) on delete set null, actor_company_id ${big} not null,
    user_name text not null, created_at ${big} not null, updated_at ${big} not null, next_at ${big}, last_at ${big},
    last_job_id ${big} references jobs (id) on delete set null)`.execute(db);
  await sql`create index task_plans_company on task_plans (company_id)`.execute(db);
  await sql`create index task_plans_group on task_plans (group_id)`.execute(db);
  await sql`create index task_plans_user on task_plans (created_by) where created_by is not null`.execute(db);
  await sql`create index task_plans_job on task_plans (last_job_id) where last_job_id is not null`.execute(db);
  await sql`create index task_plans_due on task_plans (next_at) where next_at is not null`.execute(db);
}
