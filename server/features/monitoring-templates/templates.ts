import { sql } from 'kysely';
import type { FormData, MonitoringTemplate } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { dailyBytes } from '../../../schemas/kit/devices/collected.ts';
import { wireTime } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { askDevices } from './ask-devices.ts';
import { metricOf, sourcesOf, type Source, type TemplateBody } from './sources.ts';

export type TemplateRow = Row<'monitoring_templates'>;
type Found = TemplateRow & { company_name: string };

const columns: ListColumns = {
  id: sql.ref('monitoring_templates.id'),
  sorts: {
    id: { by: sql.ref('monitoring_templates.id') },
    name: byText('monitoring_templates.name'),
    company_name: byText('companies.name'),
    updated_at: { by: sql.ref('monitoring_templates.updated_at') },
    created_at: { by: sql.ref('monitoring_templates.created_at') },
  },
  filters: {
    company_id: (values) => isWithin(sql.ref('monitoring_templates.company_id'), integers(values)),
    enabled: (values) =>
      isOneOf(
        sql.ref('monitoring_templates.is_enabled'),
        values.map((value) => (value === 'true' || value === '1' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('monitoring_templates.name'), sql.ref('monitoring_templates.description')], text),
};

export const sourcesIn = (row: Pick<TemplateRow, 'data'>): Source[] => JSON.parse(row.data) as Source[];

function findTemplates(db: Db, actor: Actor, ids: readonly number[]): Promise<Found[]> {
  return db
    .selectFrom('monitoring_templates')
    .innerJoin('companies', 'companies.id', 'monitoring_templates.company_id')
    .selectAll('monitoring_templates')
    .select('companies.name as company_name')
    .where('monitoring_templates.id', 'in', ids)
    .where(isVisible(actor, 'monitoring_templates'))
    .execute();
}

/** A template that the actor sees. Throws NOT_FOUND, at `source` where one is given. */
export async function requireTemplate(db: Db, actor: Actor, id: number, source?: string): Promise<TemplateRow> {
  const [found] = await findTemplates(db, actor, [id]);
  if (!found) throw new NotFound({}, source === undefined ? {} : { source });
  const { company_name: _name, ...row } = found;
  return row;
}

function averageBytes(rows: readonly { count: number; last_bytes: number | null }[]): number | null {
  const known = rows.flatMap(({ count, last_bytes: bytes }) => (bytes === null ? [] : [{ count: Number(count), bytes: Number(bytes) }]));
  const count = known.reduce((sum, row) => sum + row.count, 0);
  return count === 0 ? null : Math.round(known.reduce((sum, row) => sum + row.count * row.bytes, 0) / count);
}

async function present(db: Db, actor: Actor, rows: readonly Found[]): Promise<MonitoringTemplate[]> {
  const assigned = await db
    .selectFrom('monitoring_assignments')
    .innerJoin('devices', 'devices.id', 'monitoring_assignments.device_id')
    .select(['template_id', 'monitoring_assignments.period', 'last_bytes', 'is_enabled'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(
      'template_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where(isVisible(actor, 'devices'))
    .groupBy(['template_id', 'monitoring_assignments.period', 'last_bytes', 'is_enabled'])
    .execute();
  return rows.map((row) => {
    const sources = sourcesIn(row);
    const own = assigned.filter(({ template_id }) => template_id === row.id);
    const asked = row.is_enabled === 1 ? own.filter(({ is_enabled }) => is_enabled === 1) : [];
    const { id, name, version, api_version, api_system, device_documentation_id } = row;
    const description = row.description || null;
    return {
      id,
      type: 'user',
      company_id: row.company_id,
      company_name: row.company_name,
      name,
      description,
      api_system,
      api_version,
      device_documentation_id,
      version,
      data: sources.map((source) => ({
        ...source,
        variables: source.variables.map(({ enum: values, ...one }) => (values ? { ...one, enum: [...values] } : one)),
      })),
      config: {
        id,
        name,
        description,
        type: 'user',
        version: String(version),
        data: JSON.parse(row.data),
        api_system,
        api_version,
        device_documentation_id,
      },
      enabled: row.is_enabled === 1,
      period: row.period,
      device_count: own.reduce((sum, { count }) => sum + Number(count), 0),
      variables_count: sources.reduce((sum, { variables }) => sum + variables.length, 0),
      daily_bytes: asked.reduce(
        (sum, { count, period, last_bytes }) => sum + Number(count) * dailyBytes({ sources, period, lastBytes: last_bytes }),
        0,
      ),
      answer_bytes: averageBytes(own),
      user_name: row.user_name,
      created_at: wireTime(row.created_at),
      updated_at: wireTime(row.updated_at),
    };
  });
}

/** One page of the monitoring templates that the actor sees. */
export async function listTemplates(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: MonitoringTemplate[]; total: number }> {
  const base = ctx.reads
    .selectFrom('monitoring_templates')
    .innerJoin('companies', 'companies.id', 'monitoring_templates.company_id')
    .where(isVisible(actor, 'monitoring_templates'))
    .select('monitoring_templates.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: await present(ctx.reads, actor, inOrderOf(ids, await findTemplates(ctx.reads, actor, ids))), total };
}

/** One monitoring template. Throws NOT_FOUND. */
export async function getTemplate(ctx: Context, actor: Actor, id: number): Promise<MonitoringTemplate> {
  const [template] = await present(ctx.reads, actor, await findTemplates(ctx.reads, actor, [id]));
  if (!template) throw new NotFound({});
  return template;
}

function columnsOf(body: TemplateBody, actor: Actor, now: number) {
  const flag: 0 | 1 = body.enabled === false ? 0 : 1;
  return {
    name: body.name,
    description: body.description ?? '',
    api_system: body.api_system ?? null,
    api_version: body.api_version ?? '1',
    device_documentation_id: body.device_documentation_id ?? null,
    data: JSON.stringify(sourcesOf(body)),
    is_enabled: flag,
    period: body.period,
    user_name: actor.name,
    updated_at: now,
  };
}

async function record(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  verb: 'new' | 'edit' | 'remove',
  before: TemplateRow | null,
  after: TemplateRow | null,
): Promise<void> {
  const row = after ?? before;
  if (!row) return;
  const kept = (one: TemplateRow | null) => one && { ...one, data: JSON.parse(one.data) };
  const entry = { entity: 'monitoring_template', entityId: row.id, entityName: row.name, companyId: row.company_id };
  await writeAudit(trx, { actor, origin, at }, [
    { action: `monitoring-templates.${verb}`, ...entry, before: kept(before), after: kept(after) },
  ]);
}

/** Notes under which names the telemetry has what a template collects. */
async function nameVariables(trx: Trx, row: TemplateRow): Promise<void> {
  await trx.deleteFrom('monitoring_variables').where('template_id', '=', row.id).execute();
  const rows = sourcesIn(row).flatMap(({ url, variables }) =>
    variables.map(({ id, type, description = '' }) => ({
      metric: metricOf(row.id, id),
      template_id: row.id,
      variable: id,
      url,
      type,
      description,
    })),
  );
  await trx.insertInto('monitoring_variables').values(rows).execute();
}

async function devicesOf(trx: Trx, templateId: number): Promise<number[]> {
  const rows = await trx.selectFrom('monitoring_assignments').select('device_id').where('template_id', '=', templateId).execute();
  return rows.map((row) => row.device_id);
}

/** Adds a monitoring template. Throws NOT_FOUND at `company_id`, NAME_TAKEN, INVALID_FIELD at what cannot be read. */
export function addTemplate(ctx: Context, caller: Caller, body: FormData['monitoring-templates/new']): Promise<number> {
  const at = ctx.clock.now();
  return withUniqueName({ name: body.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireCompany(trx, caller.actor, body.company_id ?? caller.actor.companyId, 'company_id');
      const row = await trx
        .insertInto('monitoring_templates')
        .values({ ...columnsOf(body, caller.actor, at), company_id: company.id, version: 1, created_at: at })
        .returningAll()
        .executeTakeFirstOrThrow();
      await nameVariables(trx, row);
      await record(trx, caller, at, 'new', null, row);
      return row.id;
    }),
  );
}

/** Changes a monitoring template; its devices are asked for the new variables at once. Throws as `addTemplate`. */
export async function editTemplate(ctx: Context, caller: Caller, id: number, body: TemplateBody): Promise<void> {
  const at = ctx.clock.now();
  await withUniqueName({ name: body.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const before = await requireTemplate(trx, caller.actor, id);
      const next = columnsOf(body, caller.actor, at);
      const after = await trx
        .updateTable('monitoring_templates')
        .set({ ...next, version: before.version + (next.data === before.data ? 0 : 1) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await nameVariables(trx, after);
      await record(trx, caller, at, 'edit', before, after);
      const devices = await devicesOf(trx, id);
      afterCommit(trx, () => askDevices(ctx, devices));
    }),
  );
}

/** Removes a monitoring template with what it collected; its devices are no longer asked. Throws NOT_FOUND. */
export async function removeTemplate(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireTemplate(trx, caller.actor, id);
    const devices = await devicesOf(trx, id);
    await trx.deleteFrom('monitoring_templates').where('id', '=', id).execute();
    await record(trx, caller, ctx.clock.now(), 'remove', before, null);
    afterCommit(trx, () => askDevices(ctx, devices));
  });
}
