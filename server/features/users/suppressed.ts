import { sql, type Expression, type SqlBool } from 'kysely';
import type { SuppressedEmail } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { applyListQuery, byText, containsAny, integers, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import type { App } from '../../kernel/route.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

const column = (name: string) => sql.ref(`suppressed_emails.${name}`);
const columns: ListColumns = {
  id: sql.ref('suppressed_emails.id'),
  sorts: { email: byText(column('email')), created_at: { by: column('created_at') } },
  filters: {
    company_id: (values) => isWithin(column('company_id'), integers(values)),
    email: (values) => containsAny(column('email'), values),
  },
};

/** One page of the addresses that get no mail of the companies that the actor sees. */
async function listSuppressed(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: SuppressedEmail[]; total: number }> {
  const base = db
    .selectFrom('suppressed_emails')
    .innerJoin('companies', 'companies.id', 'suppressed_emails.company_id')
    .where(isVisible(actor, 'suppressed_emails'))
    .selectAll('suppressed_emails')
    .select('companies.name as company_name');
  const { rows, total } = await applyListQuery(base, query, columns);
  return { rows: rows.map((row) => ({ ...row, created_at: wireTime(row.created_at) })), total };
}

async function removeSuppressed(ctx: Context, { actor, origin }: Caller, which: Expression<SqlBool>, source?: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const rows = await trx
      .deleteFrom('suppressed_emails')
      .where(which)
      .where(isVisible(actor, 'suppressed_emails'))
      .returningAll()
      .execute();
    if (rows.length === 0) throw new NotFound({}, source === undefined ? {} : { source });
    const entries = rows.map((row) => ({
      action: 'suppressed-emails.remove',
      entity: 'suppressed_email',
      entityId: row.id,
      entityName: row.email,
      companyId: row.company_id,
      before: { ...row },
      after: null,
    }));
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, entries);
  });
}

/** Takes an address off the suppression lists that the actor sees, so that mail is tried again. Throws NOT_FOUND at `email`. */
export async function removeSuppressedEmail(ctx: Context, caller: Caller, email: string): Promise<void> {
  await removeSuppressed(ctx, caller, sql<SqlBool>`${column('email')} = ${email.trim().toLowerCase()}`, 'email');
}

/** Registers the list of addresses that refused our mail, and taking one of it off. */
export function registerSuppressed(app: App): void {
  listRoute(app, {
    path: '/system/suppressed-emails',
    access: { permission: 'update_users' },
    summary: 'Addresses that refused mail and get none any more.',
    tag: 'mail',
    rules: listRulesOf('suppressed-emails'),
    list: (ctx, actor, query) => listSuppressed(ctx.reads, actor, query),
  });
  formRoute(app, 'mail/remove-suppressed', async ({ ctx, actor, origin, params }) => {
    await removeSuppressed(ctx, { actor, origin }, sql<SqlBool>`${column('id')} = ${params.id}`);
    return ok();
  });
}
