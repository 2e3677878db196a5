import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** The start page: where people with a role begin, and a quick way to jobs that ended lately; and what jobs are found by. */
export async function up(db: Db): Promise<void> {
  await sql`alter table roles add column start_page text not null default 'last'`.execute(db);
  await sql`alter table jobs add column search_text text not null default ''`.execute(db);
  await sql`create index jobs_finished on jobs (finished_at)`.execute(db);
}
