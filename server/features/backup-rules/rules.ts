import { sql } from 'kysely';
import type { BackupRule, FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Changes, Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { assertChoices, assertInPerson } from '../../domain/plans/plan-devices.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { isZone } from '../../../schemas/kit/time/wall-clock.ts';
import { nextTime } from '../../domain/plans/next-time.ts';

type RuleRow = Row<'backup_rules'> & { company_name: string };
export type RuleBody = FormData['backup-rules/edit'];

const columns: ListColumns = {
  id: sql.ref('backup_rules.id'),
  sorts: {
    id: { by: sql.ref('backup_rules.id') },
    name: byText('backup_rules.name'),
    company_name: byText('companies.name'),
    next_at: { by: sql.ref('backup_rules.next_at'), isNullable: true },
    last_at: { by: sql.ref('backup_rules.last_at'), isNullable: true },
    created_at: { by: sql.ref('backup_rules.created_at') },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('backup_rules.company_id'), integers(values)),
    period: (values) => isOneOf(sql.ref('backup_rules.period'), values),
    is_active: (values) =>
      isOneOf(
        sql.ref('backup_rules.is_active'),
        values.map((value) => (value === 'true' || value === '1' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('backup_rules.name')], text),
};

function present(row: RuleRow): BackupRule {
  const ids = JSON.parse(row.apply_list) as number[];
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    applies_to: row.applies_to,
    device_ids: row.applies_to === 'device' ? ids : [],
    tag_ids: row.applies_to === 'tag' ? ids : [],
    period: row.period,
    weekday: row.period === 'week' ? row.day : null,
    month_day: row.period === 'month' ? row.day : null,
    time: row.time,
    timezone: row.timezone,
    keep: row.keep,
    is_active: row.is_active === 1,
    user_name: row.user_name,
    next_at: wireTime(row.next_at),
    last_at: wireTime(row.last_at),
    last_job_id: row.last_job_id,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

function findRules(db: Db, actor: Actor, ids: readonly number[]): Promise<RuleRow[]> {
  return db
    .selectFrom('backup_rules')
    .innerJoin('companies', 'companies.id', 'backup_rules.company_id')
    .selectAll('backup_rules')
    .select('companies.name as company_name')
    .where('backup_rules.id', 'in', ids)
    .where(isVisible(actor, 'backup_rules'))
    .execute();
}

async function requireRule(db: Db, actor: Actor, id: number): Promise<RuleRow> {
  const [row] = await findRules(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** One page of the rules that the actor sees. */
export async function listRules(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: BackupRule[]; total: number }> {
  const base = db
    .selectFrom('backup_rules')
    .innerJoin('companies', 'companies.id', 'backup_rules.company_id')
    .where(isVisible(actor, 'backup_rules'))
    .select('backup_rules.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findRules(db, actor, ids)).map(present), total };
}

/** One rule. Throws NOT_FOUND. */
export async function getRule(ctx: Context, actor: Actor, id: number): Promise<BackupRule> {
  return present(await requireRule(ctx.reads, actor, id));
}

function columnsOf(body: RuleBody, now: number) {
  const {
    name,
    applies_to,
    device_ids = [],
    tag_ids = [],
    period,
    weekday = null,
    month_day = null,
    time,
    timezone,
    keep,
    is_active = true,
  } = body;
  if (!isZone(timezone))
    throw new InvalidFields([{ source: 'timezone', message: 'Choose a time zone.', params: { key: 'forms.notifications.no_zone' } }]);
  const day = period === 'week' ? weekday : period === 'month' ? month_day : null;
  const ids = applies_to === 'device' ? device_ids : applies_to === 'tag' ? tag_ids : [];
  const next_at = is_active ? nextTime({ period, day, time, timezone }, now) : null;
  const flag: 0 | 1 = is_active ? 1 : 0;
  return {
    name,
    applies_to,
    apply_list: JSON.stringify(ids),
    period,
    day,
    time,
    timezone,
    keep,
    is_active: flag,
    next_at,
    updated_at: now,
  };
}

async function audit(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  action: string,
  before: Row<'backup_rules'> | null,
  after: Row<'backup_rules'> | null,
) {
  const row = after ?? before;
  if (!row) return;
  const entry = {
    action: `backup-rules.${action}`,
    entity: 'backup_rule',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
  };
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: before ? { ...before } : null, after: after ? { ...after } : null }]);
}

/** Adds a rule that runs with the rights of who adds it. Throws NOT_FOUND at what is not seen, INVALID_FIELD at `timezone`. */
export async function addRule(ctx: Context, caller: Caller, body: FormData['backup-rules/new']): Promise<number> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, body.company_id ?? actor.companyId, 'company_id');
    await assertChoices(trx, actor, company.id, body);
    const row = await trx
      .insertInto('backup_rules')
      .values({
        ...columnsOf(body, at),
        company_id: company.id,
        created_by: actor.userId,
        actor_company_id: actor.companyId,
        user_name: actor.name,
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'new', null, row);
    return row.id;
  });
}

/** Changes a rule, which runs with the rights of who changed it from now on. Throws as `addRule`. */
export async function editRule(ctx: Context, caller: Caller, id: number, body: RuleBody): Promise<void> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireRule(trx, actor, id);
    await assertChoices(trx, actor, before.company_id, body);
    const change: Changes<'backup_rules'> = {
      ...columnsOf(body, at),
      created_by: actor.userId,
      actor_company_id: actor.companyId,
      user_name: actor.name,
    };
    const after = await trx.updateTable('backup_rules').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'edit', before, after);
  });
}

/** Removes a rule; its backups stay. Throws NOT_FOUND. */
export async function removeRule(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireRule(trx, caller.actor, id);
    await trx.deleteFrom('backup_rules').where('id', '=', id).execute();
    await audit(trx, caller, ctx.clock.now(), 'remove', before, null);
  });
}
