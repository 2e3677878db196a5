import { readFileSync } from 'node:fs';
import type { DialectTools } from '../dialect.ts';
import { runSql } from '../run-sql.ts';
import type { Db } from '../schema.ts';

const INDEXES = `drop index devices_name;
drop index devices_company;
create index devices_name on devices (name_key, id, company_id, status);
create index devices_company on devices (company_id, status, name_key);`;

/** Lists are in natural order and searched by folded text: devices keep the key of their name, and every text that search looks in is folded. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await runSql(db, tools, readFileSync(new URL(`./003-text-order/only-${tools.kind}.sql`, import.meta.url), 'utf8'));
  await runSql(db, tools, INDEXES);
}
