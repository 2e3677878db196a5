import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Companies may be shown no way to buy. */
export async function up(db: Db): Promise<void> {
  await sql`alter table companies add column show_payment integer not null default 1`.execute(db);
}
