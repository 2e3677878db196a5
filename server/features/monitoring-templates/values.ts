import { sql } from 'kysely';
import { sourceUrl } from '../../../schemas/kit/devices/api-sources.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { requireTemplate, sourcesIn } from './templates.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

const MOST_REPORTS = 1000;
const MOST_VALUES = 1000;

type Data = Record<string, Record<string, JsonValue>>;

interface Wanted {
  start: number;
  end: number;
  configId: number | undefined;
}

/** What a device answered in a period (Unix ms), newest first; at most 1,000 answers. Throws NOT_FOUND. */
export async function readCustomData(
  ctx: Context,
  actor: Actor,
  deviceId: number,
  { start, end, configId }: Wanted,
): Promise<{ rows: { config_id: number; data: Data; created_at: string }[]; total: number }> {
  await requireDevice(ctx.reads, actor, deviceId);
  const base = ctx.reads
    .selectFrom('monitoring_reports')
    .innerJoin('monitoring_templates', 'monitoring_templates.id', 'monitoring_reports.template_id')
    .where('device_id', '=', deviceId)
    .where('at', '>=', start)
    .where('at', '<', end)
    .where(isVisible(actor, 'monitoring_templates'))
    .$if(configId !== undefined, (query) => query.where('template_id', '=', configId ?? 0));
  const { total } = await base.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await base
    .select(['monitoring_reports.template_id', 'monitoring_reports.data', 'at'])
    .orderBy('at', 'desc')
    .orderBy('monitoring_reports.id', 'desc')
    .limit(MOST_REPORTS)
    .execute();
  return {
    rows: rows.map(({ template_id, data, at }) => ({ config_id: template_id, data: JSON.parse(data) as Data, created_at: wireTime(at) })),
    total: Number(total),
  };
}

// `12:/file/proc/loadavg:load`
const FIELD = /^([1-9]\d{0,9}):(.{1,255}):([A-Za-z0-9_-]{1,32})$/;

/** How many devices answered each value of a variable last, by value as text; at most 1,000 values. Throws INVALID_FIELD, NOT_FOUND. */
export async function countValues(ctx: Context, actor: Actor, field: string): Promise<{ name: string; counts: Map<string, number> }> {
  const [, id, url = '', name = ''] = FIELD.exec(field) ?? [];
  if (id === undefined) throw new InvalidFields([{ source: 'field', message: 'Write it as template:url:variable.' }]);
  const template = await requireTemplate(ctx.reads, actor, Number(id), 'field');
  const source = sourcesIn(template).find(
    (one) => sourceUrl(one.url) === sourceUrl(url) && one.variables.some(({ id: own }) => own === name),
  );
  if (!source) throw new InvalidFields([{ source: 'field', message: 'The template has no such variable.' }]);
  const read = sql<{ data: string }>`select r.data as data from monitoring_reports as r inner join devices on devices.id = r.device_id
    where r.id in (select max(last.id) from monitoring_reports as last where last.template_id = ${template.id} group by last.device_id)
      and ${isVisible(actor, 'devices')}`;
  const counts = new Map<string, number>();
  for (const { data } of await ctx.database.longReads.rows(read.compile(ctx.reads))) {
    const value = (JSON.parse(data) as Data)[source.url]?.[name];
    if (value === undefined) continue;
    const word = typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (counts.has(word) || counts.size < MOST_VALUES) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return { name, counts };
}

/** The templates that the actor sees with their variables: for charts and for conditions of automations. */
export async function listFields(ctx: Context, actor: Actor) {
  const rows = await ctx.reads
    .selectFrom('monitoring_variables')
    .innerJoin('monitoring_templates', 'monitoring_templates.id', 'monitoring_variables.template_id')
    .selectAll('monitoring_variables')
    .select('monitoring_templates.name')
    .where(isVisible(actor, 'monitoring_templates'))
    .orderBy(textKey(sql.ref('monitoring_templates.name')))
    .orderBy('template_id')
    .orderBy('metric')
    .execute();
  return [...Map.groupBy(rows, (row) => row.template_id)].map(([id, fields]) => ({
    id,
    name: fields[0]?.name ?? '',
    fields: fields.map(({ variable, url, description, metric, type }) => ({ id: variable, url, description, metric, type })),
  }));
}

interface LastValue {
  id: number;
  metric: string;
  value: number | string;
  created_at: string;
}

/** What devices answered last for variables, of the devices and templates that the actor sees; those without an answer that is kept are left out. */
export async function readCollected(ctx: Context, actor: Actor, ids: readonly number[], metrics: readonly string[]): Promise<LastValue[]> {
  const { idList } = ctx.database.tools;
  const variables = await ctx.reads
    .selectFrom('monitoring_variables')
    .innerJoin('monitoring_templates', 'monitoring_templates.id', 'monitoring_variables.template_id')
    .select(['metric', 'monitoring_variables.type'])
    .where('metric', 'in', metrics)
    .where(isVisible(actor, 'monitoring_templates'))
    .execute();
  const read = async (table: 'device_samples' | 'device_states', column: 'metric' | 'name', names: readonly string[]) => {
    if (names.length === 0) return [];
    const last = sql<{ id: number; metric: string; value: number | string; at: number }>`select devices.id as id, v.metric as metric,
      r.value as value, r.at as at from devices cross join monitoring_variables as v inner join ${sql.table(table)} as r
        on r.device_id = devices.id and ${sql.ref(`r.${column}`)} = v.metric
        and r.at = (select max(latest.at) from ${sql.table(table)} as latest
          where latest.device_id = devices.id and ${sql.ref(`latest.${column}`)} = v.metric)
      where devices.id in ${idList(ids)} and ${isVisible(actor, 'devices')} and v.metric in (${sql.join(names)})`;
    return (await last.execute(ctx.reads)).rows;
  };
  const isText = (type: string): boolean => type === 'string';
  const namesOf = (text: boolean) => variables.flatMap(({ metric, type }) => (isText(type) === text ? [metric] : []));
  const rows = [...(await read('device_samples', 'metric', namesOf(false))), ...(await read('device_states', 'name', namesOf(true)))];
  return rows.map(({ id, metric, value, at }) => ({ id, metric, value, created_at: wireTime(at) }));
}
