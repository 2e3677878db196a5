import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** History rows of one call that are alike are found together, in their order. */
export async function up(db: Db): Promise<void> {
  await sql`drop index audit_request`.execute(db);
  await sql`create index audit_request on audit (request_id, action, id)`.execute(db);
}
