import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { listConditions, listOrder, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { CAPABILITY_FILTER, capabilityConditions } from './capability.ts';
import { FIRMWARE_FILTER, firmwareConditions } from './firmware-state.ts';
import { deviceColumns } from './columns.ts';
import { makeTextSearch, type TextSearch } from './search.ts';

// SQLite keeps no statistics of its own, so which index a query reads is decided here, by the number of index entries that each way visits.
// 100,000 entries take 5 to 8 ms: more than that goes to the reading thread.
const INLINE_VISITS = 150_000;
const SEARCH_HITS = 2_000;
/** Reading the text of so many devices costs less than asking the search index about all companies. */
const SMALL_SCOPE = 2_000;
/** Looking into a row costs about four visits of an index. */
export const ROW_FACTOR = 4;
const NAME_INDEX_FILTERS = new Set(['status', 'company_id']);
/** Filters whose values stand in no index of `devices`. */
const OTHER_FILTERS = new Set([
  'tag_id',
  'task',
  'area',
  'site_id',
  'configuration_state',
  'modem_manufacturer',
  'modem_model',
  'modem_firmware',
  'monitoring_status',
  CAPABILITY_FILTER,
  FIRMWARE_FILTER,
]);

type Conditions = readonly Expression<SqlBool>[];

/** The devices that a checked list call is about, before order and page. */
export interface DeviceMatch {
  conditions: Conditions;
  /** Tells how many there are, and visits about as many entries for it. */
  count: { query: RawBuilder<{ total: number }>; visits: number };
  /** Where rows are collected to be sorted. */
  collectFrom: RawBuilder<unknown>;
  /** Entries that a full pass visits, about; 0 where the database decides by itself. */
  visits: number;
  /** Whether the name index alone tells if a device matches. */
  isInNameIndex: boolean;
  search: TextSearch | undefined;
  /** The conditions without the text. */
  plain: Conditions;
  columns: ListColumns;
}

/** All of the conditions. */
export function allOf(conditions: Conditions): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Runs a query here when it is short, in the reading thread when it may be long. */
export async function runSized<R>(ctx: Context, query: RawBuilder<R>, visits: number): Promise<R[]> {
  if (visits > INLINE_VISITS) return ctx.database.longReads.rows(query.compile(ctx.reads));
  return (await query.execute(ctx.reads)).rows;
}

/** The highest id: how many devices there are at most. */
async function countAll(ctx: Context): Promise<number> {
  const { rows } = await sql<{ total: number | null }>`select max(id) as total from devices`.execute(ctx.reads);
  return rows[0]?.total ?? 0;
}

/** The search index does not know which devices went with a removed company. */
async function hasRemovedCompanies(ctx: Context): Promise<boolean> {
  const { rows } = await sql`select 1 from companies where path < '/' limit 1`.execute(ctx.reads);
  return rows.length > 0;
}

const countOneByOne = (from: RawBuilder<unknown>, conditions: Conditions): RawBuilder<{ total: number }> =>
  sql`select count(*) as total from ${from} where ${allOf(conditions)}`;

/** For conditions on company and status alone: the database keeps their numbers, in columns of the same names. */
const sumKept = (conditions: Conditions): RawBuilder<{ total: number }> =>
  sql`select coalesce(sum(devices.devices), 0) as total from device_counts as devices where ${allOf(conditions)}`;

async function countScope(ctx: Context, actor: Actor, query: Pick<ListQuery, 'filters'>, columns: ListColumns): Promise<number> {
  const companies = query.filters.filter((filter) => filter.key === 'company_id');
  if (actor.scope === 'all' && companies.length === 0) return countAll(ctx);
  const conditions = [isVisible(actor, 'devices'), ...listConditions({ filters: companies, ids: undefined, q: undefined }, columns)];
  const { rows } = await sumKept(conditions).execute(ctx.reads);
  return rows[0]?.total ?? 0;
}

/** One text instead of a row for each: it is read three times as fast. */
async function firstHits(ctx: Context, hits: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{
    ids: string;
  }>`select json_group_array(rowid) as ids from (select rowid from ${hits} limit ${SEARCH_HITS + 1})`.execute(ctx.reads);
  return JSON.parse(rows[0]?.ids ?? '[]') as number[];
}

async function withSearch(ctx: Context, match: DeviceMatch, search: TextSearch, inScope: number, isWhole: boolean): Promise<DeviceMatch> {
  const { tools } = ctx.database;
  if (search.hits && inScope > SMALL_SCOPE) {
    const ids = await firstHits(ctx, search.hits);
    if (ids.length <= SEARCH_HITS) {
      const source = tools.readBy('devices', undefined);
      const conditions = [...match.plain, sql<SqlBool>`devices.id in ${tools.idList(ids)}`];
      const visits = ids.length * ROW_FACTOR;
      return { ...match, conditions, count: { query: countOneByOne(source, conditions), visits }, collectFrom: source, visits };
    }
  }
  const byText = tools.readBy('devices', 'devices_text');
  const visits = inScope * 2;
  // Nothing else narrows them: the search index alone knows.
  const query = isWhole && search.hits ? sql<{ total: number }>`select count(*) as total from ${search.hits}` : undefined;
  return { ...match, count: { query: query ?? countOneByOne(byText, match.conditions), visits }, collectFrom: byText, visits };
}

/** What a checked list call matches, and the way to read it. */
export async function matchDevices(ctx: Context, actor: Actor, query: Pick<ListQuery, 'filters' | 'ids' | 'q'>): Promise<DeviceMatch> {
  const { tools } = ctx.database;
  const columns = deviceColumns(ctx, actor);
  const {
    capability = [],
    firmware = [],
    column = [],
  } = Object.groupBy(query.filters, ({ key }) =>
    key === CAPABILITY_FILTER ? 'capability' : key === FIRMWARE_FILTER ? 'firmware' : 'column',
  );
  const plain = [
    isVisible(actor, 'devices'),
    ...listConditions({ ...query, filters: column, q: undefined }, columns),
    ...(await capabilityConditions(ctx, actor, capability)),
    ...(await firmwareConditions(ctx, actor, firmware)),
  ];
  const search = query.q === undefined ? undefined : makeTextSearch(tools, query.q);
  const table = sql.ref('devices');
  const conditions = search ? [...plain, search.scan] : plain;
  const match: DeviceMatch = {
    conditions,
    count: { query: countOneByOne(table, conditions), visits: 0 },
    collectFrom: table,
    visits: 0,
    isInNameIndex: !search && query.filters.every((filter) => NAME_INDEX_FILTERS.has(filter.key)),
    search,
    plain,
    columns,
  };
  const isByNumber = query.ids !== undefined || query.filters.some((filter) => filter.key === 'mac' && !filter.isNegated);
  if (isByNumber || tools.kind === 'postgres') return match;
  if (!search) {
    const facets = tools.readBy('devices', 'devices_facets');
    const isInFacets = query.filters.every((filter) => !OTHER_FILTERS.has(filter.key));
    const visits = await countAll(ctx);
    const count = match.isInNameIndex
      ? { query: sumKept(conditions), visits: 0 }
      : { query: countOneByOne(isInFacets ? facets : table, conditions), visits };
    return { ...match, count, collectFrom: facets, visits };
  }
  const isWhole = actor.scope === 'all' && query.filters.length === 0 && !(await hasRemovedCompanies(ctx));
  return withSearch(ctx, match, search, await countScope(ctx, actor, query, columns), isWhole);
}

/** Asks for the ids of all that match, in the order of a list. */
export function sortedIds(ctx: Context, match: DeviceMatch, sort: ListQuery['sort']): RawBuilder<{ id: number }> {
  const isByName = sort.length === 1 && sort[0]?.key === 'name' && match.isInNameIndex && match.visits > 0;
  const source = isByName ? ctx.database.tools.readBy('devices', 'devices_name') : match.collectFrom;
  return sql`select devices.id from ${source} where ${allOf(match.conditions)} order by ${sql.join(listOrder({ sort }, match.columns))}`;
}
