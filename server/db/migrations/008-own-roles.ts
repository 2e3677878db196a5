import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Roles of companies have one title each. */
export async function up(db: Db): Promise<void> {
  await sql`create unique index roles_company_title on roles (company_id, title)`.execute(db);
}
