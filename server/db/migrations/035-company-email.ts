import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** The address under which a company is reached; empty where none is known. */
export async function up(db: Db): Promise<void> {
  await sql`alter table companies add column email text not null default ''`.execute(db);
}
