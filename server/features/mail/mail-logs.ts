import { sql } from 'kysely';
import type { MailLog } from '../../../schemas/_generated/contract.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsAny, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import type { App } from '../../kernel/route.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

const column = (name: string) => sql.ref(`mail_log.${name}`);
const columns: ListColumns = {
  id: sql.ref('mail_log.id'),
  sorts: { created_at: { by: column('at') } },
  filters: {
    type: (values) => isOneOf(column('kind'), values),
    status: (values) => isOneOf(column('status'), values),
    company_id: (values) => isWithin(column('company_id'), integers(values)),
    to: (values) => containsAny(column('email'), values),
  },
};

function presentMail(row: Row<'mail_log'> & { company_name: string }): MailLog {
  const { id, email, subject, kind, status, error, tries, company_id, company_name, server } = row;
  const [created_at, next_try_at] = [wireTime(row.at), wireTime(row.next_try_at)];
  return { id, to: email, subject, type: kind, status, error, tries, next_try_at, company_id, company_name, server, created_at };
}

/** One page of the mails of companies that the actor sees. */
async function listMails(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: MailLog[]; total: number }> {
  const base = db
    .selectFrom('mail_log')
    .innerJoin('companies', 'companies.id', 'mail_log.company_id')
    .where(isVisible(actor, 'mail_log'))
    .selectAll('mail_log')
    .select('companies.name as company_name');
  const { rows, total } = await applyListQuery(base, query, columns);
  return { rows: rows.map(presentMail), total };
}

/** Registers the log of mails: to whom, about what, and what the mail server said. */
export function registerMailLogs(app: App): void {
  listRoute(app, {
    path: '/system/mail-logs',
    access: { permission: 'view_mail_logs' },
    summary: 'Mails of the companies that the caller sees.',
    tag: 'mail',
    rules: listRulesOf('mail-logs'),
    list: (context, actor, query) => listMails(context.reads, actor, query),
  });
}
