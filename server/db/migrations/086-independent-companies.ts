import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Invitations to open a company that belongs to nobody else on this installation. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await sql`alter table invitations add column is_independent ${sql.raw(tools.bigint)} not null default 0`.execute(db);
}
