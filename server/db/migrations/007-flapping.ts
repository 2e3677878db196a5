import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';
import { runSql } from '../run-sql.ts';

/** How often the condition of an alert began and ended while it was open. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await runSql(db, tools, 'alter table alerts add column flapped integer not null default 0;');
}
