import { sql } from 'kysely';
import type { FormData, NotificationRule } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';

const MAX_RULES = 100;

const columns: ListColumns = {
  id: sql.ref('notification_rules.id'),
  sorts: { company_name: byText(sql`coalesce(companies.name, '')`) },
  filters: {},
};

function presentRule(row: Row<'notification_rules'> & { company_name: string | null }): NotificationRule {
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    in_console: JSON.parse(row.in_console) as string[],
    by_mail: JSON.parse(row.by_mail) as string[],
    alert_mail: row.alert_mail,
    remind_minutes: row.remind_minutes,
    updated_at: wireTime(row.updated_at),
  };
}

/** The actor's own rules; those of companies that it does not see any more are left out, and have no effect either. */
export async function listRules(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: NotificationRule[]; total: number }> {
  const base = ctx.reads
    .selectFrom('notification_rules')
    .leftJoin('companies', 'companies.id', 'notification_rules.company_id')
    .where('user_id', '=', actor.userId)
    .where((eb) => eb.or([eb('notification_rules.company_id', 'is', null), isVisible(actor, 'companies')]))
    .selectAll('notification_rules')
    .select('companies.name as company_name');
  const { rows, total } = await applyListQuery(base, query, columns);
  return { rows: rows.map(presentRule), total };
}

/** One of the actor's rules. Throws NOT_FOUND. */
export async function getRule(ctx: Context, actor: Actor, id: number): Promise<NotificationRule> {
  const { rows } = await listRules(ctx, actor, {
    limit: 1,
    offset: 0,
    q: undefined,
    sort: [],
    ids: [id],
    fields: undefined,
    filters: [],
  });
  const [rule] = rows;
  if (!rule) throw new NotFound({});
  return rule;
}

function taken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new InvalidFields([
    { source: 'company_id', message: 'There is a rule for this already.', params: { key: 'forms.notifications.rule_taken' } },
  ]);
}

/** Adds a rule. Throws NOT_FOUND, or INVALID_FIELD for a second rule of the same company, at `company_id`. */
export async function addRule(ctx: Context, actor: Actor, input: FormData['notifications/new-rule']): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (input.company_id !== undefined) await requireCompany(trx, actor, input.company_id, 'company_id');
    const { count } = await trx
      .selectFrom('notification_rules')
      .select(sql<number>`count(*)`.as('count'))
      .where('user_id', '=', actor.userId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_RULES)
      throw new InvalidFields([{ source: 'company_id', message: `At most ${MAX_RULES} rules are kept.`, params: { max: MAX_RULES } }]);
    await trx
      .insertInto('notification_rules')
      .values({
        user_id: actor.userId,
        company_id: input.company_id ?? null,
        in_console: JSON.stringify(input.in_console ?? []),
        by_mail: JSON.stringify(input.by_mail ?? []),
        alert_mail: input.alert_mail ?? 'none',
        remind_minutes: input.remind_minutes ?? 0,
        updated_at: ctx.clock.now(),
      })
      .execute();
  }).catch(taken);
}

/** Changes one of the actor's rules. Throws NOT_FOUND. */
export async function editRule(ctx: Context, actor: Actor, id: number, input: FormData['notifications/edit-rule']): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('notification_rules')
    .set({
      in_console: JSON.stringify(input.in_console ?? []),
      by_mail: JSON.stringify(input.by_mail ?? []),
      alert_mail: input.alert_mail ?? 'none',
      remind_minutes: input.remind_minutes ?? 0,
      updated_at: ctx.clock.now(),
    })
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new NotFound({});
}

/** Removes one of the actor's rules. Throws NOT_FOUND. */
export async function removeRule(ctx: Context, actor: Actor, id: number): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('notification_rules')
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotFound({});
}
