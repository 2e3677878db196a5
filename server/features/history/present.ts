import { resources } from '../../../resources.config.ts';
import type { HistoryEntry } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { Undo } from '../../kernel/undo.ts';
import { parseRecord } from './records.ts';
import { isUndoable } from './undo.ts';

/** `visible_user_id`: who did it, when the reader sees that user; the name shows in any case. */
export type AuditRow = Row<'audit'> & {
  company_name: string | null;
  visible_user_id: number | null;
  /** Who did it, as far as that user still exists. */
  known_user_id: number | null;
  undone: number;
  behalf_name: string | null;
};
type Kept = HistoryEntry['before'];

/** What older rows of devices kept of the company that they were read in. */
const JOINED = ['company_name', 'company_path'];

/** Members of a kept record that this reader may not see: columns behind a permission, and companies above its own. */
function hiddenMembers(row: AuditRow, actor: Actor): string[] {
  const entry = resources.find((resource) => resource.entity === row.entity);
  const columns = entry?.table?.columns ?? [];
  const guarded = columns
    .filter((column) => 'permission' in column && column.permission !== undefined && !can(actor, column.permission))
    .map((column) => column.key);
  // What a tag had with it: thousands of devices, and actions set up in companies that are not all in everybody's sight.
  const ofTag = row.entity === 'tag' ? ['device_id', 'actions'] : [];
  const isOwnCompany = row.entity === 'company' && row.entity_id === actor.companyId;
  return [
    ...guarded,
    ...ofTag,
    ...JOINED,
    ...(actor.scope === 'all' ? [] : ['path']),
    ...(actor.scope !== 'all' && isOwnCompany ? ['parent_id'] : []),
  ];
}

function maskRecord(record: Kept, hidden: readonly string[]): Kept {
  return record && Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.includes(name)));
}

/** One row of the history as this reader sees it. */
export function presentEntry(row: AuditRow, actor: Actor, undos: ReadonlyMap<string, Undo>): HistoryEntry {
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
    // Where people of companies above are is not shown below.
    ip: row.known_user_id !== null && row.visible_user_id === null ? null : row.ip,
    token_name: row.token_name,
    request_id: row.request_id,
    form: row.form,
    is_undone: row.undone === 1,
    is_undoable: isUndoable(undos, actor, { ...row, is_undone: row.undone === 1 }),
  };
}
