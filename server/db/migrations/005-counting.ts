import { readFileSync } from 'node:fs';
import type { DialectTools } from '../dialect.ts';
import { runSql } from '../run-sql.ts';
import type { Db } from '../schema.ts';

/** When no device could be heard, and what a device's counters are compared with. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await runSql(db, tools, readFileSync(new URL('./005-counting.sql', import.meta.url), 'utf8'));
}
