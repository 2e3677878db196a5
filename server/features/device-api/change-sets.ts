import { sql } from 'kysely';
import type { ChangeSet } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Changes, Db, Row, Trx } from '../../db/schema.ts';
import { personOf, type Actor, type Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { idsOnPath, isVisible, isWithin } from '../../kernel/tenancy.ts';
import type { ConfigureCall } from './changes.ts';
import { ChangeSetState, ReviewerIsAuthor } from './errors.ts';

export const CHANGE_SET_PURPOSE = 'change set';
const MOST_EDITS = 50;

type ChangeSetRow = Row<'change_sets'>;
type State = ChangeSetRow['state'];
type Found = ChangeSetRow & { company_name: string };

/** What one person added at once. */
export interface ChangeSetEdit {
  calls: ConfigureCall[];
  /** Who, and on whose behalf. */
  user_ids: number[];
  user_name: string;
  at: number;
}

const columns: ListColumns = {
  id: sql.ref('change_sets.id'),
  sorts: {
    id: { by: sql.ref('change_sets.id') },
    name: byText('change_sets.name'),
    state: { by: sql.ref('change_sets.state') },
    updated_at: { by: sql.ref('change_sets.updated_at') },
  },
  filters: {
    state: (values) => isOneOf(sql.ref('change_sets.state'), values),
    company_id: (values) => isWithin(sql.ref('change_sets.company_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('change_sets.name'), sql.ref('change_sets.description')], text),
};

const visible = (db: Db, actor: Actor) =>
  db
    .selectFrom('change_sets')
    .innerJoin('companies', 'companies.id', 'change_sets.company_id')
    .selectAll('change_sets')
    .select('companies.name as company_name')
    .where(isVisible(actor, 'change_sets'));

export function presentChangeSet(row: Found): ChangeSet {
  const { sealed_edits: _edits, sealed_undo: _undo, applied_changes: _changes, created_by: _by, reviewed_by: _reviewer, ...shown } = row;
  return {
    ...shown,
    description: row.description || null,
    review_note: row.review_note || null,
    reviewer_name: row.reviewer_name || null,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
    reviewed_at: wireTime(row.reviewed_at),
    applied_at: wireTime(row.applied_at),
  };
}

/** One page of the change sets of companies that the actor sees. */
export async function listChangeSets(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: ChangeSet[]; total: number }> {
  const { rows, total } = await applyListQuery(visible(db, actor), query, columns);
  return { rows: rows.map(presentChangeSet), total };
}

/** Throws NOT_FOUND. */
export async function requireChangeSet(db: Db, actor: Actor, id: number): Promise<Found> {
  const row = await visible(db, actor).where('change_sets.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

export const editsOf = ({ secretKey }: Pick<Context, 'secretKey'>, { sealed_edits }: Pick<ChangeSetRow, 'sealed_edits'>): ChangeSetEdit[] =>
  JSON.parse(openSealed(secretKey, CHANGE_SET_PURPOSE, sealed_edits)) as ChangeSetEdit[];

export const callsOf = (edits: readonly ChangeSetEdit[]): ConfigureCall[] => edits.flatMap(({ calls }) => calls);
const devicesIn = (edits: readonly ChangeSetEdit[]): number[] => [...new Set(callsOf(edits).flatMap(({ device_id }) => device_id))];

const sealEdits = ({ secretKey }: Pick<Context, 'secretKey'>, edits: readonly ChangeSetEdit[]) => ({
  sealed_edits: sealText(secretKey, CHANGE_SET_PURPOSE, JSON.stringify(edits)),
  edits_count: edits.length,
  devices_count: devicesIn(edits).length,
});

async function record(trx: Trx, { actor, origin }: Caller, verb: string, at: number, sides: [ChangeSetRow | null, ChangeSetRow | null]) {
  const [before, after] = sides;
  const row = after ?? before;
  if (!row) return;
  const kept = (side: ChangeSetRow | null) =>
    side && {
      name: side.name,
      description: side.description,
      state: side.state,
      edits_count: side.edits_count,
      devices_count: side.devices_count,
      review_note: side.review_note,
    };
  const entry = { action: `change-sets.${verb}`, entity: 'change_set', entityId: row.id, entityName: row.name, companyId: row.company_id };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: kept(before), after: kept(after) }]);
}

function editOf({ actor }: Caller, calls: ConfigureCall[], at: number): ChangeSetEdit {
  return { calls, user_ids: [...new Set([actor.userId, personOf(actor)])], user_name: actor.name, at };
}

/** Drafts a change set with its first edit. The caller has checked that the devices can be changed so. */
export function addChangeSet(
  ctx: Context,
  caller: Caller,
  { name, description, calls }: { name: string; description: string; calls: ConfigureCall[] },
): Promise<number> {
  const { actor } = caller;
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const row = await trx
      .insertInto('change_sets')
      .values({
        company_id: actor.companyId,
        name,
        description,
        state: 'draft',
        ...sealEdits(ctx, [editOf(caller, calls, at)]),
        created_by: actor.userId,
        user_name: actor.name,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, caller, 'new', at, [null, row]);
    return row.id;
  });
}

/** Moves a change set on from one of these states. Throws NOT_FOUND, and CHANGE_SET_STATE when it is in another one. */
export function moveChangeSet(
  ctx: Context,
  caller: Caller,
  { id, verb, from }: { id: number; verb: string; from: readonly State[] },
  make: (row: Found) => Changes<'change_sets'>,
): Promise<ChangeSetRow> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const found = await requireChangeSet(trx, caller.actor, id);
    const { company_name: _name, ...before } = found;
    if (!from.includes(before.state)) throw new ChangeSetState({});
    const after = await trx
      .updateTable('change_sets')
      .set({ ...make(found), updated_at: at })
      .where('id', '=', id)
      .where('state', '=', before.state)
      .where('sealed_edits', '=', before.sealed_edits)
      .returningAll()
      .executeTakeFirst();
    if (!after) throw new ChangeSetState({});
    await record(trx, caller, verb, at, [before, after]);
    return after;
  });
}

