import { sql } from 'kysely';
import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Undo } from '../../kernel/undo.ts';
import { addLabels } from './labels.ts';
import { presentEntry } from './present.ts';
import { isSameChange } from './change-groups.ts';
import { visibleEntries } from '../../kernel/visible-entries.ts';

/** The condition "the name of the record or of the user has this text". */
export const hasInName = (text: string) => containsText([sql.ref('audit.entity_name'), sql.ref('audit.actor_name')], text);

const columnsFor = (actor: Actor): ListColumns => ({
  id: sql.ref('audit.id'),
  search: hasInName,
  // Rows are numbered in the order of time.
  sorts: { id: { by: sql.ref('audit.id') }, created_at: { by: sql.ref('audit.id') } },
  filters: {
    entity: (values) => isOneOf(sql.ref('audit.entity'), values),
    entity_id: (values) => isOneOf(sql.ref('audit.entity_id'), integers(values)),
    company_id: (values) => isOneOf(sql.ref('audit.company_id'), integers(values)),
    user_id: (values) => isOneOf(sql.ref('users.id'), integers(values)),
    change_id: (values) => isSameChange(actor, integers(values)),
  },
});

type Undos = ReadonlyMap<string, Undo>;

/** What happened in the companies that the actor sees. */
export function visibleHistory(db: Db, actor: Actor) {
  return db
    .selectFrom('audit')
    .leftJoin('companies', 'companies.id', 'audit.company_id')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'audit.actor_id').on(isVisible(actor, 'users')))
    .leftJoin('users as everybody', 'everybody.id', 'audit.actor_id')
    .leftJoin('users as behalf', 'behalf.id', 'audit.on_behalf_of')
    .where(visibleEntries(actor))
    .selectAll('audit')
    .select([
      'behalf.username as behalf_name',
      'companies.name as company_name',
      'users.id as visible_user_id',
      'everybody.id as known_user_id',
    ])
    .select(sql<number>`(select count(*) from audit as undoing where undoing.undoes = audit.id)`.as('undone'));
}

/** One page of what happened in the companies that the actor sees, newest first unless asked otherwise. */
export async function listHistory(db: Db, undos: Undos, actor: Actor, query: ListQuery): Promise<{ rows: HistoryEntry[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleHistory(db, actor), query, columnsFor(actor));
  const entries = rows.map((row) => presentEntry(row, actor, undos));
  return { rows: await addLabels(db, actor, entries), total };
}

/** Entries after an id, oldest first. */
export async function readHistory(db: Db, undos: Undos, actor: Actor, afterId: number, limit: number): Promise<HistoryEntry[]> {
  const rows = await visibleHistory(db, actor).where('audit.id', '>', afterId).orderBy('audit.id').limit(limit).execute();
  const entries = rows.map((row) => presentEntry(row, actor, undos));
  return (await addLabels(db, actor, entries)).map(({ labels: _labels, ...entry }) => entry);
}
