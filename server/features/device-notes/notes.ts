import { sql } from 'kysely';
import type { DeviceNote } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit, type AuditEntry } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { Forbidden, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';

type NoteRow = Row<'device_notes'> & { device_name: string; company_id: number };

const columns: ListColumns = {
  id: sql.ref('device_notes.id'),
  sorts: {
    id: { by: sql.ref('device_notes.id') },
    created_at: { by: sql.ref('device_notes.created_at') },
    user_name: byText('device_notes.user_name'),
  },
  filters: {
    device_id: (values) => isOneOf(sql.ref('device_notes.device_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('device_notes.text'), sql.ref('device_notes.user_name')], text),
};

const isAuthor = (actor: Actor, row: Pick<NoteRow, 'user_id'>): boolean => row.user_id !== null && row.user_id === actor.userId;

function present(actor: Actor, row: NoteRow): DeviceNote {
  return {
    id: row.id,
    device_id: row.device_id,
    device_name: row.device_name,
    text: row.text,
    user_name: row.user_name,
    is_own: isAuthor(actor, row),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** Notes of devices that the actor sees: a note goes with its device when that moves to another company. */
const visibleNotes = (db: Db, actor: Actor) =>
  db.selectFrom('device_notes').innerJoin('devices', 'devices.id', 'device_notes.device_id').where(isVisible(actor, 'devices'));

function findNotes(db: Db, actor: Actor, ids: readonly number[]): Promise<NoteRow[]> {
  return visibleNotes(db, actor)
    .selectAll('device_notes')
    .select(['devices.name as device_name', 'devices.company_id'])
    .where('device_notes.id', 'in', ids)
    .execute();
}

async function requireNote(db: Db, actor: Actor, id: number): Promise<NoteRow> {
  const [row] = await findNotes(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** One page of the notes on devices that the actor sees. */
export async function listNotes(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: DeviceNote[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleNotes(db, actor).select('device_notes.id'), query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findNotes(db, actor, ids)).map((row) => present(actor, row)), total };
}

/** One note. Throws NOT_FOUND. */
export async function getNote(ctx: Context, actor: Actor, id: number): Promise<DeviceNote> {
  return present(actor, await requireNote(ctx.reads, actor, id));
}

/** The change as the history of the device shows it. */
const entryOf = (action: string, row: NoteRow, before: string | null, after: string | null): AuditEntry => ({
  action: `device-notes.${action}`,
  entity: 'device',
  entityId: row.device_id,
  entityName: row.device_name,
  companyId: row.company_id,
  before: before === null ? null : { note: before },
  after: after === null ? null : { note: after },
});

/** Notes something about a device. Throws NOT_FOUND. */
export async function addNote(ctx: Context, { actor, origin }: Caller, body: { device_id: number; text: string }): Promise<number> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const device = await requireDevice(trx, actor, body.device_id);
    const note = { device_id: device.id, user_id: actor.userId, user_name: actor.name, text: body.text, created_at: at, updated_at: at };
    const row = await trx.insertInto('device_notes').values(note).returningAll().executeTakeFirstOrThrow();
    const entry = entryOf('new', { ...row, device_name: device.name, company_id: device.company_id }, null, body.text);
    await writeAudit(trx, { actor, origin, at }, [entry]);
    return row.id;
  });
}

/** Changes a note of one's own. Throws NOT_FOUND, FORBIDDEN for those of others. */
export async function editNote(ctx: Context, { actor, origin }: Caller, id: number, text: string): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireNote(trx, actor, id);
    if (!isAuthor(actor, row)) throw new Forbidden({});
    if (row.text === text) return;
    await trx.updateTable('device_notes').set({ text, updated_at: at }).where('id', '=', id).execute();
    await writeAudit(trx, { actor, origin, at }, [entryOf('edit', row, row.text, text)]);
  });
}

/** Removes a note, of whomever. Throws NOT_FOUND. */
export async function removeNote(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireNote(trx, actor, id);
    await trx.deleteFrom('device_notes').where('id', '=', id).execute();
    await writeAudit(trx, { actor, origin, at }, [entryOf('remove', row, row.text, null)]);
  });
}
