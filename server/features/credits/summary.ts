import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { getCreditType } from './types.ts';

/** What is left of each type in all companies that the actor sees, and what ever came in there. */
export async function sumCredits(db: Db, actor: Actor) {
  const rows = await db
    .selectFrom('credit_accounts')
    .select(['credit_type_id', sql<number>`cast(sum(balance) as bigint)`.as('left')])
    .where('kind', '=', 'company')
    .where('credit_type_id', '>', 0)
    .where(isVisible(actor, 'credit_accounts'))
    .groupBy('credit_type_id')
    .orderBy('credit_type_id')
    .execute();
  return rows.map((row) => {
    const type = getCreditType(row.credit_type_id);
    return {
      credit_type_id: type.id,
      credit_type: type.kind,
      credit_type_name: type.title,
      payment_type: type.payment_type,
      credits_left: Number(row.left),
    };
  });
}
