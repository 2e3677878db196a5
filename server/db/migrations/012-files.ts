import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** Files of companies, of devices, and of the whole installation (without a company). The bytes lie in the file store under `content_key`. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table files (id ${tools.idColumn}, company_id ${big} references companies (id) on delete cascade, device_id ${big} references devices (id) on delete set null,
    type text not null, name ${tools.binaryText} not null, description text not null, size ${big} not null, sha256 text not null, content_key text not null,
    device_model text, version text, uploaded_by ${big} references users (id) on delete set null, created_at ${big} not null, updated_at ${big} not null)`.execute(
    db,
  );
  await sql`create index files_company on files (company_id, name)`.execute(db);
  await sql`create index files_device on files (device_id)`.execute(db);
  await sql`create unique index files_content on files (content_key)`.execute(db);
}
