import { sql } from 'kysely';
import type { RemovedCompany } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, type ListColumns } from '../../kernel/apply-list-query.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { CompanyRow } from './subtree.ts';

/** How long a removed company can be restored (docs/behaviour.md section 9). */
export const KEPT_MS = 30 * DAY;

/** Removed companies whose parent the actor sees; who sees one company only sees none. */
function removedBy(db: Db, actor: Actor) {
  const query = db
    .selectFrom('companies as gone')
    .leftJoin('companies', 'companies.id', 'gone.parent_id')
    .where('gone.removed_at', 'is not', null);
  if (actor.scope === 'company') return query.where(sql<boolean>`1 = 0`);
  return query.where((eb) =>
    actor.scope === 'all' ? eb.or([eb('gone.parent_id', 'is', null), isVisible(actor, 'companies')]) : isVisible(actor, 'companies'),
  );
}

/** One removed company that the actor may restore. */
export async function findRemoved(db: Db, actor: Actor, id: number): Promise<CompanyRow | undefined> {
  return removedBy(db, actor).selectAll('gone').where('gone.id', '=', id).executeTakeFirst();
}

const columns: ListColumns = {
  id: sql.ref('gone.id'),
  sorts: { name: byText('gone.name'), removed_at: { by: sql.ref('gone.removed_at') } },
  filters: {},
  search: (text) => containsText([sql.ref('gone.name')], text),
};

const remover = sql<string | null>`(select audit.actor_name from audit where audit.entity = 'company' and audit.entity_id = gone.id
  and audit.action = 'companies.remove' order by audit.id desc limit 1)`;

/** One page of the removed companies that the actor may restore. */
export async function listRemoved(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: RemovedCompany[]; total: number }> {
  const base = removedBy(db, actor)
    .selectAll('gone')
    .select(['companies.name as parent_name', remover.as('user_name')]);
  const { rows, total } = await applyListQuery(base, query, columns);
  const present = rows.map(({ id, name, parent_id, parent_name, user_name, removed_at }) => ({
    id,
    name,
    parent_id,
    parent_name,
    user_name: user_name ?? '',
    removed_at: wireTime(removed_at ?? 0),
    purge_at: wireTime((removed_at ?? 0) + KEPT_MS),
  }));
  return { rows: present, total };
}
