import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Jobs may wait between two waves. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await sql`alter table jobs add column wave_pause_seconds integer`.execute(db);
  await sql`alter table jobs add column wave_resumes_at ${sql.raw(tools.bigint)}`.execute(db);
}
