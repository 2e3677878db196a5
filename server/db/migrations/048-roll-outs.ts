import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** Roll-outs: which wave a device was in, jobs that stop and wait for somebody, and devices that wait for a time of their own. */
export async function up(db: Db): Promise<void> {
  await sql`alter table jobs add column wave_holds integer not null default 0`.execute(db);
  await sql`alter table jobs add column wave_forgiven integer not null default 0`.execute(db);
  await sql`alter table jobs add column wave_counted integer not null default 0`.execute(db);
  await sql`alter table job_targets add column wave integer`.execute(db);
}
