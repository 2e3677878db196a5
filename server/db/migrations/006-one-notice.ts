import { readFileSync } from 'node:fs';
import type { DialectTools } from '../dialect.ts';
import { runSql } from '../run-sql.ts';
import type { Db } from '../schema.ts';

/** What people hear of a device that is behind the router of its site waits until it is known whether the router is silent as well. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await runSql(db, tools, readFileSync(new URL('./006-one-notice.sql', import.meta.url), 'utf8'));
}
