import { sql, type SqlBool } from 'kysely';
import type { Automation, FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Changes, Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { assertChoices, assertInPerson } from '../../domain/plans/plan-devices.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { assertPatterns, assertRule } from './check-rule.ts';
import { setDevices, startLooking } from './device-rows.ts';
import { appliesToDevice, countDevices, type DeviceCounts } from './scope.ts';
import { keepVersion, ruleOf } from './stored-rule.ts';
import type { Branch, Rule } from './types.ts';

export type AutomationRow = Row<'automations'> & { company_name: string };
export type AutomationBody = FormData['automations/edit'];
const MOST_DEVICE_IDS = 500;

/** Automations that are in force for one of these devices. */
const isForOneOf = (deviceIds: readonly (string | number)[]) =>
  sql<SqlBool>`exists (select 1 from devices as d inner join companies as own on own.id = d.company_id
    where ${isOneOf(sql.ref('d.id'), deviceIds)} and ${appliesToDevice(sql.ref('d.id'), sql.ref('own.path'))})`;

const columns: ListColumns = {
  id: sql.ref('automations.id'),
  sorts: {
    id: { by: sql.ref('automations.id') },
    name: byText('automations.name'),
    company_name: byText('companies.name'),
    total_triggered_count: { by: sql.ref('automations.triggered_count') },
    updated_at: { by: sql.ref('automations.updated_at') },
    created_at: { by: sql.ref('automations.created_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('automations.company_id'), integers(values)),
    device_id: (values) => isForOneOf(integers(values)),
    applies_to: (values) => isOneOf(sql.ref('automations.applies_to'), values),
    enabled: (values) =>
      isOneOf(
        sql.ref('automations.is_enabled'),
        values.map((value) => (value === 'true' || value === '1' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('automations.name'), sql.ref('automations.description')], text),
};

function presentAutomation(row: AutomationRow, counts: DeviceCounts | undefined, deviceIds: readonly number[]): Automation {
  const rule = ruleOf(row);
  return {
    id: row.id,
    name: row.name,
    description: row.description || null,
    company_id: row.company_id,
    company_name: row.company_name,
    user_id: row.created_by,
    user_name: row.user_name,
    enabled: row.is_enabled === 1,
    applies_to: row.applies_to,
    device_ids: [...deviceIds],
    tag_ids: row.applies_to === 'tag' ? (JSON.parse(row.apply_list) as number[]) : [],
    cooldown_enabled: rule.cooldownSeconds > 0,
    cooldown_duration: rule.cooldownSeconds,
    recovery_duration: rule.recoverySeconds ?? null,
    delay_enabled: rule.delaySeconds > 0 || rule.delayCount > 1,
    delay_duration: rule.delaySeconds,
    delay_repetitions_count: rule.delayCount,
    period: rule.period,
    period_trigger_limit: rule.limit,
    total_triggered_count: row.triggered_count,
    devices_count: counts?.all ?? 0,
    active_devices_count: counts?.active ?? 0,
    automation_version: row.version,
    conditions_body_version: row.version,
    conditions_body: rule.branches.map((branch) => ({ ...branch })),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

function findAutomations(db: Db, actor: Actor, ids: readonly number[]): Promise<AutomationRow[]> {
  return db
    .selectFrom('automations')
    .innerJoin('companies', 'companies.id', 'automations.company_id')
    .selectAll('automations')
    .select('companies.name as company_name')
    .where('automations.id', 'in', ids)
    .where(isVisible(actor, 'automations'))
    .execute();
}

/** One automation that the actor sees. Throws NOT_FOUND, at `source` where one is given. */
export async function requireAutomation(db: Db, actor: Actor, id: number, source?: string): Promise<AutomationRow> {
  const [row] = await findAutomations(db, actor, [id]);
  if (!row) throw new NotFound({}, source === undefined ? {} : { source });
  return row;
}

/** One page of the automations that the actor sees. */
export async function listAutomations(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: Automation[]; total: number }> {
  const base = db
    .selectFrom('automations')
    .innerJoin('companies', 'companies.id', 'automations.company_id')
    .where(isVisible(actor, 'automations'))
    .select('automations.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await presentAll(db, actor, ids)), total };
}

/** The automations that are in force for a device. */
export async function automationIdsOf(db: Db, deviceId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('automations')
    .innerJoin('companies', 'companies.id', 'automations.company_id')
    .select('automations.id')
    .where(isForOneOf([deviceId]))
    .execute();
  return rows.map(({ id }) => id);
}

/** These automations with how many devices each is for, as far as the actor sees them. */
export async function presentAll(db: Db, actor: Actor, ids: readonly number[]): Promise<Automation[]> {
  const rows = await findAutomations(db, actor, ids);
  const counts = await countDevices(db, actor, rows);
  return rows.map((row) => presentAutomation(row, counts.get(row.id), []));
}

/** One automation with its devices, at most 500 of them. Throws NOT_FOUND. */
export async function getAutomation(ctx: Context, actor: Actor, id: number): Promise<Automation> {
  const row = await requireAutomation(ctx.reads, actor, id);
  const counts = (await countDevices(ctx.reads, actor, [row])).get(id);
  if (row.applies_to !== 'device') return presentAutomation(row, counts, []);
  const devices = await ctx.reads
    .selectFrom('automation_devices')
    .innerJoin('devices', 'devices.id', 'automation_devices.device_id')
    .select('automation_devices.device_id')
    .where('automation_devices.automation_id', '=', id)
    .where(isVisible(actor, 'devices'))
    .orderBy('automation_devices.device_id')
    .limit(MOST_DEVICE_IDS)
    .execute();
  return presentAutomation(
    row,
    counts,
    devices.map(({ device_id }) => device_id),
  );
}

/** What a body says of the rule. */
export function ruleIn(body: Pick<AutomationBody, 'conditions_body'> & Partial<AutomationBody>): Rule {
  const { cooldown_enabled = true, cooldown_duration = 0, delay_enabled = true, delay_duration = 0, delay_repetitions_count = 1 } = body;
  return {
    branches: body.conditions_body as readonly Branch[],
    delaySeconds: delay_enabled ? delay_duration : 0,
    delayCount: delay_enabled ? Math.max(1, delay_repetitions_count) : 1,
    cooldownSeconds: cooldown_enabled ? cooldown_duration : 0,
    ...(body.recovery_duration === undefined ? {} : { recoverySeconds: body.recovery_duration }),
    limit: body.period_trigger_limit ?? null,
    period: body.period ?? 'day',
  };
}

function columnsOf(body: AutomationBody, actor: Actor, now: number) {
  const { applies_to = 'company', tag_ids = [], enabled = true } = body;
  const flag: 0 | 1 = enabled ? 1 : 0;
  return {
    name: body.name,
    description: body.description ?? '',
    is_enabled: flag,
    applies_to,
    apply_list: JSON.stringify(applies_to === 'tag' ? tag_ids : []),
    rule: JSON.stringify(ruleIn(body)),
    created_by: actor.userId,
    actor_company_id: actor.companyId,
    user_name: actor.name,
    updated_at: now,
  };
}

async function audit(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  action: string,
  before: Row<'automations'> | null,
  after: Row<'automations'> | null,
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const entry = {
    action: `automations.${action}`,
    entity: 'automation',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
  };
  const kept = (one: Row<'automations'> | null) => (one ? { ...one, rule: JSON.parse(one.rule) } : null);
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: kept(before), after: kept(after) }]);
}

/**
 * Adds an automation; its actions run with the rights of who adds it. Throws NOT_FOUND at what is not seen, INVALID_FIELD at each place of the rule that
 * cannot work.
 */
export function addAutomation(ctx: Context, caller: Caller, body: FormData['automations/new']): Promise<number> {
  return inTransaction(ctx.db, (trx) => insertAutomation(ctx, trx, caller, body));
}

/** The same within a transaction. */
export async function insertAutomation(ctx: Context, trx: Trx, caller: Caller, body: FormData['automations/new']): Promise<number> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  const company = await requireCompany(trx, actor, body.company_id ?? actor.companyId, 'company_id');
  await assertChoices(trx, actor, company.id, body);
  await assertRule(ctx, trx, actor, ruleIn(body).branches);
  const row = await trx
    .insertInto('automations')
    .values({ ...columnsOf(body, actor, at), company_id: company.id, version: 1, triggered_count: 0, last_mail_at: null, created_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.applies_to === 'device') await setDevices(trx, row.id, body.device_ids ?? [], at);
  await keepVersion(trx, row);
  await startLooking(ctx, trx, row);
  await audit(trx, caller, at, 'new', null, row);
  return row.id;
}

/** Changes an automation, which acts with the rights of who changed it from now on; a changed rule begins from nothing on every device. Throws as `addAutomation`. */
export function editAutomation(ctx: Context, caller: Caller, id: number, body: AutomationBody): Promise<void> {
  return inTransaction(ctx.db, (trx) => updateAutomation(ctx, trx, caller, id, body));
}

/** The same within a transaction. */
export async function updateAutomation(ctx: Context, trx: Trx, caller: Caller, id: number, body: AutomationBody): Promise<void> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  await requireAutomation(trx, actor, id);
  const before = await trx.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await assertChoices(trx, actor, before.company_id, body);
  await assertRule(ctx, trx, actor, ruleIn(body).branches);
  const next = columnsOf(body, actor, at);
  const isOther = next.rule !== before.rule;
  const change: Changes<'automations'> = { ...next, version: before.version + (isOther ? 1 : 0) };
  const after = await trx.updateTable('automations').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
  if (after.applies_to === 'device' && body.device_ids !== undefined) await setDevices(trx, id, body.device_ids, at);
  if (isOther) {
    await keepVersion(trx, after);
    await trx
      .updateTable('automation_devices')
      .set({ state: '{"branches":{},"references":{}}', due_at: null })
      .where('automation_id', '=', id)
      .execute();
    await trx.updateTable('alerts').set({ ended_at: at }).where('automation_id', '=', id).where('ended_at', 'is', null).execute();
  }
  await startLooking(ctx, trx, after);
  await audit(trx, caller, at, 'edit', before, after);
}

/** Turns automations on or off. Throws NOT_FOUND at the first that is not seen. */
export async function activate(ctx: Context, caller: Caller, ids: readonly number[], isEnabled: boolean): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    for (const [index, id] of ids.entries()) {
      await requireAutomation(trx, caller.actor, id, `automations.${index}`);
      const before = await trx.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      if ((before.is_enabled === 1) === isEnabled) continue;
      if (isEnabled) assertPatterns(ruleOf(before).branches, `automations.${index}`);
      const after = await trx
        .updateTable('automations')
        .set({ is_enabled: isEnabled ? 1 : 0, updated_at: at })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await startLooking(ctx, trx, after);
      await audit(trx, caller, at, isEnabled ? 'enable' : 'disable', before, after);
    }
  });
}

/** Removes an automation with its logs; its open alerts end. Throws NOT_FOUND. */
export async function removeAutomation(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    await requireAutomation(trx, caller.actor, id);
    const before = await trx.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await trx.updateTable('alerts').set({ ended_at: at }).where('automation_id', '=', id).where('ended_at', 'is', null).execute();
    await trx.deleteFrom('automations').where('id', '=', id).execute();
    await audit(trx, caller, at, 'remove', before, null);
  });
}
