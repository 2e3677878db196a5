import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Names of companies are unique only among those that the person who gives them sees; see docs/decisions/291-what-answers-do-not-tell.md. */
export async function up(db: Db): Promise<void> {
  await sql`drop index companies_parent_name`.execute(db);
  await sql`create index companies_parent_name on companies (parent_id, name) where removed_at is null`.execute(db);
}
