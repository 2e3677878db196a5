import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import { customNameOf } from '../../../schemas/kit/devices/custom-fields.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { CsvColumn } from '../../kernel/db/csv.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { healthScore } from './columns.ts';
import { customExport, customText } from './custom-columns.ts';
import { matchDevices, sortedIds } from './match.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

const TIMES = new Set(['last_connection_at', 'last_update_at', 'created_at', 'updated_at']);
const FLAGS = new Set(['is_simulated', 'monitoring_enabled']);
const NUMBERS = new Set([
  'id',
  'company_id',
  'site_id',
  'status',
  'failed_auth_reason',
  'router_uptime',
  'signal',
  'rsrp',
  'rsrq',
  'sinr',
  'sim_slot',
  'sent',
  'received',
  'temperature',
  'report_seconds',
  'load1',
  'mem_total_kb',
  'mem_available_kb',
  'user_set_latitude',
  'user_set_longitude',
  'dynamic_monitoring',
  'signal_2',
  'rsrp_2',
  'rsrq_2',
  'sinr_2',
  'sim_slot_2',
  'sent_2',
  'received_2',
  'health',
]);

function kindOf(field: string): CsvColumn['kind'] {
  if (TIMES.has(field)) return 'time';
  if (NUMBERS.has(field)) return 'number';
  return FLAGS.has(field) ? 'flag' : 'text';
}

function pathExpression(actor: Actor): RawBuilder<string> {
  const topLevel = actor.scope === 'all' ? 1 : actor.companyPath.split('/').length - 2;
  const above = ['grandparent', 'parent'].map(
    (name) => sql`case when ${sql.ref(`${name}.level`)} >= ${topLevel} then ${sql.ref(`${name}.name`)} || ' / ' else '' end`,
  );
  return sql<string>`${sql.join(above, sql` || `)} || companies.name`;
}

function expressionFor(field: string, actor: Actor): RawBuilder<unknown> {
  if (field === 'company_name') return sql.ref('companies.name');
  if (field === 'company_path') return pathExpression(actor);
  if (field === 'site_id' || field === 'site_name') {
    return sql`(select ${sql.ref(field === 'site_id' ? 'sites.id' : 'sites.name')} from device_sites inner join sites on sites.id = device_sites.site_id
      where device_sites.device_id = devices.id and ${isVisible(actor, 'sites')})`;
  }
  if (field === 'configuration_state') {
    return sql`(select case min(case state when 'differs' then 1 when 'unknown' then 2 else 3 end) when 1 then 'differs' when 2 then 'unknown' when 3 then 'equal' end
      from device_templates where device_templates.device_id = devices.id)`;
  }
  if (field === 'tags') {
    return sql`(select string_agg(tags.name, ', ' order by ${textKey(sql.ref('tags.name'))}) from device_tags inner join tags on tags.id = device_tags.tag_id
      where device_tags.device_id = devices.id and ${isVisible(actor, 'tags')})`;
  }
  if (field === 'health') return healthScore;
  if (field === 'custom') return customText();
  const custom = customNameOf(field);
  return custom === undefined ? sql.ref(`devices.${field}`) : customExport(custom);
}

/** The devices that a list call matches, all of them or a part, in its order, with these fields as columns of a file. */
export async function deviceFile(
  ctx: Context,
  actor: Actor,
  query: ListQuery,
  fields: readonly string[],
  part?: { limit: number; offset: number },
): Promise<{ query: CompiledQuery; columns: CsvColumn[] }> {
  const match = await matchDevices(ctx, actor, query);
  const selected = fields.map((field) => sql`${expressionFor(field, actor)} as ${sql.id(field)}`);
  // Sorting only the ids keeps the wide rows out of the sorter's memory.
  const ids = sortedIds(match, query.sort);
  const { from, end } = ctx.database.tools.inOrder(
    'devices',
    part ? sql`select part.id from (${ids} limit ${part.limit} offset ${part.offset}) as part` : ids,
  );
  const rows = sql`select ${sql.join(selected)} from ${from}
    inner join companies on companies.id = devices.company_id
    left join companies as parent on parent.id = companies.parent_id
    left join companies as grandparent on grandparent.id = parent.parent_id ${end}`;
  const columns = fields.map((field) => ({ header: field, kind: kindOf(field) }));
  return { query: rows.compile(ctx.reads), columns };
}