/** Adds an edit to a draft. Throws NOT_FOUND, CHANGE_SET_STATE, INVALID_FIELD for too many. */
export async function addEdit(ctx: Context, caller: Caller, id: number, calls: ConfigureCall[]): Promise<void> {
  await moveChangeSet(ctx, caller, { id, verb: 'edit', from: ['draft'] }, (row) => {
    const edits = editsOf(ctx, row);
    if (edits.length >= MOST_EDITS)
      throw new InvalidFields([
        { source: 'configuration', message: `A change set has ${MOST_EDITS} edits at most.`, params: { max: MOST_EDITS } },
      ]);
    return sealEdits(ctx, [...edits, editOf(caller, calls, ctx.clock.now())]);
  });
}

/** Takes an edit out of a draft; `number` counts from 1. Throws NOT_FOUND, CHANGE_SET_STATE. */
export async function removeEdit(ctx: Context, caller: Caller, id: number, number: number): Promise<void> {
  await moveChangeSet(ctx, caller, { id, verb: 'edit', from: ['draft'] }, (row) => {
    const edits = editsOf(ctx, row);
    if (number > edits.length) throw new NotFound({}, { source: 'number' });
    return sealEdits(ctx, edits.toSpliced(number - 1, 1));
  });
}

/** Asks for a review. Throws NOT_FOUND, CHANGE_SET_STATE. */
export async function sendToReview(ctx: Context, caller: Caller, id: number): Promise<void> {
  const cleared = { reviewed_by: null, reviewer_name: '', reviewed_at: null, review_note: '' };
  await moveChangeSet(ctx, caller, { id, verb: 'review', from: ['draft'] }, ({ edits_count: count }) => {
    if (count === 0) throw new ChangeSetState({});
    return { state: 'in_review', ...cleared };
  });
}

/** A second person says yes. Throws NOT_FOUND, CHANGE_SET_STATE, REVIEWER_IS_AUTHOR. */
export async function approve(ctx: Context, caller: Caller, id: number, note: string): Promise<void> {
  const { actor } = caller;
  await moveChangeSet(ctx, caller, { id, verb: 'approve', from: ['in_review'] }, (row) => {
    const authors = new Set([
      ...editsOf(ctx, row).flatMap(({ user_ids: ids }) => ids),
      ...(row.created_by === null ? [] : [row.created_by]),
    ]);
    if (authors.has(actor.userId) || authors.has(personOf(actor))) throw new ReviewerIsAuthor({});
    return { state: 'approved', reviewed_by: actor.userId, reviewer_name: actor.name, reviewed_at: ctx.clock.now(), review_note: note };
  });
}

/** Gives it back to be changed, with a note. Throws NOT_FOUND, CHANGE_SET_STATE. */
export async function returnToDraft(ctx: Context, caller: Caller, id: number, note: string): Promise<void> {
  const { actor } = caller;
  await moveChangeSet(ctx, caller, { id, verb: 'return', from: ['in_review', 'approved'] }, () => ({
    state: 'draft',
    reviewed_by: actor.userId,
    reviewer_name: actor.name,
    reviewed_at: ctx.clock.now(),
    review_note: note,
  }));
}

/** Removes one that was not applied, or was undone. Throws NOT_FOUND, CHANGE_SET_STATE. */
export async function removeChangeSet(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireChangeSet(trx, caller.actor, id);
    if (before.state === 'applied') throw new ChangeSetState({});
    await trx.deleteFrom('change_sets').where('id', '=', id).execute();
    await record(trx, caller, 'remove', ctx.clock.now(), [before, null]);
  });
}

/** Whether a company of these devices, or one above it, wants a second person to review changes of settings. */
export async function isReviewAsked(ctx: Context, deviceIds: readonly number[]): Promise<boolean> {
  const { idList } = ctx.database.tools;
  const places = await ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select('companies.path')
    .distinct()
    .where('devices.id', 'in', idList(deviceIds))
    .execute();
  const ids = [...new Set(places.flatMap(({ path }) => idsOnPath(path)))];
  const asking = await ctx.reads
    .selectFrom('companies')
    .select('id')
    .where('asks_review', '=', 1)
    .where('id', 'in', idList(ids))
    .executeTakeFirst();
  return asking !== undefined;
}
