import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Every rule that an automation has had. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table automation_versions (automation_id ${big} not null references automations (id) on delete cascade, version integer not null,
    rule text not null, user_name text not null, created_at ${big} not null, primary key (automation_id, version))`.execute(db);
  await sql`insert into automation_versions (automation_id, version, rule, user_name, created_at)
    select id, version, rule, user_name, updated_at from automations`.execute(db);
}
