import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** Companies can be removed and come back, and may use the credits of their parent; history rows are final, and say what they undo. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table companies add column removed_at ${big}`.execute(db);
  await sql`alter table companies add column can_use_parent_license integer not null default 0`.execute(db);
  // A removed company leaves its name free.
  await sql`drop index companies_parent_name`.execute(db);
  await sql`create unique index companies_parent_name on companies (parent_id, name) where removed_at is null`.execute(db);
  await sql`create index companies_removed on companies (removed_at) where removed_at is not null`.execute(db);
  await sql`alter table audit add column undoes ${big}`.execute(db);
  await sql`create unique index audit_undoes on audit (undoes) where undoes is not null`.execute(db);
  await sql`create index audit_request on audit (request_id)`.execute(db);
  if (tools.kind === 'sqlite') {
    await sql`create trigger audit_no_update before update on audit begin select raise(abort, 'history rows are final'); end`.execute(db);
    await sql`create trigger audit_no_delete before delete on audit begin select raise(abort, 'history rows are final'); end`.execute(db);
    return;
  }
  await sql`create function audit_is_final() returns trigger language plpgsql as $$ begin raise exception 'history rows are final'; end $$`.execute(
    db,
  );
  await sql`create trigger audit_is_final before update or delete on audit for each row execute function audit_is_final()`.execute(db);
}
