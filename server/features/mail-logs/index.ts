import { sql } from 'kysely';
import type { MailLog } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { DAY, HOUR, wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import type { App } from '../../kernel/route.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

const RETENTION_MS = 90 * DAY;
const ROWS_PER_CLEANING = 5000;

const column = (name: string) => sql.ref(`mail_log.${name}`);
const columns: ListColumns = {
  id: sql.ref('mail_log.id'),
  sorts: { created_at: { by: column('at') } },
  filters: {
    status: (values) => isOneOf(column('status'), values),
    company_id: (values) => isWithin(column('company_id'), integers(values)),
    to: (values) =>
      sql`(${sql.join(
        values.map((value) => containsText([column('email')], value)),
        sql` or `,
      )})`,
  },
};

function presentMail(row: Row<'mail_log'> & { company_name: string }): MailLog {
  const { id, email, subject, status, error, company_id, company_name } = row;
  return { id, to: email, subject, status, error, company_id, company_name, created_at: wireTime(row.at) };
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

async function forgetMails(ctx: Context): Promise<void> {
  const end = ctx.clock.now() - RETENTION_MS;
  await ctx.db
    .deleteFrom('mail_log')
    .where('id', 'in', (eb) => eb.selectFrom('mail_log').select('id').where('at', '<', end).limit(ROWS_PER_CLEANING))
    .execute();
}

/** Registers the log of mails: to whom, about what, and what the mail server said. */
export function registerMailLogs(app: App): void {
  const { ctx, fastify } = app;
  listRoute(app, {
    path: '/system/mail-logs',
    access: { permission: 'view_mail_logs' },
    summary: 'Mails of the companies that the caller sees.',
    tag: 'mail-logs',
    rules: listRulesOf('mail-logs'),
    list: (context, actor, query) => listMails(context.reads, actor, query),
  });
  let stop: (() => void) | undefined;
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(HOUR, () => forgetMails(ctx));
  });
  fastify.addHook('onClose', async () => stop?.());
}
