import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Mail servers of companies. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table email_configurations (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, host text not null, port integer not null, security text not null, email text not null, username text not null,
    sealed_password text not null, created_at ${big} not null)`.execute(db);
  await sql`create unique index email_configurations_company on email_configurations (company_id)`.execute(db);
}
