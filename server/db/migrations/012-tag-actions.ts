import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** What is done to a device when a tag is put on it, and each time that this happened or is about to. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table tag_actions (id ${tools.idColumn}, tag_id ${big} not null references tags (id) on delete cascade, kind text not null, input text not null,
    created_by ${big} references users (id) on delete set null, company_id ${big} not null, user_name text not null, created_at ${big} not null)`.execute(
    db,
  );
  await sql`create index tag_actions_tag on tag_actions (tag_id)`.execute(db);
  await sql`create table tag_runs (id ${tools.idColumn}, tag_id ${big} not null references tags (id) on delete cascade, device_id ${big} not null references devices (id) on delete cascade,
    action_id ${big} not null, kind text not null, input text not null, user_id ${big} references users (id) on delete set null, company_id ${big} not null, user_name text not null,
    state text not null, reason text, batch text, job_id ${big}, created_at ${big} not null)`.execute(db);
  await sql`create index tag_runs_tag on tag_runs (tag_id)`.execute(db);
  await sql`create index tag_runs_device on tag_runs (device_id, id)`.execute(db);
  await sql`create index tag_runs_state on tag_runs (state)`.execute(db);
}
