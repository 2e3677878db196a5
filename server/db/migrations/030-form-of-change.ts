import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** The history knows in which version of which form a change was entered. */
export async function up(db: Db): Promise<void> {
  await sql`alter table audit add column form text`.execute(db);
}
