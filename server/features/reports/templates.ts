import { sql } from 'kysely';
import type { FormData, Report } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { LANGUAGES } from '../../kernel/language.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isZone } from '../../../schemas/kit/time/wall-clock.ts';
import { nextTime } from '../../domain/plans/next-time.ts';
import { assertChoices, assertInPerson } from '../../domain/plans/plan-devices.ts';
import { findMailServer } from '../../kernel/mail/mailer-for.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { assertMonitoring } from './collected.ts';
import { assertPeriod } from './periods.ts';

export type TemplateRow = Row<'reports'> & { company_name: string };
export type TemplateBody = FormData['reports/edit'];
/** Lists of the console that hold some of the templates only. */
export interface Shown {
  type?: Report['type'];
  period?: Report['period'];
}

const columns: ListColumns = {
  id: sql.ref('reports.id'),
  sorts: {
    id: { by: sql.ref('reports.id') },
    name: byText('reports.name'),
    company_name: byText('companies.name'),
    next_at: { by: sql.ref('reports.next_at'), isNullable: true },
    generated_at: { by: sql.ref('reports.generated_at'), isNullable: true },
    created_at: { by: sql.ref('reports.created_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('reports.company_id'), integers(values)),
    applied_by: (values) => isOneOf(sql.ref('reports.applies_to'), values),
    type: (values) => isOneOf(sql.ref('reports.type'), values),
    // The public API asks for the type by this name.
    period: (values) => sql`(${isOneOf(sql.ref('reports.type'), values)} or ${isOneOf(sql.ref('reports.period'), values)})`,
  },
  search: (text) => containsText([sql.ref('reports.name'), sql.ref('reports.description')], text),
};

const idsOf = (row: Row<'reports'>): number[] =>
  row.applies_to === 'company' ? [row.company_id] : (JSON.parse(row.apply_list) as number[]);

/** The names of what templates are for, as far as the actor sees it. */
async function namesFor(db: Db, actor: Actor, rows: readonly TemplateRow[]): Promise<Map<string, string>> {
  const names = new Map<string, string>(rows.map((row) => [`company ${row.company_id}`, row.company_name]));
  for (const [kind, table] of [
    ['device', 'devices'],
    ['tag', 'tags'],
  ] as const) {
    const ids = [...new Set(rows.flatMap((row) => (row.applies_to === kind ? idsOf(row) : [])))];
    if (ids.length === 0) continue;
    const found = await db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).where(isVisible(actor, table)).execute();
    for (const { id, name } of found) names.set(`${kind} ${id}`, name);
  }
  return names;
}

function present(row: TemplateRow, names: ReadonlyMap<string, string>): Report {
  const ids = idsOf(row);
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    description: row.description,
    type: row.type,
    period: row.period,
    parameters: JSON.parse(row.parameters) as Report['parameters'],
    monitoring_templates: JSON.parse(row.monitoring_templates) as number[],
    applied_by: row.applies_to,
    apply_list: ids,
    apply_list_names: ids.flatMap((id) => names.get(`${row.applies_to} ${id}`) ?? []),
    device_ids: row.applies_to === 'device' ? ids : [],
    tag_ids: row.applies_to === 'tag' ? ids : [],
    is_active: row.is_active === 1,
    start_date: row.start_date,
    end_date: row.end_date,
    time: row.time,
    timezone: row.timezone,
    mail_to: JSON.parse(row.mail_to) as string[],
    mail_language: LANGUAGES.find((one) => one === row.mail_language) ?? 'en',
    smtp_config_id: row.smtp_config_id,
    // Nobody's rights are left to make it with.
    next_at: row.created_by === null ? null : wireTime(row.next_at),
    generated_at: wireTime(row.generated_at),
    user_name: row.user_name,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

function findTemplates(db: Db, actor: Actor, ids: readonly number[]): Promise<TemplateRow[]> {
  return db
    .selectFrom('reports')
    .innerJoin('companies', 'companies.id', 'reports.company_id')
    .selectAll('reports')
    .select('companies.name as company_name')
    .where('reports.id', 'in', ids)
    .where(isVisible(actor, 'reports'))
    .execute();
}

/** A template that the actor sees. Throws NOT_FOUND. */
export async function requireTemplate(db: Db, actor: Actor, id: number): Promise<TemplateRow> {
  const [row] = await findTemplates(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** One page of the templates that the actor sees. */
export async function listTemplates(
  ctx: Context,
  actor: Actor,
  query: ListQuery,
  { type, period }: Shown = {},
): Promise<{ rows: Report[]; total: number }> {
  const base = ctx.reads
    .selectFrom('reports')
    .innerJoin('companies', 'companies.id', 'reports.company_id')
    .where(isVisible(actor, 'reports'))
    .$if(type !== undefined, (some) => some.where('reports.type', '=', type ?? 'single'))
    .$if(period !== undefined, (some) => some.where('reports.period', '=', period ?? 'day'))
    .select('reports.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  const found = await findTemplates(ctx.reads, actor, ids);
  const names = await namesFor(ctx.reads, actor, found);
  return { rows: inOrderOf(ids, found).map((row) => present(row, names)), total };
}

/** One template. Throws NOT_FOUND. */
export async function getTemplate(ctx: Context, actor: Actor, id: number): Promise<Report> {
  const row = await requireTemplate(ctx.reads, actor, id);
  return present(row, await namesFor(ctx.reads, actor, [row]));
}

/** What a template is for: as the console sends it, or as the public API does, in one list of ids. */
function choicesOf({ applied_by, apply_list, device_ids, tag_ids }: TemplateBody): { company?: number; ids: number[] } {
  const source = applied_by === 'device' ? 'device_ids' : applied_by === 'tag' ? 'tag_ids' : undefined;
  const given = (source === 'device_ids' ? device_ids : source === 'tag_ids' ? tag_ids : undefined) ?? apply_list ?? [];
  if (source === undefined) return { ...(given[0] === undefined ? {} : { company: given[0] }), ids: [] };
  if (given.length === 0)
    throw new InvalidFields([{ source, message: 'Choose at least one.', params: { key: 'forms.reports.nothing_chosen' } }]);
  return { ids: [...given] };
}

/** The moment of the next report; null where none is made by itself. */
export function dueAfter(row: Pick<Row<'reports'>, 'type' | 'period' | 'is_active' | 'time' | 'timezone'>, now: number): number | null {
  if (row.type !== 'periodic' || row.is_active === 0 || row.period === 'custom') return null;
  return nextTime({ period: row.period, day: row.period === 'day' ? null : 1, time: row.time, timezone: row.timezone }, now);
}

function columnsOf(body: TemplateBody, ids: readonly number[], now: number) {
  const {
    name = '',
    description = '',
    type,
    period,
    is_active = true,
    start_date = null,
    end_date = null,
    time = '06:00',
    timezone = 'UTC',
    mail_to = [],
    mail_language = 'en',
    smtp_config_id = null,
  } = body;
  assertPeriod({ type, period, start_date, end_date });
  if (!isZone(timezone))
    throw new InvalidFields([{ source: 'timezone', message: 'Choose a time zone.', params: { key: 'forms.notifications.no_zone' } }]);
  const isChosen = period === 'custom';
  const row = {
    name: name === '' ? `${type} ${period}` : name,
    description,
    type,
    period,
    parameters: JSON.stringify([...new Set(body.parameters)]),
    monitoring_templates: JSON.stringify([...new Set(body.monitoring_templates)]),
    applies_to: body.applied_by,
    apply_list: JSON.stringify(ids),
    is_active: is_active ? 1 : 0,
    start_date: isChosen ? start_date : null,
    end_date: isChosen ? end_date : null,
    time,
    timezone,
    mail_to: JSON.stringify(mail_to),
    mail_language,
    smtp_config_id,
    updated_at: now,
  } as const;
  return { ...row, next_at: dueAfter(row, now) };
}

function audit(trx: Trx, caller: Caller, at: number, verb: string, before: Row<'reports'> | null, after: Row<'reports'> | null) {
  const row = after ?? before;
  if (!row) return Promise.resolve();
  const entry = { action: `reports.${verb}`, entity: 'report', entityId: row.id, entityName: row.name, companyId: row.company_id };
  return writeAudit(trx, { ...caller, at }, [{ ...entry, before: before ? { ...before } : null, after: after ? { ...after } : null }]);
}

const chosenIn = (body: TemplateBody, ids: number[]) =>
  body.applied_by === 'device' ? { device_ids: ids } : body.applied_by === 'tag' ? { tag_ids: ids } : {};

async function assertMailServer(trx: Trx, actor: Actor, serverId: number | undefined): Promise<void> {
  if (serverId === undefined || (await findMailServer(trx, actor, serverId)) !== undefined) return;
  throw new InvalidFields([
    { source: 'smtp_config_id', message: 'There is no such mail server.', params: { key: 'forms.mail.no_server' } },
  ]);
}

/** Adds a template. Throws NOT_FOUND at what is not seen, INVALID_FIELD at what does not fit. */
export async function addTemplate(ctx: Context, caller: Caller, body: FormData['reports/new']): Promise<number> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  const { company: named, ids } = choicesOf(body);
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, actor, body.company_id ?? named ?? actor.companyId, 'company_id');
    await assertChoices(trx, actor, company.id, chosenIn(body, ids));
    await assertMonitoring(trx, actor, body.monitoring_templates);
    await assertMailServer(trx, actor, body.smtp_config_id);
    const row = await trx
      .insertInto('reports')
      .values({
        ...columnsOf(body, ids, at),
        company_id: company.id,
        generated_at: null,
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

/** Changes a template, which makes its reports with the rights of who changed it from now on. Throws as `addTemplate`. */
export async function editTemplate(ctx: Context, caller: Caller, id: number, body: TemplateBody): Promise<void> {
  const { actor } = caller;
  assertInPerson(actor);
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireTemplate(trx, actor, id);
    const { ids } = choicesOf(body);
    await assertChoices(trx, actor, before.company_id, chosenIn(body, ids));
    await assertMonitoring(trx, actor, body.monitoring_templates);
    await assertMailServer(trx, actor, body.smtp_config_id);
    const after = await trx
      .updateTable('reports')
      .set({ ...columnsOf(body, ids, at), created_by: actor.userId, actor_company_id: actor.companyId, user_name: actor.name })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'edit', before, after);
  });
}

/** Removes a template; its reports stay. Throws NOT_FOUND. */
export async function removeTemplate(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...before } = await requireTemplate(trx, caller.actor, id);
    await trx.deleteFrom('reports').where('id', '=', id).execute();
    await audit(trx, caller, ctx.clock.now(), 'remove', before, null);
  });
}
