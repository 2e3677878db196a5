import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Groups of tasks for devices. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table task_groups (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade, name text not null,
    variables text not null, success_tag_ids text not null, failed_tag_ids text not null, created_at ${big} not null, updated_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index task_groups_name on task_groups (company_id, name)`.execute(db);
  await sql`create table tasks (id ${tools.idColumn}, group_id ${big} not null references task_groups (id) on delete cascade, place integer not null,
    name text not null, type text not null, timeout integer not null, stop_on_failure integer not null, data text not null,
    created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create index tasks_group on tasks (group_id, place)`.execute(db);
}
