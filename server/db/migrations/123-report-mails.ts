import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** To whom reports are mailed, alerts of devices in them, and what people did in the period. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  for (const table of ['reports', 'generated_reports']) {
    await sql`alter table ${sql.table(table)} add column mail_to text not null default '[]'`.execute(db);
    await sql`alter table ${sql.table(table)} add column mail_language text not null default 'en'`.execute(db);
  }
  await sql`alter table generated_reports add column mailed_at ${big}`.execute(db);
  await sql`create index generated_reports_mails on generated_reports (id) where mailed_at is null and mail_to <> '[]'`.execute(db);
  await sql`alter table report_devices add column alerts integer`.execute(db);
  await sql`create table report_audits (generated_id ${big} not null references generated_reports (id) on delete cascade, company_id ${big} not null,
    action text not null, count integer not null, people integer not null, primary key (generated_id, company_id, action))`.execute(db);
}
