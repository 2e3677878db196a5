import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** Mails that are tried again or kept here, and numbers for suppressed addresses. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table mail_log add column kind text not null default ''`.execute(db);
  await sql`alter table mail_log add column tries integer not null default 1`.execute(db);
  await sql`alter table mail_log add column next_try_at ${big}`.execute(db);
  await sql`alter table mail_log add column sealed_text text`.execute(db);
  await sql`create index mail_log_next_try on mail_log (next_try_at) where next_try_at is not null`.execute(db);
  await sql`create table numbered_suppressed_emails (id ${tools.idColumn}, email ${tools.binaryText} not null,
    company_id ${big} not null references companies (id) on delete cascade, reason text not null, created_at ${big} not null)`.execute(db);
  await sql`insert into numbered_suppressed_emails (email, company_id, reason, created_at)
    select email, company_id, reason, created_at from suppressed_emails order by created_at, email, company_id`.execute(db);
  await sql`drop table suppressed_emails`.execute(db);
  await sql`alter table numbered_suppressed_emails rename to suppressed_emails`.execute(db);
  await sql`create unique index suppressed_emails_email on suppressed_emails (email, company_id)`.execute(db);
}
