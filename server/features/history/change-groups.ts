import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { visibleEntries } from '../../kernel/visible-entries.ts';

/**
 * The condition "this row belongs to the same change as one of these rows": it has the request, the action and the kind of record of one that the actor sees.
 * Rows without a request, such as the server's own, are changes of their own.
 */
export function isSameChange(actor: Actor, ids: readonly (string | number)[]): Expression<SqlBool> {
  const known = ids.filter((id) => typeof id === 'number');
  if (known.length === 0) return sql<SqlBool>`1 = 0`;
  const named = sql`audit.id in (${sql.join(known)}) and ${visibleEntries(actor)}`;
  return sql<SqlBool>`audit.id in (select audit.id from audit where ${named} union
    select other.id from audit inner join audit as other on other.request_id = audit.request_id
      and other.action = audit.action and other.entity = audit.entity where ${named} and audit.request_id <> '')`;
}

/** All rows of the change that a row belongs to, as far as the actor sees them; none when it does not see the row. */
export async function findChangeGroup(db: Db, actor: Actor, id: number): Promise<(Row<'audit'> & { is_undone: boolean })[]> {
  const rows = await db
    .selectFrom('audit')
    .leftJoin('audit as undoing', 'undoing.undoes', 'audit.id')
    .where(visibleEntries(actor))
    .where(isSameChange(actor, [id]))
    .selectAll('audit')
    .select('undoing.id as undoing_id')
    .orderBy('audit.id')
    .execute();
  return rows.map(({ undoing_id, ...row }) => ({ ...row, is_undone: undoing_id !== null }));
}
