import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { readDeviceValues, readVariableStats, variablesIn } from './collected.ts';
import { readAudit } from './audit-extract.ts';
import { presentGenerated, requireGenerated } from './generated.ts';
import { textKey } from '../../kernel/apply-list-query.ts';
import { sumBytes } from '../../kernel/db/sum-bytes.ts';

/** Rows in an answer; the file has all. */
export const MOST_DEVICES = 1000;
const MOST_SITES = 200;

type DeviceRow = Row<'report_devices'>;
type Column = 'max_signal' | 'min_signal' | 'max_temperature' | 'min_temperature' | 'router_uptime' | 'connection_uptime';

/** A number with the device that it is of. */
export interface Extreme {
  value: number;
  router_id: number;
  name: string;
  serial: string;
  mac: string;
}

const selectDevices = (ctx: Context, actor: Actor, id: number) =>
  ctx.reads.selectFrom('report_devices').where('generated_id', '=', id).where(isVisible(actor, 'report_devices'));

async function findExtreme(ctx: Context, actor: Actor, id: number, column: Column, direction: 'asc' | 'desc'): Promise<Extreme | null> {
  const row = await selectDevices(ctx, actor, id)
    .select(['device_id as router_id', 'name', 'serial', 'mac', `${column} as value`])
    .where(column, 'is not', null)
    .orderBy(column, direction)
    .orderBy('device_id')
    .limit(1)
    .executeTakeFirst();
  return row && row.value !== null ? { ...row, value: row.value } : null;
}

async function countBy(ctx: Context, actor: Actor, id: number, column: 'operator' | 'connection_type' | 'firmware') {
  const rows = await selectDevices(ctx, actor, id)
    .select([`${column} as name`, sql<number>`count(*)`.as('value')])
    .where(column, 'is not', null)
    .groupBy(column)
    .orderBy('value', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ name, value }) => ({ name: name ?? '', value: Number(value) }));
}

async function readTotals(ctx: Context, actor: Actor, id: number) {
  const average = (column: string) => sql<number | null>`avg(${sql.ref(column)})`;
  return selectDevices(ctx, actor, id)
    .select([
      sql<number>`count(*)`.as('devices'),
      sumBytes('sent').as('sent'),
      sumBytes('received').as('received'),
      sql<number>`cast(coalesce(sum(actions_done), 0) as bigint)`.as('actions_done'),
      sql<number>`cast(coalesce(sum(actions_failed), 0) as bigint)`.as('actions_failed'),
      sql<number>`cast(coalesce(sum(alerts), 0) as bigint)`.as('alerts'),
      average('avg_signal').as('signal'),
      average('avg_temperature').as('temperature'),
      average('router_uptime').as('router_uptime'),
      average('connection_uptime').as('connection_uptime'),
      average('availability').as('availability'),
    ])
    .executeTakeFirstOrThrow();
}

/** The figures of the devices at each site: sums of what is counted, averages of what is measured. */
async function readSites(ctx: Context, actor: Actor, id: number) {
  const average = (column: string) => sql<number | null>`avg(${sql.ref(column)})`;
  const sum = (column: string) => sql<number | null>`cast(sum(${sql.ref(column)}) as bigint)`;
  const rows = await selectDevices(ctx, actor, id)
    .select(['company_id', 'site_name', 'company_name', sql<number>`count(*)`.as('devices_count')])
    .select([
      sum('sent').as('sent'),
      sum('received').as('received'),
      sum('actions_done').as('actions_done'),
      sum('actions_failed').as('actions_failed'),
      sum('alerts').as('alerts'),
      average('avg_signal').as('avg_signal'),
      average('avg_temperature').as('avg_temperature'),
      average('router_uptime').as('router_uptime'),
      average('connection_uptime').as('connection_uptime'),
      average('availability').as('availability'),
    ])
    .where('site_name', 'is not', null)
    .groupBy(['company_id', 'company_name', 'site_name'])
    .orderBy(textKey(sql.ref('site_name')))
    .orderBy('company_id')
    .limit(MOST_SITES)
    .execute();
  return rows.map(({ company_id: _company, site_name, devices_count, ...row }) => ({
    name: site_name ?? '',
    devices_count: Number(devices_count),
    ...row,
  }));
}

function presentDevice({ generated_id: _id, company_id: _company, sims, ...row }: DeviceRow) {
  return { ...row, sims: sims === null ? [] : (JSON.parse(sims) as { sim: number; sent: number; received: number }[]) };
}

/** A report with what it says of the devices that the actor sees. Throws NOT_FOUND. */
export async function readContent(ctx: Context, actor: Actor, id: number) {
  const generated = await requireGenerated(ctx.reads, actor, id);
  const report = presentGenerated(generated);
  const totals = await readTotals(ctx, actor, id);
  const extreme = (column: Column, direction: 'asc' | 'desc') => findExtreme(ctx, actor, id, column, direction);
  const [sent, received] = [Number(totals.sent), Number(totals.received)];
  const devices = await selectDevices(ctx, actor, id)
    .selectAll()
    .orderBy(textKey(sql.ref('name')))
    .orderBy('device_id')
    .limit(MOST_DEVICES)
    .execute();
  const values = await readDeviceValues(
    ctx,
    actor,
    id,
    devices.map((row) => row.device_id),
  );
  const days = await ctx.reads
    .selectFrom('report_days')
    .select(['day', sql<number>`cast(sum(sent) as bigint)`.as('sent'), sql<number>`cast(sum(received) as bigint)`.as('received')])
    .where('generated_id', '=', id)
    .where(isVisible(actor, 'report_days'))
    .groupBy('day')
    .orderBy('day')
    .execute();
  return {
    ...report,
    devices_count: Number(totals.devices),
    all: {
      max_signal: await extreme('max_signal', 'desc'),
      min_signal: await extreme('min_signal', 'asc'),
      max_temperature: await extreme('max_temperature', 'desc'),
      min_temperature: await extreme('min_temperature', 'asc'),
      max_router_uptime: await extreme('router_uptime', 'desc'),
      min_router_uptime: await extreme('router_uptime', 'asc'),
      max_connection_uptime: await extreme('connection_uptime', 'desc'),
      min_connection_uptime: await extreme('connection_uptime', 'asc'),
      mobile_data: { sent, received, total: sent + received },
      average_values: {
        signal: totals.signal,
        temperature: totals.temperature,
        router_uptime: totals.router_uptime,
        connection_uptime: totals.connection_uptime,
        availability: totals.availability,
      },
      actions: { done: Number(totals.actions_done), failed: Number(totals.actions_failed) },
      alerts: Number(totals.alerts),
    },
    devices: devices.map((row) => ({
      ...presentDevice(row),
      values: Object.fromEntries((values.get(row.device_id) ?? []).map(({ metric, average }) => [metric, average])),
    })),
    variable_stats: await readVariableStats(ctx, actor, id, variablesIn(generated)),
    days: days.map(({ day, sent: up, received: down }) => ({
      date: new Date(day).toISOString().slice(0, 10),
      sent: Number(up),
      received: Number(down),
    })),
    operator_stats: await countBy(ctx, actor, id, 'operator'),
    connection_type_stats: await countBy(ctx, actor, id, 'connection_type'),
    site_stats: await readSites(ctx, actor, id),
    firmware_stats: await countBy(ctx, actor, id, 'firmware'),
    audit_stats: await readAudit(ctx, actor, id),
  };
}

export type ReportContent = Awaited<ReturnType<typeof readContent>>;
