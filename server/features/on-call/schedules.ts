import { sql } from 'kysely';
import type { FormData, OnCallSchedule } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { shiftAt } from '../../domain/on-call/rota.ts';
import { isZone } from '../../../schemas/kit/time/wall-clock.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { isUniqueViolation } from '../../db/dialect.ts';

type ScheduleRow = Row<'on_call_schedules'> & { company_name: string };

const columns: ListColumns = {
  id: sql.ref('on_call_schedules.id'),
  sorts: {
    id: { by: sql.ref('on_call_schedules.id') },
    name: byText('on_call_schedules.name'),
    company_name: byText('companies.name'),
  },
  filters: { company_id: (values) => isWithin(sql.ref('on_call_schedules.company_id'), integers(values)) },
  search: (text) => containsText([sql.ref('on_call_schedules.name')], text),
};

const visible = (db: Db, actor: Actor) =>
  db
    .selectFrom('on_call_schedules')
    .innerJoin('companies', 'companies.id', 'on_call_schedules.company_id')
    .where(isVisible(actor, 'on_call_schedules'));

async function findSchedules(db: Db, actor: Actor, ids: readonly number[]): Promise<ScheduleRow[]> {
  return visible(db, actor)
    .selectAll('on_call_schedules')
    .select('companies.name as company_name')
    .where('on_call_schedules.id', 'in', ids)
    .execute();
}

async function requireSchedule(db: Db, actor: Actor, id: number): Promise<ScheduleRow> {
  const [row] = await findSchedules(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** Names of people that the actor sees; others are counted only. */
async function namesOf(db: Db, actor: Actor, rows: readonly ScheduleRow[]): Promise<Map<number, string>> {
  const ids = rows.flatMap((row) => JSON.parse(row.user_ids) as number[]);
  const users = await db
    .selectFrom('users')
    .select(['users.id', 'users.first_name', 'users.last_name'])
    .where('users.id', 'in', [...new Set(ids)])
    .where(isVisible(actor, 'users'))
    .execute();
  return new Map(users.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`.trim()]));
}

function present(row: ScheduleRow, names: ReadonlyMap<number, string>, now: number): OnCallSchedule {
  const { user_ids, user_name, created_at, updated_at, ...rest } = row;
  const ids = JSON.parse(user_ids) as number[];
  const shift = shiftAt(row, now);
  const nameOf = (id: number | undefined): string | null => (id === undefined ? null : (names.get(id) ?? null));
  return {
    ...rest,
    user_ids: ids,
    shift_days: row.shift_days === 1 ? 1 : 7,
    people: ids.map((id) => names.get(id) ?? '–'),
    on_call_name: nameOf(shift?.userId),
    next_name: nameOf(shift?.nextUserId),
    handover_at: wireTime(shift?.until ?? null),
    user_name,
    created_at: wireTime(created_at),
    updated_at: wireTime(updated_at),
  };
}

/** One page of the on-call schedules of companies that the actor sees. */
export async function listSchedules(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: OnCallSchedule[]; total: number }> {
  const { rows, total } = await applyListQuery(visible(ctx.reads, actor).select('on_call_schedules.id'), query, columns);
  const ids = rows.map(({ id }) => id);
  const found = inOrderOf(ids, await findSchedules(ctx.reads, actor, ids));
  const names = await namesOf(ctx.reads, actor, found);
  return { rows: found.map((row) => present(row, names, ctx.clock.now())), total };
}

/** One on-call schedule. Throws NOT_FOUND. */
export async function getSchedule(ctx: Context, actor: Actor, id: number): Promise<OnCallSchedule> {
  const row = await requireSchedule(ctx.reads, actor, id);
  return present(row, await namesOf(ctx.reads, actor, [row]), ctx.clock.now());
}

/** Throws NOT_FOUND at a person that the actor does not see, INVALID_FIELD at `timezone`. */
async function valuesOf(trx: Trx, actor: Actor, input: FormData['on-call/edit'], at: number) {
  if (!isZone(input.timezone))
    throw new InvalidFields([{ source: 'timezone', message: 'Choose a time zone.', params: { key: 'forms.notifications.no_zone' } }]);
  const users = await trx
    .selectFrom('users')
    .select('users.id')
    .where('users.id', 'in', input.user_ids)
    .where(isVisible(actor, 'users'))
    .execute();
  const known = new Set(users.map(({ id }) => id));
  const missing = input.user_ids.findIndex((id) => !known.has(id));
  if (missing !== -1) throw new NotFound({}, { source: `user_ids.${missing}` });
  return {
    name: input.name,
    user_ids: JSON.stringify(input.user_ids),
    shift_days: input.shift_days ?? 7,
    starts_on: input.starts_on,
    handover_hour: input.handover_hour ?? 9,
    timezone: input.timezone,
    least_severity: input.least_severity ?? 'critical',
    after_minutes: input.after_minutes ?? 0,
    next_minutes: input.next_minutes ?? 15,
    user_name: actor.name,
    updated_at: at,
  };
}

const auditOf = ({ company_name: _name, ...row }: ScheduleRow | (Row<'on_call_schedules'> & { company_name?: string })) => ({
  ...row,
  user_ids: JSON.parse(row.user_ids) as number[],
});

async function audit(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  verb: string,
  [before, after]: readonly (Row<'on_call_schedules'> | null)[],
) {
  const row = after ?? before;
  if (!row) return;
  const entry = {
    action: `on-call.${verb}`,
    entity: 'on_call_schedule',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
  };
  await writeAudit(trx, { actor, origin, at }, [
    { ...entry, before: before ? auditOf(before) : null, after: after ? auditOf(after) : null },
  ]);
}

function taken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new InvalidFields([
    { source: 'company_id', message: 'This company has a schedule already.', params: { key: 'forms.on-call.company_taken' } },
  ]);
}

/** Adds the on-call schedule of a company. Throws NOT_FOUND, and INVALID_FIELD at `timezone`, or at `company_id` for a second one. */
export async function addSchedule(
  ctx: Context,
  caller: Caller,
  { company_id: companyId, ...input }: FormData['on-call/new'],
): Promise<number> {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, caller.actor, companyId, 'company_id');
    const values = { company_id: company.id, ...(await valuesOf(trx, caller.actor, input, at)), created_at: at };
    const row = await trx.insertInto('on_call_schedules').values(values).returningAll().executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'new', [null, row]);
    return row.id;
  }).catch(taken);
}

/** Changes an on-call schedule. Throws NOT_FOUND, and INVALID_FIELD at `timezone`. */
export async function editSchedule(ctx: Context, caller: Caller, id: number, input: FormData['on-call/edit']): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireSchedule(trx, caller.actor, id);
    const values = await valuesOf(trx, caller.actor, input, at);
    const after = await trx.updateTable('on_call_schedules').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'edit', [before, after]);
  });
}

/** Removes an on-call schedule: that of the company above counts then. Throws NOT_FOUND. */
export async function removeSchedule(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireSchedule(trx, caller.actor, id);
    await trx.deleteFrom('on_call_schedules').where('id', '=', id).execute();
    await audit(trx, caller, ctx.clock.now(), 'remove', [before, null]);
  });
}
