import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Jobs in waves that devices join which match later, and when those were last looked for. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await sql`alter table jobs add column joins_newcomers integer not null default 0`.execute(db);
  await sql`alter table jobs add column joined_at ${sql.raw(tools.bigint)}`.execute(db);
}
