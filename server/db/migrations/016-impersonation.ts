import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** When a user said yes to somebody who wants to act for them, and the own session that waits while they do. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await sql`alter table impersonation_requests add column confirmed_at ${sql.raw(tools.bigint)}`.execute(db);
  await sql`alter table sessions add column own_session_id text`.execute(db);
}
