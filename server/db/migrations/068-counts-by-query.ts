import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** Devices and memberships are counted when they are asked for, by indexes. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const kept = [
    { table: 'devices', name: 'devices_count' },
    { table: 'memberships', name: 'memberships_count' },
    { table: 'companies', name: 'company_counts_insert' },
  ];
  if (tools.kind === 'postgres') {
    for (const { table, name } of kept) {
      await sql`drop trigger ${sql.ref(name)} on ${sql.table(table)}`.execute(db);
      await sql`drop function ${sql.ref(name)}()`.execute(db);
    }
  } else {
    const names = ['devices_count', 'memberships_count', 'device_counts'].flatMap((name) =>
      ['insert', 'delete', 'update'].map((event) => `${name}_${event}`),
    );
    for (const name of [...names, 'company_counts_insert']) await sql`drop trigger ${sql.ref(name)}`.execute(db);
    await sql`drop table device_counts`.execute(db);
  }
  await sql`drop table company_counts`.execute(db);
}
