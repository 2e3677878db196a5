import { sql } from 'kysely';
import type { KeptMail } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { applyListQuery, containsAny, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { idParams } from '../../kernel/ids.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { textOfKept } from '../../kernel/mail/send-mail.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';

const KEPT_MS = 7 * DAY;
const access = { permission: 'super_admin' } as const;
const tag = 'mail';

const column = (name: string) => sql.ref(`mail_log.${name}`);
const columns: ListColumns = {
  id: sql.ref('mail_log.id'),
  sorts: { created_at: { by: column('at') } },
  filters: {
    to: (values) => containsAny(column('email'), values),
  },
};

const keptMails = (db: Db) =>
  db
    .selectFrom('mail_log')
    .innerJoin('companies', 'companies.id', 'mail_log.company_id')
    .selectAll('mail_log')
    .select('companies.name as company_name')
    .where('mail_log.status', '=', 'kept')
    .where('mail_log.sealed_text', 'is not', null);

/** One page of what would have been mailed; only system administrators, who see all companies, come here. */
async function listKept(db: Db, query: ListQuery): Promise<{ rows: KeptMail[]; total: number }> {
  const { rows, total } = await applyListQuery(keptMails(db), query, columns);
  return {
    rows: rows.map(({ id, email, subject, company_name, at }) => ({
      id,
      to: email,
      subject,
      company_name,
      created_at: wireTime(at),
      expires_at: wireTime(at + KEPT_MS),
    })),
    total,
  };
}

/** One kept mail with its text. It may hold links that sign its reader in as somebody else, so reading is audited. Throws NOT_FOUND. */
async function readKept(ctx: Context, { actor, origin }: Caller, id: number): Promise<{ to: string; subject: string; text: string }> {
  return inTransaction(ctx.db, async (trx) => {
    const row = await keptMails(trx).where('mail_log.id', '=', id).executeTakeFirst();
    const text = row && textOfKept(ctx, row);
    if (row === undefined || text === undefined) throw new NotFound({});
    const read = { to: row.email, subject: row.subject };
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [
      {
        action: 'mailbox.read',
        entity: 'mail',
        entityId: id,
        entityName: row.email,
        companyId: row.company_id,
        before: null,
        after: read,
      },
    ]);
    return { ...read, text };
  });
}

/** Forgets the email templates that were kept for seven days; their rows stay in the log. */
export async function forgetKept(ctx: Context): Promise<void> {
  await ctx.db
    .updateTable('mail_log')
    .set({ sealed_text: null })
    .where('status', '=', 'kept')
    .where('sealed_text', 'is not', null)
    .where('at', '<', ctx.clock.now() - KEPT_MS)
    .execute();
}

/** Registers the mailbox of an installation without a mail server. */
export function registerMailbox(app: App): void {
  listRoute(app, {
    path: '/system/mailbox',
    access,
    summary: 'Mails that were kept here because there is no mail server.',
    tag,
    rules: listRulesOf('mailbox'),
    list: (ctx, _actor, query) => listKept(ctx.reads, query),
  });
  route(app, {
    method: 'GET',
    path: '/system/mailbox/:id',
    access,
    summary: 'One kept mail with its text; reading it is audited.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, origin, params }) => ok(await readKept(ctx, { actor, origin }, params.id)),
  });
}
