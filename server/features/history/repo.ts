import { sql } from 'kysely';
import { resources } from '../../../resources.config.ts';
import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';
import type { Db, Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { applyListQuery, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Undo } from '../../kernel/undo.ts';
import { parseRecord } from './records.ts';
import { isUndoable } from './undo.ts';

const columns: ListColumns = {
  id: sql.ref('audit.id'),
  // Rows are numbered in the order of time.
  sorts: { id: { by: sql.ref('audit.id') }, created_at: { by: sql.ref('audit.id') } },
  filters: {
    entity: (values) => isOneOf(sql.ref('audit.entity'), values),
    entity_id: (values) => isOneOf(sql.ref('audit.entity_id'), integers(values)),
    company_id: (values) => isOneOf(sql.ref('audit.company_id'), integers(values)),
    user_id: (values) => isOneOf(sql.ref('users.id'), integers(values)),
  },
};

/** `visible_user_id`: who did it, when the reader sees that user; the name shows in any case. */
type AuditRow = Row<'audit'> & { company_name: string | null; visible_user_id: number | null; undone: number; behalf_name: string | null };
type Kept = HistoryEntry['before'];
type Undos = ReadonlyMap<string, Undo>;

/** Members of a kept record that this reader may not see: columns behind a permission, and companies above its own. */
function hiddenMembers(row: AuditRow, actor: Actor): string[] {
  const entry = resources.find((resource) => resource.entity === row.entity);
  const columns = entry?.table?.columns ?? [];
  const guarded = columns.filter((column) => 'permission' in column && !can(actor, column.permission)).map((column) => column.key);
  const isOwnCompany = row.entity === 'company' && row.entity_id === actor.companyId;
  return [...guarded, ...(actor.scope === 'all' ? [] : ['path']), ...(actor.scope !== 'all' && isOwnCompany ? ['parent_id'] : [])];
}

function maskRecord(record: Kept, hidden: readonly string[]): Kept {
  return record && Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.includes(name)));
}

function presentEntry(row: AuditRow, actor: Actor, undos: Undos): HistoryEntry {
  const hidden = hiddenMembers(row, actor);
  return {
    id: row.id,
    created_at: wireTime(row.at),
    user_id: row.visible_user_id,
    user_name: row.actor_name,
    on_behalf_of_name: row.behalf_name,
    company_id: row.company_id,
    company_name: row.company_name,
    action: row.action,
    entity: row.entity,
    entity_id: row.entity_id,
    entity_name: row.entity_name,
    before: maskRecord(parseRecord(row.before), hidden),
    after: maskRecord(parseRecord(row.after), hidden),
    ip: row.ip,
    token_name: row.token_name,
    request_id: row.request_id,
    is_undone: row.undone === 1,
    is_undoable: isUndoable(undos, actor, { ...row, is_undone: row.undone === 1 }),
  };
}

/** What happened in the companies that the actor sees. */
function visibleHistory(db: Db, actor: Actor) {
  return db
    .selectFrom('audit')
    .leftJoin('companies', 'companies.id', 'audit.company_id')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'audit.actor_id').on(isVisible(actor, 'users')))
    .leftJoin('users as behalf', 'behalf.id', 'audit.on_behalf_of')
    .where(isVisible(actor, 'audit'))
    .selectAll('audit')
    .select(['behalf.username as behalf_name', 'companies.name as company_name', 'users.id as visible_user_id'])
    .select(sql<number>`(select count(*) from audit as undoing where undoing.undoes = audit.id)`.as('undone'));
}

/** One page of what happened in the companies that the actor sees, newest first unless asked otherwise. */
export async function listHistory(db: Db, undos: Undos, actor: Actor, query: ListQuery): Promise<{ rows: HistoryEntry[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleHistory(db, actor), query, columns);
  return { rows: rows.map((row) => presentEntry(row, actor, undos)), total };
}

/** Entries after an id, oldest first. */
export async function readHistory(db: Db, undos: Undos, actor: Actor, afterId: number, limit: number): Promise<HistoryEntry[]> {
  const rows = await visibleHistory(db, actor).where('audit.id', '>', afterId).orderBy('audit.id').limit(limit).execute();
  return rows.map((row) => presentEntry(row, actor, undos));
}
