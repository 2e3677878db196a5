import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db, NewRow, Row, Trx } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import type { Period } from './periods.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

/** Columns of a report at most. */
const MOST_VARIABLES = 20;
const NUMBERS = ['number', 'integer', 'boolean'];

/** A number that monitoring templates collect, as it was named when the report was made. */
export interface ReportVariable {
  metric: string;
  label: string;
}

/** Throws NOT_FOUND at the first monitoring template that the actor does not see. */
export async function assertMonitoring(db: Db, actor: Actor, ids: readonly number[] = []): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db
    .selectFrom('monitoring_templates')
    .select('id')
    .where('id', 'in', ids)
    .where(isVisible(actor, 'monitoring_templates'))
    .execute();
  const seen = new Set(rows.map(({ id }) => id));
  const missing = ids.findIndex((id) => !seen.has(id));
  if (missing !== -1) throw new NotFound({}, { source: `monitoring_templates.${missing}` });
}

/** The numbers of these templates that the actor sees, at most 20; templates that are gone have none. */
export async function variablesOf(db: Db, actor: Actor, templateIds: readonly number[]): Promise<ReportVariable[]> {
  if (templateIds.length === 0) return [];
  const rows = await db
    .selectFrom('monitoring_variables')
    .innerJoin('monitoring_templates', 'monitoring_templates.id', 'monitoring_variables.template_id')
    .select(['metric', 'variable', 'monitoring_templates.name'])
    .where('template_id', 'in', templateIds)
    .where('monitoring_variables.type', 'in', NUMBERS)
    .where(isVisible(actor, 'monitoring_templates'))
    .orderBy(textKey(sql.ref('monitoring_templates.name')))
    .orderBy('template_id')
    .orderBy('metric')
    .limit(MOST_VARIABLES)
    .execute();
  return rows.map(({ metric, variable, name }) => ({ metric, label: `${name}: ${variable}` }));
}

export const variablesIn = ({ variables }: Pick<Row<'generated_reports'>, 'variables'>): ReportVariable[] =>
  JSON.parse(variables) as ReportVariable[];

/** What these devices answered in the period of a report, by the days that charts are drawn from. */
export async function measureCollected(
  ctx: Context,
  trx: Trx,
  devices: readonly Pick<Row<'devices'>, 'id' | 'company_id'>[],
  { id, variables, start, end }: { id: number; variables: readonly ReportVariable[] } & Period,
): Promise<NewRow<'report_values'>[]> {
  if (variables.length === 0) return [];
  const companies = new Map(devices.map((device) => [device.id, device.company_id]));
  const rows = await trx
    .selectFrom('device_days')
    .select(['device_id', 'metric'])
    .select(({ fn }) => [fn.min('lowest').as('lowest'), fn.max('highest').as('highest')])
    .select(sql<number>`sum(total) / sum(readings)`.as('average'))
    .where('device_id', 'in', ctx.database.tools.idList([...companies.keys()]))
    .where(
      'metric',
      'in',
      variables.map(({ metric }) => metric),
    )
    .where('at', '>=', start)
    .where('at', '<', end)
    .groupBy(['device_id', 'metric'])
    .execute();
  return rows.map((row) => ({ ...row, generated_id: id, company_id: companies.get(row.device_id) ?? 0 }));
}

/** What a report says of each of its variables over the devices that the actor sees. */
export async function readVariableStats(ctx: Context, actor: Actor, id: number, variables: readonly ReportVariable[]) {
  if (variables.length === 0) return [];
  const rows = await ctx.reads
    .selectFrom('report_values')
    .select('metric')
    .select(({ fn }) => [fn.min('lowest').as('lowest'), fn.max('highest').as('highest'), fn.countAll<number>().as('devices_count')])
    .select(sql<number>`avg(average)`.as('average'))
    .where('generated_id', '=', id)
    .where(isVisible(actor, 'report_values'))
    .groupBy('metric')
    .execute();
  const byMetric = new Map(rows.map((row) => [row.metric, row]));
  return variables.map(({ metric, label }) => {
    const row = byMetric.get(metric);
    return {
      metric,
      label,
      lowest: row?.lowest ?? null,
      average: row?.average ?? null,
      highest: row?.highest ?? null,
      devices_count: Number(row?.devices_count ?? 0),
    };
  });
}

/** The averages of devices of a report, by device and metric. */
export async function readDeviceValues(ctx: Context, actor: Actor, id: number, deviceIds: readonly number[]) {
  const rows = await ctx.reads
    .selectFrom('report_values')
    .select(['device_id', 'metric', 'average'])
    .where('generated_id', '=', id)
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .where(isVisible(actor, 'report_values'))
    .execute();
  return Map.groupBy(rows, (row) => row.device_id);
}
