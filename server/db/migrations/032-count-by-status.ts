import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** How many devices of all companies are online is counted in one stretch of an index. */
export async function up(db: Db): Promise<void> {
  await sql`drop index devices_silent`.execute(db);
  await sql`create index devices_silent on devices (status, silent_at, company_id)`.execute(db);
}
