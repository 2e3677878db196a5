import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** The history knows where a record went that left a company. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await sql`alter table audit add column left_for_id ${sql.raw(tools.bigint)}`.execute(db);
}
