import { sql } from 'kysely';
import { pointOf } from '../../../schemas/kit/mercator.ts';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

const ROWS_PER_INSERT = 500;

interface Known {
  device_id: number;
  latitude: number;
  longitude: number;
  source: string;
  at: number;
}

/** Where each device is, in a narrow table that maps read quickly. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const real = sql.raw(tools.real);
  await sql`create table device_places (device_id ${big} primary key references devices (id) on delete cascade,
    latitude ${real} not null, longitude ${real} not null, x integer not null, y integer not null, source text not null,
    at ${big} not null)`.execute(db);
  await sql`create index device_places_point on device_places (x, y, device_id)`.execute(db);
  const { rows } =
    await sql<Known>`select id as device_id, user_set_latitude as latitude, user_set_longitude as longitude, 'user' as source,
      updated_at as at from devices where user_set_latitude is not null and user_set_longitude is not null
    union all
    select p.device_id, p.latitude, p.longitude, 'gps', p.at from device_positions as p
      where p.at = (select max(newest.at) from device_positions as newest where newest.device_id = p.device_id)
      and not exists (select 1 from devices where devices.id = p.device_id and devices.user_set_latitude is not null)`.execute(db);
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const values = rows.slice(start, start + ROWS_PER_INSERT).map(({ device_id, latitude, longitude, source, at }) => {
      const { x, y } = pointOf(latitude, longitude);
      return sql`(${device_id}, ${latitude}, ${longitude}, ${x}, ${y}, ${source}, ${at})`;
    });
    await sql`insert into device_places (device_id, latitude, longitude, x, y, source, at) values ${sql.join(values)}`.execute(db);
  }
}
