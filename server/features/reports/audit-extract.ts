import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import type { Period } from './periods.ts';

const MOST_KINDS = 500;

/** Keeps in a report what people changed in a company and below it in a period: how often each kind of change was made, and by how many. */
export async function keepAudit(
  trx: Trx,
  actor: Actor,
  { generatedId, companyId, period }: { generatedId: number; companyId: number; period: Period },
): Promise<void> {
  if (!can(actor, 'view_history')) return;
  const rows = await trx
    .selectFrom('audit')
    .select(['audit.company_id', 'audit.action'])
    .select([sql<number>`count(*)`.as('count'), sql<number>`count(distinct audit.actor_id)`.as('people')])
    .where('audit.at', '>=', period.start)
    .where('audit.at', '<', period.end)
    .where(isVisible(actor, 'audit'))
    .where(isWithin(sql.ref('audit.company_id'), [companyId]))
    .groupBy(['audit.company_id', 'audit.action'])
    .orderBy('count', 'desc')
    .limit(MOST_KINDS)
    .execute();
  for (const { company_id, action, count, people } of rows)
    if (company_id !== null)
      await trx
        .insertInto('report_audits')
        .values({ generated_id: generatedId, company_id, action, count: Number(count), people: Number(people) })
        .execute();
}

/** What a report says of changes, to those who may see the history, of the companies that they see; the most frequent kinds first. */
export async function readAudit(
  ctx: Context,
  actor: Actor,
  generatedId: number,
): Promise<{ action: string; count: number; people: number }[]> {
  if (!can(actor, 'view_history')) return [];
  const rows = await ctx.reads
    .selectFrom('report_audits')
    .select(['action', sql<number>`sum(count)`.as('count'), sql<number>`max(people)`.as('people')])
    .where('generated_id', '=', generatedId)
    .where(isVisible(actor, 'report_audits'))
    .groupBy('action')
    .orderBy('count', 'desc')
    .execute();
  return rows.map(({ action, count, people }) => ({ action, count: Number(count), people: Number(people) }));
}
