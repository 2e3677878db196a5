import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** The lists of moves and of bought data find their transfers among all the others. */
export async function up(db: Db, _tools: DialectTools): Promise<void> {
  await sql`create index credit_transfers_kind on credit_transfers (kind, id)`.execute(db);
}
