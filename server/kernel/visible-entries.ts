import { sql, type Expression, type SqlBool } from 'kysely';
import type { Actor } from './actor.ts';
import { isVisible } from './tenancy.ts';

/**
 * The condition "this row of the history is shown to the actor": it happened in a company that the actor sees. A removal is kept with the company
 * above; who sees no companies below their own is shown only the outcome of that one. What left a company is shown once to those who see where it went.
 */
export function visibleEntries(actor: Pick<Actor, 'scope' | 'companyId' | 'companyPath'>): Expression<SqlBool> {
  const visible = sql<SqlBool>`(${isVisible(actor, 'audit')} and (audit.left_for_id is null
    or not exists (select 1 from companies where companies.id = audit.left_for_id and ${isVisible(actor, 'companies')})))`;
  if (actor.scope !== 'company') return visible;
  return sql<SqlBool>`(${visible} and (audit.entity <> 'company' or audit.entity_id = ${actor.companyId}))`;
}
