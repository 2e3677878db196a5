import { sql } from 'kysely';
import type { FormData, SerialNumber } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, NewRow, Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { applyListQuery, containsAny, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { acceptQuarantined } from '../../domain/devices/quarantine.ts';
import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
import { decisionAbout } from '../../domain/devices/serial-numbers.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';

type Entry = Row<'serial_numbers'>;
type Status = Entry['status'];

const SERIAL = /^[A-Za-z0-9._-]{1,64}$/;
const IMEI = /^(?:\d{14,17})?$/;
const MOST_MODEL = 64;
const MAX_LINES = 10_000;
const CHUNK = 500;

const columns: ListColumns = {
  id: sql.ref('serial_numbers.id'),
  sorts: {
    id: { by: sql.ref('serial_numbers.id') },
    serial: { by: sql.ref('serial_numbers.serial') },
    model: { by: sql.ref('serial_numbers.model') },
    status: { by: sql.ref('serial_numbers.status') },
    created_at: { by: sql.ref('serial_numbers.created_at') },
  },
  filters: {
    status: (values) => isOneOf(sql.ref('serial_numbers.status'), values),
    serial: (values) => containsAny(sql.ref('serial_numbers.serial'), values),
    mac: (values) => containsAny(sql.ref('serial_numbers.mac'), values),
  },
};

const present = (row: Entry): SerialNumber => ({
  id: row.id,
  serial: row.serial,
  mac: row.mac,
  imei: row.imei,
  model: row.model,
  status: row.status,
  user_name: row.user_name,
  created_at: wireTime(row.created_at),
  updated_at: wireTime(row.updated_at),
});

/** One page of the entries. They belong to the installation; only system administrators get here. */
export async function listSerials(db: Db, query: ListQuery): Promise<{ rows: SerialNumber[]; total: number }> {
  const { rows, total } = await applyListQuery(db.selectFrom('serial_numbers').selectAll('serial_numbers'), query, columns);
  return { rows: rows.map(present), total };
}

async function requireEntry(db: Db, id: number): Promise<Entry> {
  const row = await db.selectFrom('serial_numbers').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** One entry. Throws NOT_FOUND. */
export async function getSerial(ctx: Context, id: number): Promise<SerialNumber> {
  return present(await requireEntry(ctx.reads, id));
}

type Line = Pick<Entry, 'serial' | 'mac' | 'imei' | 'model'>;

function readLine(text: string, number: number): Line {
  const [serial = '', typedMac = '', imei = '', model = ''] = text.split(/[,;\t]/).map((cell) => cell.trim());
  const mac = typedMac === '' ? '' : normalizeMac(typedMac);
  const fault = (what: string): InvalidFields => new InvalidFields([{ source: 'lines', message: `Line ${number}: ${what}` }]);
  if (!SERIAL.test(serial)) throw fault('a serial number has 1 to 64 of A-Z a-z 0-9 . _ -');
  if (mac === undefined) throw fault('a MAC has six hex pairs, such as 00:1E:42:AB:CD:EF.');
  if (!IMEI.test(imei)) throw fault('an IMEI has 14 to 17 digits.');
  if (model.length > MOST_MODEL) throw fault(`a model has at most ${MOST_MODEL} characters.`);
  return { serial, mac, imei, model };
}

/** Entries by serial number and MAC, the last of equal ones; a line of headings and empty ones are left out. */
function readLines(text: string): Line[] {
  const numbered = text.split(/\r?\n/).map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const filled = numbered.filter(({ line, number }) => line !== '' && !(number === 1 && /^serial/i.test(line)));
  if (filled.length === 0) throw new InvalidFields([{ source: 'lines', message: 'Enter a serial number.' }]);
  if (filled.length > MAX_LINES) throw new InvalidFields([{ source: 'lines', message: `At most ${MAX_LINES} lines at once.` }]);
  const lines = filled.map(({ line, number }) => readLine(line, number));
  return [...new Map(lines.map((line) => [`${line.serial} ${line.mac}`, line])).values()];
}

async function audit(trx: Trx, { actor, origin }: Caller, at: number, action: string, entry: { id: number; name: string }, after: object) {
  const about = { action: `serial-numbers.${action}`, entity: 'serial_number', entityId: entry.id, entityName: entry.name };
  await writeAudit(trx, { actor, origin, at }, [{ ...about, companyId: actor.companyId, before: null, after: { ...after } }]);
}

/** Lets in devices that wait because nobody had approved them, and whose serial number and MAC are approved now. */
async function letIn(ctx: Context, { actor, origin }: Caller, serials: readonly string[]): Promise<number> {
  let count = 0;
  for (let start = 0; start < serials.length; start += CHUNK) {
    const waiting = await ctx.db
      .selectFrom('devices')
      .select(['id', 'serial', 'mac'])
      .where('quarantine', '=', 'not_approved')
      .where('serial', 'in', serials.slice(start, start + CHUNK))
      .execute();
    for (const device of waiting) {
      if ((await decisionAbout(ctx.db, device)) !== 'approved') continue;
      await acceptQuarantined(ctx, { actor, origin, deviceId: device.id });
      count += 1;
    }
  }
  return count;
}

/**
 * Approves or denies the serial numbers of these lines (`serial, MAC, IMEI, model`); one that is known gets the new decision. Approving lets in devices that
 * wait for it. Answers how many entries there were, and how many devices were let in. Throws INVALID_FIELD at `lines`.
 */
export async function importSerials(
  ctx: Context,
  caller: Caller,
  { lines, status }: FormData['serial-numbers/import'],
): Promise<{ count: number; released: number }> {
  const entries = readLines(lines);
  const at = ctx.clock.now();
  const rows = entries.map((entry): NewRow<'serial_numbers'> => ({
    ...entry,
    status,
    user_name: caller.actor.name,
    created_at: at,
    updated_at: at,
  }));
  await inTransaction(ctx.db, async (trx) => {
    for (let start = 0; start < rows.length; start += CHUNK)
      await trx
        .insertInto('serial_numbers')
        .values(rows.slice(start, start + CHUNK))
        .onConflict((conflict) =>
          conflict.columns(['serial', 'mac']).doUpdateSet((eb) => ({
            status,
            imei: eb.ref('excluded.imei'),
            model: eb.ref('excluded.model'),
            user_name: caller.actor.name,
            updated_at: at,
          })),
        )
        .execute();
    const serials = entries.map(({ serial }) => serial);
    await audit(
      trx,
      caller,
      at,
      'import',
      { id: 0, name: serials.slice(0, 3).join(', ') },
      { status, count: entries.length, serials: serials.slice(0, 100) },
    );
  });
  const released =
    status === 'approved'
      ? await letIn(
          ctx,
          caller,
          entries.map(({ serial }) => serial),
        )
      : 0;
  return { count: entries.length, released };
}

/** Approves or denies one entry. Throws NOT_FOUND. */
export async function decideSerial(ctx: Context, caller: Caller, id: number, status: Status): Promise<void> {
  const at = ctx.clock.now();
  const entry = await inTransaction(ctx.db, async (trx) => {
    const before = await requireEntry(trx, id);
    await trx.updateTable('serial_numbers').set({ status, user_name: caller.actor.name, updated_at: at }).where('id', '=', id).execute();
    await audit(trx, caller, at, 'edit', { id, name: before.serial }, { status });
    return before;
  });
  if (status === 'approved') await letIn(ctx, caller, [entry.serial]);
}

/** Removes an entry: nothing is decided about its serial number any more. Throws NOT_FOUND. */
export async function removeSerial(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { serial, status } = await requireEntry(trx, id);
    await trx.deleteFrom('serial_numbers').where('id', '=', id).execute();
    await audit(trx, caller, ctx.clock.now(), 'remove', { id, name: serial }, { status });
  });
}
