import { sql } from 'kysely';
import type { MonitoringAssignment, MonitoringLog } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, inOrderOf, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { dailyBytes } from '../../../schemas/kit/devices/collected.ts';
import { wireTime } from '../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';
import { askDevices } from './ask-devices.ts';
import { MOST_VARIABLES, type Source } from './sources.ts';
import { requireTemplate, type TemplateRow } from './templates.ts';

/** What one template is to be for devices. */
export interface Assignment {
  id: number;
  device_id: readonly number[];
  period: number;
  enabled?: boolean | undefined;
}

const ids = (name: 'monitoring_assignments' | 'monitoring_reports') => ({
  config_id: (values: readonly string[]) => isOneOf(sql.ref(`${name}.template_id`), integers(values)),
  device_id: (values: readonly string[]) => isOneOf(sql.ref(`${name}.device_id`), integers(values)),
});

const columns: ListColumns = {
  id: sql.ref('monitoring_assignments.id'),
  sorts: {
    id: { by: sql.ref('monitoring_assignments.id') },
    device_name: { by: sql.ref('devices.name_key') },
    config_name: byText('monitoring_templates.name'),
    last_updated_at: { by: sql.ref('monitoring_assignments.last_at') },
  },
  filters: ids('monitoring_assignments'),
  search: (text) => containsText([sql.ref('devices.name'), sql.ref('devices.serial')], text),
};

const visible = (db: Db, actor: Actor) =>
  db
    .selectFrom('monitoring_assignments')
    .innerJoin('devices', 'devices.id', 'monitoring_assignments.device_id')
    .innerJoin('monitoring_templates', 'monitoring_templates.id', 'monitoring_assignments.template_id')
    .where(isVisible(actor, 'devices'))
    .where(isVisible(actor, 'monitoring_templates'));

function findAssignments(db: Db, actor: Actor, wanted: readonly number[]) {
  return visible(db, actor)
    .selectAll('monitoring_assignments')
    .select(['devices.name as device_name', 'devices.description as device_description', 'devices.company_id as company_id'])
    .select([
      'monitoring_templates.name as config_name',
      'monitoring_templates.description as config_description',
      'monitoring_templates.data',
    ])
    .where('monitoring_assignments.id', 'in', wanted)
    .execute();
}

type Found = Awaited<ReturnType<typeof findAssignments>>[number];

function present(row: Found): MonitoringAssignment {
  const sources = JSON.parse(row.data) as Source[];
  return {
    id: row.id,
    config_id: row.template_id,
    config_name: row.config_name,
    config_description: row.config_description || null,
    config_type: 'user',
    fields_count: sources.reduce((sum, { variables }) => sum + variables.length, 0),
    company_id: row.company_id,
    device_id: row.device_id,
    device_name: row.device_name,
    device_description: row.device_description || null,
    enabled: row.is_enabled === 1,
    period: row.period,
    editable: true,
    daily_bytes: row.is_enabled === 1 ? dailyBytes({ sources, period: row.period, lastBytes: row.last_bytes }) : 0,
    last_updated_at: wireTime(row.last_at),
  };
}

/** One page of which templates are for which devices, of those that the actor sees both of. */
export async function listAssignments(
  ctx: Context,
  actor: Actor,
  query: ListQuery,
): Promise<{ rows: MonitoringAssignment[]; total: number }> {
  const { rows, total } = await applyListQuery(visible(ctx.reads, actor).select('monitoring_assignments.id'), query, columns);
  const wanted = rows.map((row) => row.id);
  return { rows: inOrderOf(wanted, await findAssignments(ctx.reads, actor, wanted)).map(present), total };
}

async function requireAssignment(db: Db, actor: Actor, id: number): Promise<Found> {
  const [row] = await findAssignments(db, actor, [id]);
  if (!row) throw new NotFound({});
  return row;
}

/** One assignment. Throws NOT_FOUND. */
export async function getAssignment(ctx: Context, actor: Actor, id: number): Promise<MonitoringAssignment> {
  return present(await requireAssignment(ctx.reads, actor, id));
}

/** Devices that the actor sees, of the template's company or below it. Throws NOT_FOUND at the first that is not. */
async function requireDevices(trx: Trx, ctx: Context, actor: Actor, template: TemplateRow, deviceIds: readonly number[], source: string) {
  const devices = await trx
    .selectFrom('devices')
    .select(['id', 'name', 'company_id'])
    .where('id', 'in', ctx.database.tools.idList(deviceIds))
    .where(isVisible(actor, 'devices'))
    .where(isWithin(sql.ref('devices.company_id'), [template.company_id]))
    .execute();
  const found = new Set(devices.map(({ id }) => id));
  const missing = deviceIds.findIndex((id) => !found.has(id));
  if (missing !== -1) throw new NotFound({}, { source: `${source}.${missing}` });
  return devices;
}

