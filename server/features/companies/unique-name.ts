import type { Trx } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { NameTaken } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/**
 * Refuses a name that another company below the same parent has, where the actor sees that parent. Anyone who names a company among others that they do not see may use
 * any name: a refusal would tell of those. Throws NAME_TAKEN at `source`.
 */
export async function assertNameFree(
  trx: Trx,
  actor: Actor,
  company: { id?: number; parent_id: number | null; name: string },
  source?: string,
): Promise<void> {
  if (company.parent_id === null) return;
  const parent = await trx
    .selectFrom('companies')
    .select('id')
    .where('companies.id', '=', company.parent_id)
    .where(isVisible(actor, 'companies'))
    .executeTakeFirst();
  if (!parent) return;
  // A write locks the row on both databases: companies of one parent get their names one after the other.
  await trx.updateTable('companies').set({ id: parent.id }).where('id', '=', parent.id).execute();
  const other = await trx
    .selectFrom('companies')
    .select('id')
    .where('parent_id', '=', company.parent_id)
    .where('name', '=', company.name)
    .where('removed_at', 'is', null)
    .where('id', '!=', company.id ?? 0)
    .executeTakeFirst();
  if (other) throw new NameTaken({ name: company.name }, source === undefined ? {} : { source });
}
