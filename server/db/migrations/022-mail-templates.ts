import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** What mails of a company say, where it has words of its own. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table email_templates (company_id ${big} not null references companies (id) on delete cascade, kind text not null,
    language text not null, subject text not null, text text not null, updated_at ${big} not null, primary key (company_id, kind, language))`.execute(
    db,
  );
}
