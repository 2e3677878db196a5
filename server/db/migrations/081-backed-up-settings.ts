import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** What the settings of a device were when it was backed up last, so that a change since can be seen. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  await sql`alter table device_details add column backed_up_at ${sql.raw(tools.bigint)}`.execute(db);
  await sql`alter table device_details add column backed_up_settings ${tools.binaryText}`.execute(db);
}
