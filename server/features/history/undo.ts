import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { defineError, Forbidden, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Undo } from '../../kernel/undo.ts';
import { parseRecord } from './records.ts';

export const NotUndoable = defineError('NOT_UNDOABLE');
export const UndoneAlready = defineError('UNDONE_ALREADY');
export const UndoBlocked = defineError<{ action: string; name: string }>('UNDO_BLOCKED');

type Entry = Row<'audit'>;
const BOOKKEEPING = new Set(['id', 'updated_at', 'removed_at']);

/** The fields that a change gave other values; all of them where a record was made or removed. */
function changedFields(entry: Pick<Entry, 'before' | 'after'>): (field: string) => boolean {
  const [before, after] = [parseRecord(entry.before), parseRecord(entry.after)];
  if (!before && !after) return () => false;
  if (!before || !after) return () => true;
  return (field) => !BOOKKEEPING.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]);
}

/** A later change that stands on this one: to one of the same fields of the same record. What was undone, and its undoing, count for nothing. */
async function findLater(db: Db, entry: Entry): Promise<Entry | undefined> {
  const later = await db
    .selectFrom('audit')
    .selectAll()
    .where('entity', '=', entry.entity)
    .where('entity_id', '=', entry.entity_id)
    .where('id', '>', entry.id)
    .where('undoes', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit as undoing').select('undoing.id').whereRef('undoing.undoes', '=', 'audit.id'))),
    )
    .orderBy('id')
    .execute();
  const fields = Object.keys({ ...parseRecord(entry.before), ...parseRecord(entry.after) });
  const isChanged = changedFields(entry);
  return later.find((other) => {
    const isChangedLater = changedFields(other);
    return fields.some((field) => isChanged(field) && isChangedLater(field));
  });
}

/** Whether this reader may take the change back, as far as the row itself tells. */
export function isUndoable(undos: ReadonlyMap<string, Undo>, actor: Actor, entry: Entry & { is_undone: boolean }): boolean {
  const undo = undos.get(entry.action);
  return undo !== undefined && entry.undoes === null && !entry.is_undone && entry.before !== null && can(actor, undo.permission);
}

/**
 * Takes a change back. Throws NOT_FOUND, NOT_UNDOABLE, FORBIDDEN, UNDONE_ALREADY, UNDO_BLOCKED with what stands on it, and what the room's own
 * use case throws.
 */
export async function undoChange(ctx: Context, undos: ReadonlyMap<string, Undo>, { actor, origin }: Caller, id: number): Promise<void> {
  const entry = await ctx.db.selectFrom('audit').selectAll().where('id', '=', id).where(isVisible(actor, 'audit')).executeTakeFirst();
  if (!entry) throw new NotFound({});
  const undo = undos.get(entry.action);
  const before = parseRecord(entry.before);
  if (!undo || !before || entry.entity_id === null || entry.undoes !== null) throw new NotUndoable({});
  if (!can(actor, undo.permission)) throw new Forbidden({});
  const undone = await ctx.db.selectFrom('audit').select('id').where('undoes', '=', id).executeTakeFirst();
  if (undone) throw new UndoneAlready({});
  const later = await findLater(ctx.db, entry);
  if (later) throw new UndoBlocked({ action: later.action, name: entry.entity_name });
  await undo.run(ctx, { actor, origin: { ...origin, undoes: id } }, { entityId: entry.entity_id, before });
}
