import { readFileSync } from 'node:fs';
import type { DialectTools } from '../dialect.ts';
import { runSql } from '../run-sql.ts';
import type { Db } from '../schema.ts';

/** The files of `001-initial/`: a table comes after those that it refers to. */
const FILES = [
  'companies-and-people',
  'accounts',
  'devices',
  'wireless',
  'telemetry',
  'jobs-and-files',
  'tasks-and-passwords',
  'configurations',
  'credits',
  'messages',
  'automations-and-reports',
  'remote-access',
  'vpn',
];

/** The whole schema of version 0.1.0. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  for (const name of [...FILES, `only-${tools.kind}`])
    await runSql(db, tools, readFileSync(new URL(`./001-initial/${name}.sql`, import.meta.url), 'utf8'));
}
