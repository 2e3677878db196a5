import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Jobs may begin later, and wait for devices that are offline. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await sql`alter table jobs add column starts_at ${sql.raw(tools.bigint)}`.execute(db);
  await sql`alter table jobs add column waits_until ${sql.raw(tools.bigint)}`.execute(db);
}