/** Throws INVALID_FIELD when a device would be asked for more variables than it may be. */
async function assertRoom(trx: Trx, ctx: Context, deviceIds: readonly number[], source: string): Promise<void> {
  const rows = await trx
    .selectFrom('monitoring_assignments')
    .innerJoin('monitoring_variables', 'monitoring_variables.template_id', 'monitoring_assignments.template_id')
    .select('device_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .where('is_enabled', '=', 1)
    .groupBy('device_id')
    .execute();
  if (rows.some(({ count }) => Number(count) > MOST_VARIABLES))
    throw new InvalidFields([
      {
        source,
        message: `A device may be asked for ${MOST_VARIABLES} variables by all its templates.`,
        params: { key: 'forms.monitoring-templates.full', most: MOST_VARIABLES },
      },
    ]);
}

async function record(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  verb: 'assign' | 'unassign',
  template: TemplateRow,
  devices: readonly { id: number; name: string; company_id: number }[],
  after: object | null,
): Promise<void> {
  await writeAudit(
    trx,
    { actor, origin, at },
    devices.map((device) => ({
      action: `monitoring-templates.${verb}`,
      entity: 'device',
      entityId: device.id,
      entityName: device.name,
      companyId: device.company_id,
      before: after === null ? { template: template.name } : null,
      after: after === null ? null : { template: template.name, ...after },
    })),
  );
}

/** Assigns templates to devices, or changes how they are assigned. Throws NOT_FOUND at what is not seen, INVALID_FIELD where a device has no room. */
export async function assignTemplates(
  ctx: Context,
  caller: Caller,
  wanted: readonly Assignment[],
  sourceOf: (index: number) => string,
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    for (const [index, { id, device_id: deviceIds, period, enabled = true }] of wanted.entries()) {
      const source = sourceOf(index);
      const template = await requireTemplate(trx, caller.actor, id, source === '' ? undefined : `${source}id`);
      const devices = await requireDevices(trx, ctx, caller.actor, template, deviceIds, `${source}device_id`);
      const flag: 0 | 1 = enabled ? 1 : 0;
      await sql`insert into monitoring_assignments (template_id, device_id, is_enabled, period, created_at)
        select cast(${template.id} as bigint), devices.id, cast(${flag} as integer), cast(${period} as bigint), cast(${at} as bigint) from devices
        where devices.id in ${ctx.database.tools.idList(devices.map((one) => one.id))}
        on conflict (device_id, template_id) do update set is_enabled = excluded.is_enabled, period = excluded.period`.execute(trx);
      await assertRoom(trx, ctx, deviceIds, `${source}device_id`);
      await record(trx, caller, at, 'assign', template, devices, { period, enabled });
      afterCommit(trx, () => askDevices(ctx, deviceIds));
    }
  });
}

/** Takes a template off devices; those that it is not assigned to are as before. Throws NOT_FOUND at what is not seen. */
export async function unassignTemplate(ctx: Context, caller: Caller, id: number, deviceIds: readonly number[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const template = await requireTemplate(trx, caller.actor, id);
    const devices = await trx
      .selectFrom('devices')
      .select(['id', 'name', 'company_id'])
      .where('id', 'in', ctx.database.tools.idList(deviceIds))
      .where(isVisible(caller.actor, 'devices'))
      .execute();
    const found = new Set(devices.map((device) => device.id));
    const missing = deviceIds.findIndex((one) => !found.has(one));
    if (missing !== -1) throw new NotFound({}, { source: `device_id.${missing}` });
    const removed = await trx
      .deleteFrom('monitoring_assignments')
      .where('template_id', '=', id)
      .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
      .returning('device_id')
      .execute();
    const gone = new Set(removed.map((row) => row.device_id));
    await record(
      trx,
      caller,
      ctx.clock.now(),
      'unassign',
      template,
      devices.filter((device) => gone.has(device.id)),
      null,
    );
    afterCommit(trx, () => askDevices(ctx, deviceIds));
  });
}

/** Changes one assignment. Throws NOT_FOUND, INVALID_FIELD. */
export async function changeAssignment(
  ctx: Context,
  caller: Caller,
  id: number,
  change: Pick<Assignment, 'period' | 'enabled'>,
): Promise<void> {
  const row = await requireAssignment(ctx.reads, caller.actor, id);
  await assignTemplates(ctx, caller, [{ id: row.template_id, device_id: [row.device_id], ...change }], () => '');
}

/** Ends one assignment. Throws NOT_FOUND. */
export async function endAssignment(ctx: Context, caller: Caller, id: number): Promise<void> {
  const row = await requireAssignment(ctx.reads, caller.actor, id);
  await unassignTemplate(ctx, caller, row.template_id, [row.device_id]);
}

const logColumns: ListColumns = {
  id: sql.ref('monitoring_reports.id'),
  sorts: { id: { by: sql.ref('monitoring_reports.id') }, created_at: { by: sql.ref('monitoring_reports.at') } },
  filters: ids('monitoring_reports'),
  search: (text) => containsText([sql.ref('monitoring_reports.log')], text),
};

/** One page of the answers of devices in which variables had no value, with the reasons. */
export async function listLogs(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: MonitoringLog[]; total: number }> {
  const base = ctx.reads
    .selectFrom('monitoring_reports')
    .innerJoin('devices', 'devices.id', 'monitoring_reports.device_id')
    .innerJoin('monitoring_templates', 'monitoring_templates.id', 'monitoring_reports.template_id')
    .where('monitoring_reports.log', '!=', '[]')
    .where(isVisible(actor, 'devices'))
    .where(isVisible(actor, 'monitoring_templates'));
  const { rows, total } = await applyListQuery(base.select('monitoring_reports.id'), query, logColumns);
  const wanted = rows.map((row) => row.id);
  const found = await base
    .selectAll('monitoring_reports')
    .select(['devices.name as device_name', 'monitoring_templates.name as config_name'])
    .where('monitoring_reports.id', 'in', wanted)
    .execute();
  return {
    rows: inOrderOf(wanted, found).map((row): MonitoringLog => {
      const log = JSON.parse(row.log) as string[];
      const { id, device_id, device_name, config_name } = row;
      return {
        id,
        device_id,
        device_name,
        config_id: row.template_id,
        config_name,
        log,
        reason: log.join('\n'),
        created_at: wireTime(row.at),
      };
    }),
    total,
  };
}
