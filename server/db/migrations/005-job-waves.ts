import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Jobs may go about their devices in waves. */
export async function up(db: Db): Promise<void> {
  await sql`alter table jobs add column wave_size integer`.execute(db);
  await sql`alter table jobs add column wave_stop_percent integer`.execute(db);
  await sql`alter table jobs add column wave_number integer not null default 0`.execute(db);
  await sql`alter table jobs add column wave_floor integer not null default 0`.execute(db);
  await sql`alter table jobs add column wave_stopped integer not null default 0`.execute(db);
}
