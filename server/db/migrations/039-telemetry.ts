import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

const HOUR = 3_600_000;
const ROLL_UPS = [
  ['device_hours', HOUR],
  ['device_days', 24 * HOUR],
] as const;

/** Readings rolled up by hour and day, texts where they change, and traffic by day and SIM. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const real = sql.raw(tools.kind === 'postgres' ? 'double precision' : 'real');
  const device = sql`device_id ${big} not null references devices (id) on delete cascade`;
  const flat = tools.kind === 'postgres' ? sql`` : sql`without rowid`;
  for (const [table, width] of ROLL_UPS) {
    await sql`create table ${sql.table(table)} (${device}, metric text not null, at ${big} not null, readings integer not null, lowest ${real} not null,
      highest ${real} not null, total ${real} not null, last ${real} not null, primary key (device_id, metric, at)) ${flat}`.execute(db);
    await sql`create index ${sql.ref(`${table}_at`)} on ${sql.table(table)} (at)`.execute(db);
    const step = sql`at - at % cast(${sql.lit(width)} as ${big})`;
    await sql`insert into ${sql.table(table)} (device_id, metric, at, readings, lowest, highest, total, last)
      select device_id, metric, ${step}, count(*), min(value), max(value), sum(value), max(value) from device_samples group by device_id, metric, ${step}`.execute(
      db,
    );
  }
  await sql`create table device_metrics (${device}, metric text not null, primary key (device_id, metric)) ${flat}`.execute(db);
  await sql`insert into device_metrics (device_id, metric) select distinct device_id, metric from device_samples`.execute(db);
  await sql`create table device_states (${device}, name text not null, at ${big} not null, value text not null, primary key (device_id, name, at)) ${flat}`.execute(
    db,
  );
  await sql`create index device_states_at on device_states (at)`.execute(db);
  await sql`create table device_traffic (${device}, day ${big} not null, sim integer not null, sent ${big} not null, received ${big} not null,
    primary key (device_id, day, sim)) ${flat}`.execute(db);
  await sql`create index device_traffic_day on device_traffic (day)`.execute(db);
}
