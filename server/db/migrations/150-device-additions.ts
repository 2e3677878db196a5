import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** What became of each device of a call that added devices. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table device_additions (id ${tools.idColumn}, user_id ${big} not null references users (id) on delete cascade,
    results text not null, credit_job_id ${big} references jobs (id) on delete set null, created_at ${big} not null)`.execute(db);
  await sql`create index device_additions_user on device_additions (user_id)`.execute(db);
  await sql`create index device_additions_job on device_additions (credit_job_id) where credit_job_id is not null`.execute(db);
  await sql`create index device_additions_time on device_additions (created_at)`.execute(db);
}
