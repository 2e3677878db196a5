import { sql } from 'kysely';
import type { FormData, TaskPlan } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Changes, Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { HOUR, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isZone } from '../../../schemas/kit/time/wall-clock.ts';
import { nextTime } from '../../domain/plans/next-time.ts';
import { assertChoices, assertInPerson } from '../../domain/plans/plan-devices.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { prepareRun } from './run.ts';

type Plan = Row<'task_plans'>;
type PlanRow = Plan & { company_name: string; group_name: string };
type PlanBody = FormData['task-plans/edit'];

const columns: ListColumns = {
  id: sql.ref('task_plans.id'),
  sorts: {
    id: { by: sql.ref('task_plans.id') },
    name: byText('task_plans.name'),
    group_name: byText('task_groups.name'),
    company_name: byText('companies.name'),
    next_at: { by: sql.ref('task_plans.next_at'), isNullable: true },
    last_at: { by: sql.ref('task_plans.last_at'), isNullable: true },
    created_at: { by: sql.ref('task_plans.created_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('task_plans.company_id'), integers(values)),
    group_id: (values) => isOneOf(sql.ref('task_plans.group_id'), integers(values)),
    is_active: (values) =>
      isOneOf(
        sql.ref('task_plans.is_active'),
        values.map((value) => (value === 'true' || value === '1' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('task_plans.name'), sql.ref('task_groups.name')], text),
};

function present(row: PlanRow): TaskPlan {
  const ids = JSON.parse(row.apply_list) as number[];
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    group_id: row.group_id,
    group_name: row.group_name,
    applies_to: row.applies_to,
    device_ids: row.applies_to === 'device' ? ids : [],
    tag_ids: row.applies_to === 'tag' ? ids : [],
    period: row.period,
    every_hours: row.every_hours,
    weekday: row.period === 'week' ? row.day : null,
    month_day: row.period === 'month' ? row.day : null,
    time: row.time,
    timezone: row.timezone,
    values: JSON.parse(row.given) as TaskPlan['values'],
    is_active: row.is_active === 1,
    user_name: row.user_name,
    next_at: wireTime(row.next_at),
    last_at: wireTime(row.last_at),
    last_job_id: row.last_job_id,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

const selectPlans = (db: Db, actor: Actor) =>
  db
    .selectFrom('task_plans')
    .innerJoin('companies', 'companies.id', 'task_plans.company_id')
    .innerJoin('task_groups', 'task_groups.id', 'task_plans.group_id')
    .selectAll('task_plans')
    .select(['companies.name as company_name', 'task_groups.name as group_name'])
    .where(isVisible(actor, 'task_plans'));

async function requirePlan(db: Db, actor: Actor, id: number): Promise<PlanRow> {
  const row = await selectPlans(db, actor).where('task_plans.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** One page of the plans that the actor sees. */
export async function listPlans(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: TaskPlan[]; total: number }> {
  const { rows, total } = await applyListQuery(selectPlans(db, actor), query, columns);
  return { rows: rows.map(present), total };
}

/** One plan. Throws NOT_FOUND. */
export async function getPlan(ctx: Context, actor: Actor, id: number): Promise<TaskPlan> {
  return present(await requirePlan(ctx.reads, actor, id));
}

/** When a plan runs next, in Unix ms. */
export function nextRun(plan: Pick<Plan, 'period' | 'day' | 'time' | 'timezone' | 'every_hours'>, after: number): number {
  const { period, every_hours, ...rest } = plan;
  return period === 'hours' ? after + (every_hours ?? 1) * HOUR : nextTime({ period, ...rest }, after);
}

function columnsOf(body: PlanBody, now: number) {
  const { name, group_id, applies_to, device_ids = [], tag_ids = [], period, is_active = true, values = [] } = body;
  const { every_hours = null, weekday = null, month_day = null, time = '00:00', timezone = 'UTC' } = body;
  if (!isZone(timezone))
    throw new InvalidFields([{ source: 'timezone', message: 'Choose a time zone.', params: { key: 'forms.notifications.no_zone' } }]);
  const day = period === 'week' ? weekday : period === 'month' ? month_day : null;
  const when = { period, day, time, timezone, every_hours: period === 'hours' ? every_hours : null };
  const flag: 0 | 1 = is_active ? 1 : 0;
  return {
    name,
    group_id,
    applies_to,
    apply_list: JSON.stringify(applies_to === 'device' ? device_ids : applies_to === 'tag' ? tag_ids : []),
    ...when,
    given: JSON.stringify(values),
    is_active: flag,
    next_at: is_active ? nextRun(when, now) : null,
    updated_at: now,
  };
}

/** The values of variables that a plan gives, by name. */
export function valuesOf(given: string): Record<string, string> {
  return Object.fromEntries((JSON.parse(given) as TaskPlan['values']).map(({ name, value }) => [name, value]));
}

async function audit(trx: Trx, { actor, origin }: Caller, at: number, action: string, [before, after]: [Plan | null, Plan | null]) {
  const row = after ?? before;
  if (!row) return;
  const entry = {
    action: `task-plans.${action}`,
    entity: 'task_plan',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
  };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: before ? { ...before } : null, after: after ? { ...after } : null }]);
}

/** Adds a plan that runs with the rights of who adds it. Throws NOT_FOUND at what is not seen, INVALID_FIELD at `values` and `timezone`. */
export async function addPlan(ctx: Context, caller: Caller, body: FormData['task-plans/new']): Promise<number> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  const given = columnsOf(body, at);
  await prepareRun(ctx, actor, body.group_id, valuesOf(given.given), { group: 'group_id', values: 'values' }, { isKept: true });
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, body.company_id ?? actor.companyId, 'company_id');
    await assertChoices(trx, actor, company.id, body);
    const row = await trx
      .insertInto('task_plans')
      .values({
        ...given,
        company_id: company.id,
        created_by: actor.userId,
        actor_company_id: actor.companyId,
        user_name: actor.name,
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'new', [null, row]);
    return row.id;
  });
}

/** Changes a plan, which runs with the rights of who changed it from now on. Throws as `addPlan`. */
export async function editPlan(ctx: Context, caller: Caller, id: number, body: PlanBody): Promise<void> {
  const { actor } = caller;
  assertInPerson(actor);
  await requirePlan(ctx.reads, actor, id);
  const at = ctx.clock.now();
  const given = columnsOf(body, at);
  await prepareRun(ctx, actor, body.group_id, valuesOf(given.given), { group: 'group_id', values: 'values' }, { isKept: true });
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _company, group_name: _group, ...before } = await requirePlan(trx, actor, id);
    await assertChoices(trx, actor, before.company_id, body);
    const change: Changes<'task_plans'> = {
      ...given,
      created_by: actor.userId,
      actor_company_id: actor.companyId,
      user_name: actor.name,
    };
    const after = await trx.updateTable('task_plans').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'edit', [before, after]);
  });
}

/** Removes a plan; its runs stay. Throws NOT_FOUND. */
export async function removePlan(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _company, group_name: _group, ...before } = await requirePlan(trx, caller.actor, id);
    await trx.deleteFrom('task_plans').where('id', '=', id).execute();
    await audit(trx, caller, ctx.clock.now(), 'remove', [before, null]);
  });
}
