import { sql } from 'kysely';
import type { FormData, MaintenanceWindow } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isZone } from '../../../schemas/kit/time/wall-clock.ts';
import { assertChoices } from '../../domain/plans/plan-devices.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { nextOpening } from '../../domain/maintenance-windows/opening.ts';

type WindowRow = Row<'maintenance_windows'> & { company_name: string };
export type WindowBody = FormData['maintenance-windows/edit'];

const columns: ListColumns = {
  id: sql.ref('maintenance_windows.id'),
  sorts: {
    id: { by: sql.ref('maintenance_windows.id') },
    name: byText('maintenance_windows.name'),
    company_name: byText('companies.name'),
    created_at: { by: sql.ref('maintenance_windows.created_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('maintenance_windows.company_id'), integers(values)),
    applies_to: (values) => isOneOf(sql.ref('maintenance_windows.applies_to'), values),
    is_active: (values) =>
      isOneOf(
        sql.ref('maintenance_windows.is_active'),
        values.map((value) => (value === 'true' || value === '1' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('maintenance_windows.name')], text),
};

function present(row: WindowRow, now: number): MaintenanceWindow {
  const ids = JSON.parse(row.apply_list) as number[];
  const days = JSON.parse(row.days) as MaintenanceWindow['days'];
  const opening =
    row.is_active === 1 ? nextOpening({ days, from: row.time_from, to: row.time_to, timezone: row.timezone }, now) : undefined;
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    applies_to: row.applies_to,
    device_ids: row.applies_to === 'device' ? ids : [],
    tag_ids: row.applies_to === 'tag' ? ids : [],
    days,
    time_from: row.time_from,
    time_to: row.time_to,
    timezone: row.timezone,
    uses_device_time: row.uses_device_time === 1,
    is_active: row.is_active === 1,
    opens_at: wireTime(opening?.from ?? null),
    user_name: row.user_name,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

function findWindows(db: Db, actor: Actor, ids: readonly number[]): Promise<WindowRow[]> {
  return db
    .selectFrom('maintenance_windows')
    .innerJoin('companies', 'companies.id', 'maintenance_windows.company_id')
    .selectAll('maintenance_windows')
    .select('companies.name as company_name')
    .where('maintenance_windows.id', 'in', ids)
    .where(isVisible(actor, 'maintenance_windows'))
    .execute();
}

async function requireWindow(db: Db, actor: Actor, id: number): Promise<WindowRow> {
  const [row] = await findWindows(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** One page of the maintenance windows that the actor sees. */
export async function listWindows(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: MaintenanceWindow[]; total: number }> {
  const base = ctx.reads
    .selectFrom('maintenance_windows')
    .innerJoin('companies', 'companies.id', 'maintenance_windows.company_id')
    .where(isVisible(actor, 'maintenance_windows'))
    .select('maintenance_windows.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  const now = ctx.clock.now();
  return { rows: inOrderOf(ids, await findWindows(ctx.reads, actor, ids)).map((row) => present(row, now)), total };
}

/** One maintenance window. Throws NOT_FOUND. */
export async function getWindow(ctx: Context, actor: Actor, id: number): Promise<MaintenanceWindow> {
  return present(await requireWindow(ctx.reads, actor, id), ctx.clock.now());
}

function columnsOf(body: WindowBody, now: number) {
  const { applies_to, device_ids = [], tag_ids = [], timezone, uses_device_time = true, is_active = true } = body;
  if (!isZone(timezone))
    throw new InvalidFields([{ source: 'timezone', message: 'Choose a time zone.', params: { key: 'forms.notifications.no_zone' } }]);
  const ids = applies_to === 'device' ? device_ids : applies_to === 'tag' ? tag_ids : [];
  const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);
  return {
    name: body.name,
    applies_to,
    apply_list: JSON.stringify(ids),
    days: JSON.stringify(body.days),
    time_from: body.time_from,
    time_to: body.time_to,
    timezone,
    uses_device_time: flag(uses_device_time),
    is_active: flag(is_active),
    updated_at: now,
  };
}

/** Writes what changed to the history, and lets devices that wait for a window be asked again when it opens. */
async function afterChange(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  action: 'new' | 'edit' | 'remove',
  before: Row<'maintenance_windows'> | null,
  after: Row<'maintenance_windows'> | null,
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  await trx.updateTable('job_targets').set({ due_at: null }).where('state', '=', 'queued').where('due_at', 'is not', null).execute();
  const entry = {
    action: `maintenance-windows.${action}`,
    entity: 'maintenance_window',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
  };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: before ? { ...before } : null, after: after ? { ...after } : null }]);
}

/** Adds a maintenance window. Throws NOT_FOUND at what is not seen, INVALID_FIELD at `timezone`. */
export async function addWindow(ctx: Context, caller: Caller, body: FormData['maintenance-windows/new']): Promise<number> {
  const { actor } = caller;
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, body.company_id ?? actor.companyId, 'company_id');
    await assertChoices(trx, actor, company.id, body);
    const row = await trx
      .insertInto('maintenance_windows')
      .values({ ...columnsOf(body, at), company_id: company.id, user_name: actor.name, created_at: at })
      .returningAll()
      .executeTakeFirstOrThrow();
    await afterChange(trx, caller, at, 'new', null, row);
    return row.id;
  });
}

/** Changes a maintenance window; devices that wait for it follow the new times. Throws as `addWindow`. */
export async function editWindow(ctx: Context, caller: Caller, id: number, body: WindowBody): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireWindow(trx, caller.actor, id);
    await assertChoices(trx, caller.actor, before.company_id, body);
    const after = await trx
      .updateTable('maintenance_windows')
      .set({ ...columnsOf(body, at), user_name: caller.actor.name })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await afterChange(trx, caller, at, 'edit', before, after);
  });
}

/** Removes a maintenance window; devices that wait for it and have no other one go on at once. Throws NOT_FOUND. */
export async function removeWindow(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireWindow(trx, caller.actor, id);
    await trx.deleteFrom('maintenance_windows').where('id', '=', id).execute();
    await afterChange(trx, caller, ctx.clock.now(), 'remove', before, null);
  });
}
