import { readFileSync } from 'node:fs';
import type { DialectTools } from '../dialect.ts';
import { runSql } from '../run-sql.ts';
import type { Db } from '../schema.ts';

/** Indexes by which the rows that are too old are found, in every table that grows. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await runSql(db, tools, readFileSync(new URL('./002-retention.sql', import.meta.url), 'utf8'));
}
