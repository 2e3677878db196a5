import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Where people say that a device is, how often it reports, and whether it does. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const real = sql.raw(tools.real);
  await sql`alter table devices add column user_set_latitude ${real}`.execute(db);
  await sql`alter table devices add column user_set_longitude ${real}`.execute(db);
  await sql`alter table devices add column dynamic_monitoring integer`.execute(db);
  await sql`alter table devices add column monitoring_enabled integer not null default 1`.execute(db);
}
