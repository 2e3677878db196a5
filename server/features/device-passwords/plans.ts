import { sql } from 'kysely';
import type { FormData, PasswordPlan } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Changes, Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { assertChoices, assertInPerson } from '../../domain/plans/plan-devices.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';

type PlanRow = Row<'password_plans'> & { company_name: string };
type PlanBody = FormData['password-plans/edit'];

const columns: ListColumns = {
  id: sql.ref('password_plans.id'),
  sorts: {
    id: { by: sql.ref('password_plans.id') },
    name: byText('password_plans.name'),
    company_name: byText('companies.name'),
    next_at: { by: sql.ref('password_plans.next_at'), isNullable: true },
    last_at: { by: sql.ref('password_plans.last_at'), isNullable: true },
    created_at: { by: sql.ref('password_plans.created_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('password_plans.company_id'), integers(values)),
    is_active: (values) =>
      isOneOf(
        sql.ref('password_plans.is_active'),
        values.map((value) => (value === 'true' || value === '1' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('password_plans.name')], text),
};

function present(row: PlanRow): PasswordPlan {
  const ids = JSON.parse(row.apply_list) as number[];
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    applies_to: row.applies_to,
    device_ids: row.applies_to === 'device' ? ids : [],
    tag_ids: row.applies_to === 'tag' ? ids : [],
    username: row.username,
    length: row.length,
    use_special: row.use_special === 1,
    every_days: row.every_days,
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
    .selectFrom('password_plans')
    .innerJoin('companies', 'companies.id', 'password_plans.company_id')
    .selectAll('password_plans')
    .select('companies.name as company_name')
    .where(isVisible(actor, 'password_plans'));

async function requirePlan(db: Db, actor: Actor, id: number): Promise<PlanRow> {
  const row = await selectPlans(db, actor).where('password_plans.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** One page of the plans that the actor sees. */
export async function listPlans(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: PasswordPlan[]; total: number }> {
  const { rows, total } = await applyListQuery(selectPlans(db, actor), query, columns);
  return { rows: rows.map(present), total };
}

/** One plan. Throws NOT_FOUND. */
export async function getPlan(ctx: Context, actor: Actor, id: number): Promise<PasswordPlan> {
  return present(await requirePlan(ctx.reads, actor, id));
}

function columnsOf({ device_ids = [], tag_ids = [], is_active = true, use_special = false, ...body }: PlanBody, now: number) {
  const { name, applies_to, username, length, every_days } = body;
  const ids = applies_to === 'device' ? device_ids : applies_to === 'tag' ? tag_ids : [];
  const flags: { is_active: 0 | 1; use_special: 0 | 1 } = { is_active: is_active ? 1 : 0, use_special: use_special ? 1 : 0 };
  return { name, applies_to, apply_list: JSON.stringify(ids), username, length, every_days, ...flags, updated_at: now };
}

type Kept = Row<'password_plans'> | null;

async function audit(trx: Trx, { actor, origin }: Caller, at: number, action: string, [before, after]: [Kept, Kept]): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const entry = {
    action: `password-plans.${action}`,
    entity: 'password_plan',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
  };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: before ? { ...before } : null, after: after ? { ...after } : null }]);
}

/** Adds a plan that runs with the rights of who adds it, for the first time when its days have passed. Throws NOT_FOUND at what is not seen. */
export async function addPlan(ctx: Context, caller: Caller, body: FormData['password-plans/new']): Promise<number> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, body.company_id ?? actor.companyId, 'company_id');
    await assertChoices(trx, actor, company.id, body);
    const given = columnsOf(body, at);
    const row = await trx
      .insertInto('password_plans')
      .values({
        ...given,
        company_id: company.id,
        created_by: actor.userId,
        actor_company_id: actor.companyId,
        user_name: actor.name,
        created_at: at,
        next_at: given.is_active ? at + given.every_days * DAY : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'new', [null, row]);
    return row.id;
  });
}

/** Changes a plan, which runs with the rights of who changed it from now on; its days count from its last run. Throws as `addPlan`. */
export async function editPlan(ctx: Context, caller: Caller, id: number, body: PlanBody): Promise<void> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requirePlan(trx, actor, id);
    await assertChoices(trx, actor, before.company_id, body);
    const given = columnsOf(body, at);
    const change: Changes<'password_plans'> = {
      ...given,
      created_by: actor.userId,
      actor_company_id: actor.companyId,
      user_name: actor.name,
      next_at: given.is_active ? Math.max(at, (before.last_at ?? before.created_at) + given.every_days * DAY) : null,
    };
    const after = await trx.updateTable('password_plans').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'edit', [before, after]);
  });
}

/** Removes a plan; the vault keeps what it has. Throws NOT_FOUND. */
export async function removePlan(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requirePlan(trx, caller.actor, id);
    await trx.deleteFrom('password_plans').where('id', '=', id).execute();
    await audit(trx, caller, ctx.clock.now(), 'remove', [before, null]);
  });
}
