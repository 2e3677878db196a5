import { sql } from 'kysely';
import type { ConfigurationDrift } from '../../../schemas/_generated/contract.ts';
import { HIDDEN, type DeviceSettings } from '../../../schemas/kit/devices/configuration.ts';
import type { TemplateCall, TemplateFault } from '../../../schemas/kit/devices/configuration-template.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isPresentPath, isVisible } from '../../kernel/tenancy.ts';
import type { Difference } from './changes.ts';
import { documentFor } from './documents.ts';
import { planTemplate } from './template-plan.ts';
import { allCalls } from './template-chain.ts';
import { lookupsFor } from './variables.ts';

type DriftRow = Row<'device_templates'>;

const CHUNK = 250;
const MOST_KEPT = 200;
export const MOST_FOLLOWERS = 10_000;

const columns: ListColumns = {
  id: sql.ref('device_templates.id'),
  sorts: {
    id: { by: sql.ref('device_templates.id') },
    device_name: { by: sql.ref('devices.name_key') },
    differences_count: { by: sql.ref('device_templates.differences_count') },
    compared_at: { by: sql.ref('device_templates.compared_at'), isNullable: true },
  },
  filters: {
    state: (values) => isOneOf(sql.ref('device_templates.state'), values),
    template_id: (values) => isOneOf(sql.ref('device_templates.template_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('device_templates.device_id'), integers(values)),
  },
  search: (text) => containsText([sql.ref('devices.name'), sql.ref('configuration_templates.name')], text),
};

export const visibleRows = (db: Db, actor: Actor) =>
  db
    .selectFrom('device_templates')
    .innerJoin('devices', 'devices.id', 'device_templates.device_id')
    .innerJoin('configuration_templates', 'configuration_templates.id', 'device_templates.template_id')
    .where(isVisible(actor, 'devices'))
    .where(isVisible(actor, 'configuration_templates'));

type Found = DriftRow & { device_name: string; template_name: string; present_revision: number };

const findRows = (db: Db, actor: Actor, ids: readonly number[]): Promise<Found[]> =>
  visibleRows(db, actor)
    .selectAll('device_templates')
    .select([
      'devices.name as device_name',
      'configuration_templates.name as template_name',
      'configuration_templates.revision as present_revision',
    ])
    .where('device_templates.id', 'in', ids)
    .execute();

function present(row: Found): ConfigurationDrift {
  const found = JSON.parse(row.differences) as Difference[] | TemplateFault;
  const isFault = !Array.isArray(found);
  return {
    id: row.id,
    device_id: row.device_id,
    device_name: row.device_name,
    template_id: row.template_id,
    template_name: row.template_name,
    state: row.state,
    revision: row.revision,
    present_revision: row.present_revision,
    differences_count: row.differences_count,
    differences: isFault ? [] : found,
    fault: isFault ? found.fault : null,
    fault_names: isFault ? found.names : null,
    applied_at: wireTime(row.applied_at),
    compared_at: wireTime(row.compared_at),
  };
}

/** One page of the devices that follow templates, with how they differ. */
export async function listDrift(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: ConfigurationDrift[]; total: number }> {
  const { rows, total } = await applyListQuery(visibleRows(db, actor).select('device_templates.id'), query, columns);
  const ids = rows.map((row) => row.id);
  return { rows: inOrderOf(ids, await findRows(db, actor, ids)).map(present), total };
}

/** How one device differs from one template. Throws NOT_FOUND. */
export async function getDrift(db: Db, actor: Actor, id: number): Promise<ConfigurationDrift> {
  const [row] = await findRows(db, actor, [id]);
  if (!row) throw new NotFound({});
  return present(row);
}

/** The devices that differ from a template. */
export async function differingDevices(db: Db, actor: Actor, templateId: number): Promise<number[]> {
  const rows = await visibleRows(db, actor)
    .select('device_templates.device_id')
    .where('device_templates.template_id', '=', templateId)
    .where('device_templates.state', '=', 'differs')
    .orderBy('device_templates.device_id')
    .limit(MOST_FOLLOWERS)
    .execute();
  return rows.map((row) => row.device_id);
}

/** Notes that devices follow a template from now on. */
export async function follow(
  ctx: Context,
  trx: Trx,
  ids: readonly number[],
  { id, revision }: { id: number; revision: number },
): Promise<void> {
  const applied_at = ctx.clock.now();
  for (const device_id of ids)
    await trx
      .insertInto('device_templates')
      .values({
        device_id,
        template_id: id,
        state: 'unknown',
        revision,
        differences: '[]',
        differences_count: 0,
        applied_at,
        compared_at: null,
      })
      .onConflict((conflict) => conflict.columns(['device_id', 'template_id']).doUpdateSet({ revision, applied_at }))
      .execute();
}

type Compared = Pick<DriftRow, 'state' | 'differences' | 'differences_count'>;

function compared(found: ReturnType<typeof planTemplate>): Compared {
  if ('fault' in found) return { state: 'unknown', differences: JSON.stringify(found), differences_count: 0 };
  // What a secret is cannot be seen, so it never differs.
  const seen = found.differences.filter(({ after }) => after !== HIDDEN);
  return {
    state: seen.length > 0 ? 'differs' : 'equal',
    differences: JSON.stringify(seen.slice(0, MOST_KEPT)),
    differences_count: seen.length,
  };
}

/** Compares devices with the templates that they follow, by what they were set to when they were read last. */
async function compareChunk(ctx: Context, db: Db, rows: readonly Pick<DriftRow, 'id' | 'device_id' | 'template_id'>[]): Promise<void> {
  const { tools } = ctx.database;
  const devices = await db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .innerJoin('device_configurations', 'device_configurations.device_id', 'devices.id')
    .select(['devices.id', 'devices.name', 'devices.serial', 'devices.mac', 'devices.model', 'companies.path as company_path'])
    .select(['device_configurations.settings', 'device_configurations.read_at'])
    .where('devices.id', 'in', tools.idList([...new Set(rows.map((row) => row.device_id))]))
    .execute();
  const templates = await db
    .selectFrom('configuration_templates')
    .selectAll()
    .where('id', 'in', [...new Set(rows.map((row) => row.template_id))])
    .execute();
  const lookups = await lookupsFor(ctx, db, devices);
  const callsOf = new Map<number, TemplateCall[]>();
  for (const template of templates) callsOf.set(template.id, await allCalls(db, template));
  const byId = new Map(devices.map((device) => [device.id, device]));
  for (const row of rows) {
    const device = byId.get(row.device_id);
    const template = templates.find(({ id }) => id === row.template_id);
    const lookup = lookups.get(row.device_id);
    if (!device || !template || !lookup) continue;
    const document = await documentFor(db, template.system);
    const found = planTemplate(document, JSON.parse(device.settings) as DeviceSettings, callsOf.get(template.id) ?? [], lookup);
    await db
      .updateTable('device_templates')
      .set({ ...compared(found), compared_at: device.read_at })
      .where('id', '=', row.id)
      .execute();
  }
}

/** Compares these devices with all that they follow. */
export async function compareDevices(ctx: Context, trx: Trx, deviceIds: readonly number[]): Promise<void> {
  const rows = await trx
    .selectFrom('device_templates')
    .select(['id', 'device_id', 'template_id'])
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .execute();
  for (let start = 0; start < rows.length; start += CHUNK) await compareChunk(ctx, trx, rows.slice(start, start + CHUNK));
}

/** Compares again what follows a template, or one that builds on it, or what variables of the companies from `path` on are for. */
export async function compareFollowers(ctx: Context, { templateId, path }: { templateId?: number; path?: string }): Promise<void> {
  let query = ctx.db
    .selectFrom('device_templates')
    .innerJoin('devices', 'devices.id', 'device_templates.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .innerJoin('configuration_templates', 'configuration_templates.id', 'device_templates.template_id')
    .select(['device_templates.id', 'device_templates.device_id', 'device_templates.template_id'])
    .where(isPresentPath('companies.path'))
    .orderBy('device_templates.id')
    .limit(MOST_FOLLOWERS);
  if (templateId !== undefined)
    query = query.where((where) =>
      where.or([where('template_id', '=', templateId), where('configuration_templates.base_id', '=', templateId)]),
    );
  if (path !== undefined) query = query.where(sql<boolean>`substr(companies.path, 1, ${sql.lit(path.length)}) = ${path}`);
  const rows = await query.execute();
  for (let start = 0; start < rows.length; start += CHUNK) await compareChunk(ctx, ctx.db, rows.slice(start, start + CHUNK));
}
