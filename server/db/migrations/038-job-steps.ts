import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Work of several steps on a device: which one a target is at, what its earlier steps gave, and the file that came of it. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table job_targets add column step integer not null default 0`.execute(db);
  await sql`alter table job_targets add column steps integer not null default 1`.execute(db);
  await sql`alter table job_targets add column step_name text`.execute(db);
  await sql`alter table job_targets add column failed_state text`.execute(db);
  await sql`alter table job_targets add column facts text`.execute(db);
  await sql`alter table job_targets add column file_id ${big} references files (id) on delete set null`.execute(db);
  await sql`create index job_targets_file on job_targets (file_id) where file_id is not null`.execute(db);
  await sql`create table job_target_steps (id ${tools.idColumn}, target_id ${big} not null references job_targets (id) on delete cascade,
    step integer not null, name text not null, state text not null, code ${big}, message text, output text, truncated integer not null,
    file_id ${big} references files (id) on delete set null, started_at ${big}, finished_at ${big} not null)`.execute(db);
  await sql`create unique index job_target_steps_place on job_target_steps (target_id, step)`.execute(db);
  await sql`create index job_target_steps_file on job_target_steps (file_id) where file_id is not null`.execute(db);
}
