import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { recordKey } from '../../kernel/audit.ts';
import { AppError, defineError, Forbidden, NotFound } from '../../kernel/errors.ts';
import type { Change, Undo } from '../../kernel/undo.ts';
import { parseRecord } from './records.ts';
import { findChangeGroup } from './change-groups.ts';
import { visibleEntries } from '../../kernel/visible-entries.ts';

export const NotUndoable = defineError('NOT_UNDOABLE');
export const UndoneAlready = defineError('UNDONE_ALREADY');
export const NothingUndone = defineError('NOTHING_UNDONE');
export const UndoBlocked = defineError<{ action: string; name: string }>('UNDO_BLOCKED');

/** How long people can undo what they have just done without the right to see the history. */
const OWN_MS = 10 * MINUTE;

type Entry = Row<'audit'>;
type Undos = ReadonlyMap<string, Undo>;
const BOOKKEEPING = new Set(['id', 'updated_at', 'removed_at']);

/** Rows that are undone together; others get their turn in between. */
const CHUNK = 250;

/** The fields that a change gave other values; all that are kept where a record was made or removed. */
function changedFields(entry: Pick<Entry, 'before' | 'after'>): (field: string) => boolean {
  const [before, after] = [parseRecord(entry.before), parseRecord(entry.after)];
  if (!before || !after) return (field) => Object.hasOwn(before ?? after ?? {}, field);
  return (field) => !BOOKKEEPING.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]);
}

/** A later change that builds on this one: to one of the same fields of the same record, in the same company where it has one for each. What was undone, and its undoing, count for nothing. */
async function findLater(db: Db, entry: Entry, { inCompany }: Undo): Promise<Entry | undefined> {
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
    const isElsewhere = inCompany !== undefined && other.company_id !== entry.company_id;
    // To come into another company, or to leave one, changes nothing that is of the whole record.
    if (isElsewhere && (inCompany === 'all' || !other.before || !other.after)) return false;
    return fields.some((field) => isChanged(field) && isChangedLater(field) && !(isElsewhere && inCompany.includes(field)));
  });
}

/** Whether this reader may undo the change, as far as the row itself knows. */
export function isUndoable(undos: Undos, actor: Actor, entry: Entry & { is_undone: boolean }): boolean {
  const undo = undos.get(entry.action);
  return undo !== undefined && entry.undoes === null && !entry.is_undone && entry.before !== null && can(actor, undo.permission);
}

function requireUndo(undos: Undos, actor: Actor, action: string): Undo {
  const undo = undos.get(action);
  if (!undo) throw new NotUndoable({});
  if (!can(actor, undo.permission)) throw new Forbidden({});
  return undo;
}

/** What is set again. Throws NOT_UNDOABLE, UNDO_BLOCKED with the later changes. */
async function requireChange(db: Db, entry: Entry, undo: Undo): Promise<Change> {
  const before = parseRecord(entry.before);
  if (!before || entry.entity_id === null || entry.undoes !== null) throw new NotUndoable({});
  const later = await findLater(db, entry, undo);
  if (later) throw new UndoBlocked({ action: later.action, name: entry.entity_name });
  return { entityId: entry.entity_id, before, isChanged: changedFields(entry) };
}

/** Whether one of these rows was undone, by anybody or by one call. */
async function isUndone(db: Db, ids: readonly number[], requestId?: string): Promise<boolean> {
  const undone = db.selectFrom('audit').select('id').where('undoes', 'in', ids).limit(1);
  return (await (requestId === undefined ? undone : undone.where('request_id', '=', requestId)).executeTakeFirst()) !== undefined;
}

/** Runs the room's own use case for changes of different records. Throws UNDONE_ALREADY when somebody else has taken one of them back meanwhile. */
async function run(ctx: Context, undo: Undo, caller: Caller, work: readonly { entry: Entry; change: Change }[]): Promise<void> {
  const ids = work.map(({ entry }) => entry.id);
  try {
    await runUseCase(ctx, undo, caller, work);
  } catch (error) {
    throw (await isUndone(ctx.db, ids)) ? new UndoneAlready({}, { cause: error }) : error;
  }
  // A call that comes a moment later finds nothing left to change, and has changed nothing.
  if (!(await isUndone(ctx.db, ids, caller.origin.requestId)) && (await isUndone(ctx.db, ids))) throw new UndoneAlready({});
}

/** The new rows of the history say what they undo, each change once: the database sees to that. */
async function runUseCase(
  ctx: Context,
  undo: Undo,
  { actor, origin }: Caller,
  work: readonly { entry: Entry; change: Change }[],
): Promise<void> {
  const undoes = new Map(work.map(({ entry }) => [recordKey(entry.entity, entry.entity_id), entry.id]));
  const caller = { actor, origin: { ...origin, undoes } };
  if ('many' in undo) {
    await undo.many(
      ctx,
      caller,
      work.map(({ change }) => change),
    );
    return;
  }
  for (const { change } of work) await undo.one(ctx, caller, change);
}

