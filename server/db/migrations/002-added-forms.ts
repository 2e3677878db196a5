import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table form_versions (form_id ${tools.binaryText} not null, number integer not null, text text not null, sha256 text not null,
    user_id ${big} references users (id) on delete set null, user_name text not null, note text not null, at ${big} not null, primary key (form_id, number))`.execute(
    db,
  );
  await sql`create table webhook_deliveries (id ${tools.idColumn}, form_id ${tools.binaryText} not null, target text not null, path text not null, sealed_body text not null,
    state text not null, attempts integer not null, next_at ${big} not null, user_id ${big} references users (id) on delete set null, user_name text not null,
    created_at ${big} not null, finished_at ${big})`.execute(db);
  await sql`create index webhook_deliveries_due on webhook_deliveries (state, next_at)`.execute(db);
  await sql`create index webhook_deliveries_form on webhook_deliveries (form_id, id)`.execute(db);
  await sql`create table webhook_attempts (id ${tools.idColumn}, delivery_id ${big} not null references webhook_deliveries (id) on delete cascade, at ${big} not null,
    status integer, reason text, duration_ms integer not null)`.execute(db);
  await sql`create index webhook_attempts_delivery on webhook_attempts (delivery_id, id)`.execute(db);
}
