import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { ValueCounts } from '../../kernel/db/long-reads.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { bucketName, connectionBuckets, networkBuckets, signalBuckets, updatedBuckets, wanBuckets } from './buckets.ts';
import { matchDevices } from './match.ts';

// What devices say about themselves is theirs to choose: no answer grows with it.
const MAX_VALUES = 500;

function mostFrequent(counts: Record<string, number>): Record<string, number> {
  const entries = Object.entries(counts);
  if (entries.length <= MAX_VALUES) return counts;
  return Object.fromEntries(entries.sort((a, b) => b[1] - a[1]).slice(0, MAX_VALUES));
}

/**
 * How many of the matching devices there are of each kind, for every facet in one pass. The names are those of the filters;
 * status counts by the numbers of the wire (`0` `1` `2`, `null` for not activated), company by id.
 */
export async function countFacets(
  ctx: Context,
  actor: Actor,
  query: Pick<ListQuery, 'filters' | 'ids' | 'q'>,
): Promise<Record<string, Record<string, number>>> {
  const match = await matchDevices(ctx, actor, query);
  const column = (name: string) => sql.ref(`devices.${name}`);
  const known = (name: string) => sql`coalesce(nullif(${column(name)}, ''), 'unknown')`;
  const selected = sql`select devices.status as status, ${known('model')} as model, ${known('firmware')} as firmware,
    ${bucketName(connectionBuckets(column('connection_type')))} as connection_type, ${bucketName(networkBuckets(column('network_state')))} as network_state,
    ${bucketName(wanBuckets(column('wan_state')))} as wan_state, ${bucketName(signalBuckets(column('signal')))} as signal,
    ${bucketName(updatedBuckets(column('last_update_at'), ctx.clock.now()))} as information_updated, ${known('operator')} as operator,
    devices.company_id as company from ${match.collectFrom} where ${sql.join(match.conditions, sql` and `)}`;
  const counts: ValueCounts = await ctx.database.longReads.countValues(selected.compile(ctx.reads));
  const facet = (name: string): Record<string, number> => (name === 'company' ? (counts[name] ?? {}) : mostFrequent(counts[name] ?? {}));
  return {
    status: facet('status'),
    model: facet('model'),
    firmware: facet('firmware'),
    connection_type: facet('connection_type'),
    network_state: facet('network_state'),
    wan_state: facet('wan_state'),
    signal: facet('signal'),
    information_updated: facet('information_updated'),
    operator: facet('operator'),
    company: facet('company'),
  };
}

/** The distinct values of one of the columns that devices fill themselves, with the number of visible devices that have each. */
export async function countValuesOf(
  ctx: Context,
  actor: Actor,
  name: 'model' | 'firmware' | 'operator' | 'modem_model',
): Promise<{ value: string; count: number }[]> {
  const match = await matchDevices(ctx, actor, { filters: [], ids: undefined, q: undefined });
  const column = sql.ref(`devices.${name}`);
  const selected = sql`select ${column} as value from ${match.collectFrom}
    where ${sql.join([...match.conditions, sql`${column} <> ''`], sql` and `)}`;
  const counts = await ctx.database.longReads.countValues(selected.compile(ctx.reads));
  return Object.entries(counts['value'] ?? {}).map(([value, count]) => ({ value, count }));
}