/**
 * Undoes a change. Throws NOT_FOUND, NOT_UNDOABLE, FORBIDDEN, UNDONE_ALREADY, UNDO_BLOCKED with the later changes, and what the room's own
 * use case throws.
 */
export async function undoChange(ctx: Context, undos: Undos, caller: Caller, id: number): Promise<void> {
  const { actor } = caller;
  const entry = await ctx.db.selectFrom('audit').selectAll().where('id', '=', id).where(visibleEntries(actor)).executeTakeFirst();
  if (!entry) throw new NotFound({});
  const undo = requireUndo(undos, actor, entry.action);
  if (await isUndone(ctx.db, [id])) throw new UndoneAlready({});
  await run(ctx, undo, caller, [{ entry, change: await requireChange(ctx.db, entry, undo) }]);
}

/** Parts of rows in which each record is once, the newest rows first, as one change of a record may build on another one of the same call. */
function partsOf(entries: readonly Entry[], size: number): Entry[][] {
  const rounds: Entry[][] = [];
  for (const rows of Map.groupBy(entries, (entry) => entry.entity_id).values()) {
    rows.toSorted((a, b) => b.id - a.id).forEach((row, turn) => (rounds[turn] ??= []).push(row));
  }
  return rounds.flatMap((round) => {
    const count = Math.ceil(round.length / size);
    return Array.from({ length: count }, (_, index) => round.slice(index * size, (index + 1) * size));
  });
}

/** What was undone of a change, as ids of its rows, and what was not: `source` is the row, `params.record` the name of its record. */
interface Outcome {
  done: number[];
  errors: ErrorItem[];
}

async function undoPart(ctx: Context, undo: Undo, caller: Caller, part: readonly Entry[], outcome: Outcome): Promise<void> {
  const refuse = (entry: Entry, error: unknown): void => {
    if (!(error instanceof AppError)) throw error;
    for (const { source: _source, ...item } of error.items)
      outcome.errors.push({ ...item, source: String(entry.id), params: { ...item.params, record: entry.entity_name } });
  };
  const work: { entry: Entry; change: Change }[] = [];
  for (const entry of part) {
    try {
      work.push({ entry, change: await requireChange(ctx.db, entry, undo) });
    } catch (error) {
      refuse(entry, error);
    }
  }
  const attempt = async (some: typeof work): Promise<void> => {
    try {
      if (some.length > 0) await run(ctx, undo, caller, some);
      outcome.done.push(...some.map(({ entry }) => entry.id));
    } catch (error) {
      const [first] = some;
      if (some.length === 1 && first) refuse(first.entry, error);
      else if (!(error instanceof AppError)) throw error;
      // One of them is refused: the others are done without it.
      else for (const one of some) await attempt([one]);
    }
  };
  await attempt(work);
}

/**
 * Takes back all changes of one call that are alike and in the actor's sight; `id` is any of them. What was undone before stays so. Throws
 * NOT_FOUND, NOT_UNDOABLE, FORBIDDEN, UNDONE_ALREADY when nothing is left to undo, NOTHING_UNDONE when none could be.
 */
export async function undoGroup(ctx: Context, undos: Undos, caller: Caller, id: number): Promise<Outcome> {
  const entries = await findChangeGroup(ctx.db, caller.actor, id);
  const [first] = entries;
  if (!first) throw new NotFound({});
  const undo = requireUndo(undos, caller.actor, first.action);
  const left = entries.filter((entry) => !entry.is_undone);
  if (left.length === 0) throw new UndoneAlready({});
  const outcome: Outcome = { done: [], errors: [] };
  for (const part of partsOf(left, 'many' in undo ? CHUNK : 1)) {
    await undoPart(ctx, undo, caller, part, outcome);
    await nextTurn();
  }
  if (outcome.done.length === 0 && outcome.errors.length > 0)
    throw new AppError([{ code: 'NOTHING_UNDONE', message: new NothingUndone({}).message }, ...outcome.errors]);
  return outcome;
}

/** Takes back what one call of the actor's own has done within the last 10 minutes, by that call's request number. Throws as `undoGroup` does. */
export async function undoOwn(ctx: Context, undos: Undos, caller: Caller, requestId: string): Promise<Outcome> {
  const { id } =
    (await ctx.db
      .selectFrom('audit')
      .select('id')
      .where('request_id', '=', requestId)
      .where('action', 'in', [...undos.keys()])
      .where('actor_id', '=', caller.actor.userId)
      .where(visibleEntries(caller.actor))
      .where('at', '>=', ctx.clock.now() - OWN_MS)
      .orderBy('id')
      .executeTakeFirst()) ?? {};
  if (id === undefined) throw new NotFound({});
  return undoGroup(ctx, undos, caller, id);
}
