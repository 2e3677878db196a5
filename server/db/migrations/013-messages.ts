import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** Notifications (what happened, who is told, what each wants to hear, the daily mail) announcements, and the log of mails. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const company = sql`company_id ${big} not null references companies (id) on delete cascade`;
  const user = sql`${big} not null references users (id) on delete cascade`;
  await sql`create table notices (id ${tools.idColumn}, at ${big} not null, kind text not null, ${company}, subject_id ${big}, subject_name text not null,
    user_id ${big} references users (id) on delete cascade, details text not null)`.execute(db);
  await sql`create table notifications (id ${tools.idColumn}, user_id ${user}, ${company}, kind text not null, group_key ${tools.binaryText} not null,
    subject_id ${big}, subject_name text not null, details text not null, count integer not null, in_console integer not null, by_mail integer not null,
    created_at ${big} not null, updated_at ${big} not null, seen_at ${big})`.execute(db);
  await sql`create unique index notifications_unseen on notifications (user_id, group_key) where seen_at is null`.execute(db);
  await sql`create index notifications_newest on notifications (user_id, updated_at)`.execute(db);
  await sql`create index notifications_age on notifications (updated_at)`.execute(db);
  await sql`create index notifications_mail on notifications (user_id) where by_mail = 1`.execute(db);
  await sql`create table notification_rules (id ${tools.idColumn}, user_id ${user}, company_id ${big} references companies (id) on delete cascade,
    in_console text not null, by_mail text not null, updated_at ${big} not null)`.execute(db);
  // Every company counts as company 0: null is never equal to null.
  await sql`create unique index notification_rules_place on notification_rules (user_id, coalesce(company_id, 0))`.execute(db);
  await sql`create table notification_digests (user_id ${big} primary key references users (id) on delete cascade, hour integer not null, timezone text not null,
    language text not null, sent_on text)`.execute(db);
  await sql`create table mail_log (id ${tools.idColumn}, at ${big} not null, ${company}, email ${tools.binaryText} not null, subject text not null,
    status text not null, error text)`.execute(db);
  await sql`create index mail_log_company on mail_log (company_id, at)`.execute(db);
  await sql`create index mail_log_at on mail_log (at)`.execute(db);
  await sql`create table announcements (id ${tools.idColumn}, type text not null, summary text not null, company_id ${big} references companies (id) on delete cascade,
    audience text not null, starts_at ${big}, ends_at ${big}, created_at ${big} not null)`.execute(db);
  await sql`create table announcement_dismissals (user_id ${user}, announcement_id ${big} not null references announcements (id) on delete cascade,
    at ${big} not null, primary key (user_id, announcement_id))`.execute(db);
}
