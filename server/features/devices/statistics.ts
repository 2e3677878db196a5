import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { ValueCounts } from '../../kernel/db/long-reads.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { bucketName, connectionBuckets, networkBuckets, signalBuckets, updatedBuckets, wanBuckets } from './value-buckets.ts';
import { devicesOf, matchDevices } from './match.ts';
import { taskBuckets } from './pending.ts';

// What devices say about themselves is theirs to choose: no answer grows with it.
const MAX_VALUES = 500;

function mostFrequent(counts: Record<string, number>): Record<string, number> {
  const entries = Object.entries(counts);
  if (entries.length <= MAX_VALUES) return counts;
  return Object.fromEntries(entries.sort((a, b) => b[1] - a[1]).slice(0, MAX_VALUES));
}

/** What devices are counted by. */
export const CHARTS = [
  'status',
  'model',
  'firmware',
  'connection_type',
  'network_state',
  'wan_state',
  'signal',
  'information_updated',
  'operator',
  'company',
  'task',
  'modem_model',
  'modem_manufacturer',
  'modem_firmware',
  'connection_type_2',
  'network_state_2',
  'signal_2',
  'operator_2',
  'modem_model_2',
  'modem_manufacturer_2',
  'modem_firmware_2',
] as const;
export type Chart = (typeof CHARTS)[number];

/** Those that the console shows. */
export const CONSOLE_CHARTS: readonly Chart[] = CHARTS.slice(0, CHARTS.indexOf('task'));

function expressionOf(chart: Chart, now: number): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`devices.${name}`);
  if (chart === 'status') return sql`devices.status`;
  if (chart === 'company') return sql`devices.company_id`;
  if (chart === 'task') return bucketName(taskBuckets());
  if (chart === 'connection_type' || chart === 'connection_type_2') return bucketName(connectionBuckets(column(chart)));
  if (chart === 'network_state' || chart === 'network_state_2') return bucketName(networkBuckets(column(chart)));
  if (chart === 'wan_state') return bucketName(wanBuckets(column(chart)));
  if (chart === 'signal' || chart === 'signal_2') return bucketName(signalBuckets(column(chart)));
  if (chart === 'information_updated') return bucketName(updatedBuckets(column('last_update_at'), now));
  return sql`coalesce(nullif(${column(chart)}, ''), 'unknown')`;
}

/**
 * How many of the matching devices there are of each kind, for every chart in one pass. The names are those of the filters;
 * status counts by the numbers of the wire (`0` `1` `2`, `null` for not activated), company by id.
 */
export async function countFacets(
  ctx: Context,
  actor: Actor,
  query: Pick<ListQuery, 'filters' | 'ids' | 'q'>,
  charts: readonly Chart[] = CONSOLE_CHARTS,
  { keepsAlternatives = false } = {},
): Promise<Record<string, Record<string, number>>> {
  if (keepsAlternatives) return countAlternatives(ctx, actor, query, charts);
  const match = await matchDevices(ctx, actor, query);
  const selected = charts.map((chart) => sql`${expressionOf(chart, ctx.clock.now())} as ${sql.ref(chart)}`);
  const all = sql`select ${sql.join(selected)} from ${devicesOf(match)}`;
  const counts: ValueCounts = await ctx.database.longReads.countValues(all.compile(ctx.reads));
  return Object.fromEntries(
    charts.map((chart) => [chart, chart === 'company' ? (counts[chart] ?? {}) : mostFrequent(counts[chart] ?? {})]),
  );
}

/** The same, but each chart leaves out the filter of its own: what else could be chosen there keeps its number. */
async function countAlternatives(
  ctx: Context,
  actor: Actor,
  query: Pick<ListQuery, 'filters' | 'ids' | 'q'>,
  charts: readonly Chart[],
): Promise<Record<string, Record<string, number>>> {
  const keyOf = (chart: Chart): string => (chart === 'company' ? 'company_id' : chart);
  const isFiltered = (chart: Chart): boolean => query.filters.some(({ key }) => key === keyOf(chart));
  const own = charts.filter(isFiltered);
  const rest = await countFacets(
    ctx,
    actor,
    query,
    charts.filter((chart) => !isFiltered(chart)),
  );
  const parts = await Promise.all(
    own.map((chart) => countFacets(ctx, actor, { ...query, filters: query.filters.filter(({ key }) => key !== keyOf(chart)) }, [chart])),
  );
  return Object.assign({}, rest, ...parts) as Record<string, Record<string, number>>;
}

/** The distinct values of one of the columns that devices fill themselves, with the number of visible devices that have each. */
export async function countValuesOf(
  ctx: Context,
  actor: Actor,
  name: 'model' | 'firmware' | 'operator' | 'modem_model',
): Promise<{ value: string; count: number }[]> {
  const match = await matchDevices(ctx, actor, { filters: [], ids: undefined, q: undefined });
  const column = sql.ref(`devices.${name}`);
  const selected = sql`select ${column} as value from ${devicesOf(match)} and ${column} <> ''`;
  const counts = await ctx.database.longReads.countValues(selected.compile(ctx.reads));
  return Object.entries(counts['value'] ?? {}).map(([value, count]) => ({ value, count }));
}
