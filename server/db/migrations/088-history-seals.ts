import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Seals over the rows of the history: each has the hash of its rows and of the seal before it. Rows under an expired seal may go. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table audit_seals (id ${tools.idColumn}, first_id ${big} not null, last_id ${big} not null, count ${big} not null,
    last_at ${big} not null, previous text not null, hash text not null, sealed_at ${big} not null, expired ${big} not null default 0)`.execute(
    db,
  );
  await sql`create unique index audit_seals_first on audit_seals (first_id)`.execute(db);
  await sql`create index audit_seals_last on audit_seals (last_id)`.execute(db);
  const columns = sql`first_id, last_id, count, last_at, previous, hash, sealed_at`;
  const expired = sql`exists (select 1 from audit_seals where expired = 1 and old.id between first_id and last_id)`;
  if (tools.kind === 'sqlite') {
    const stop = sql`begin select raise(abort, 'seals of the history are final'); end`;
    await sql`create trigger audit_seals_no_update before update of ${columns} on audit_seals ${stop}`.execute(db);
    await sql`create trigger audit_seals_no_delete before delete on audit_seals ${stop}`.execute(db);
    await sql`drop trigger audit_no_delete`.execute(db);
    await sql`create trigger audit_no_delete before delete on audit when not ${expired}
      begin select raise(abort, 'history rows are final'); end`.execute(db);
    return;
  }
  await sql`create or replace function audit_is_final() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and ${expired} then return old; end if;
    raise exception 'history rows are final'; end $$`.execute(db);
  await sql`create function audit_seals_are_final() returns trigger language plpgsql as
    $$ begin raise exception 'seals of the history are final'; end $$`.execute(db);
  await sql`create trigger audit_seals_no_update before update of ${columns} on audit_seals
    for each row execute function audit_seals_are_final()`.execute(db);
  await sql`create trigger audit_seals_no_delete before delete on audit_seals for each row execute function audit_seals_are_final()`.execute(
    db,
  );
}
