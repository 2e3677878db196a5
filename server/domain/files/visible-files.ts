import { sql, type Expression, type SqlBool } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** The condition "this file is one the actor may use", for a query with `files`: those of the whole installation are everybody's, others follow their company. */
export function visibleFiles(actor: Actor): Expression<SqlBool> {
  return sql<SqlBool>`(files.company_id is null or ${isVisible(actor, 'files')})`;
}
