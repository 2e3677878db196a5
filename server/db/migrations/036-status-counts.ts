import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/**
 * How many devices of each status a company has, kept by the database: SQLite would count them one by one for every list. PostgreSQL counts
 * with several readers at once, and its writers would wait for each other at the row of a company.
 */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  if (tools.kind === 'postgres') return;
  // Columns as in `devices`, so that conditions on these two hold for both tables.
  await sql`create table device_counts (company_id integer not null references companies (id) on delete cascade, status integer,
    devices integer not null)`.execute(db);
  await sql`create unique index device_counts_company on device_counts (company_id, ifnull(status, -1))`.execute(db);
  await sql`create index device_counts_sum on device_counts (company_id, status, devices)`.execute(db);
  await sql`insert into device_counts (company_id, status, devices) select company_id, status, count(*) from devices group by 1, 2`.execute(
    db,
  );
  const less = sql`update device_counts set devices = devices - 1
    where company_id = old.company_id and ifnull(status, -1) = ifnull(old.status, -1);`;
  const more = sql`insert into device_counts (company_id, status, devices) values (new.company_id, new.status, 1)
    on conflict (company_id, ifnull(status, -1)) do update set devices = devices + 1;`;
  await sql`create trigger device_counts_insert after insert on devices begin ${more} end`.execute(db);
  await sql`create trigger device_counts_delete after delete on devices begin ${less} end`.execute(db);
  await sql`create trigger device_counts_update after update of company_id, status on devices
    when old.company_id <> new.company_id or old.status is not new.status begin ${less} ${more} end`.execute(db);
}
