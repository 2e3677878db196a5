import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** A password that is typed again counts for the call that asked for it. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await sql`alter table sessions add column asked_call text`.execute(db);
  await sql`alter table sessions add column confirmed_call text`.execute(db);
  await sql`alter table sessions add column call_confirmed_at ${sql.raw(tools.bigint)} not null default 0`.execute(db);
}
