import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** Roles of companies have one title each; some users are programs: accounts of a company that act by access tokens only. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create unique index roles_company_title on roles (company_id, title)`.execute(db);
  await sql`create table service_accounts (user_id ${big} primary key references users (id) on delete cascade,
    company_id ${big} not null references companies (id) on delete cascade, description text not null)`.execute(db);
  await sql`create index service_accounts_company on service_accounts (company_id)`.execute(db);
}
