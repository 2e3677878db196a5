import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { listConditions, listOrder, type ListColumns } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { deviceColumns } from './columns.ts';
import { makeTextSearch, type TextSearch } from './search.ts';

// SQLite keeps no statistics of its own, so which index a query reads is decided here, by the number of index entries that each way visits.
// 100,000 entries take 5 to 8 ms: more than that goes to the reading thread.
const INLINE_VISITS = 150_000;
const SCAN_VISITS = 20_000;
const SEARCH_HITS = 2_000;
const MAX_EXACT = 100;
// Sorting a match costs about three visits; a walk that must look into the wide row about four.
const SORT_FACTOR = 3;
const ROW_FACTOR = 4;
const SMALL_WALK = 5_000;
const NAME_INDEX_FILTERS = new Set(['status', 'company_id']);

type Conditions = readonly Expression<SqlBool>[];

/** The devices that a checked list call is about, before order and page. */
export interface DeviceMatch {
  /** Filters, ids, scope; with the text condition when there is one. */
  conditions: Conditions;
  /** Where rows are counted. */
  source: RawBuilder<unknown>;
  /** Where rows are collected to be sorted. */
  collectFrom: RawBuilder<unknown>;
  /** Entries that a full pass visits, about; 0 where the database decides by itself. */
  visits: number;
  /** Whether the name index alone tells if a device matches. */
  isInNameIndex: boolean;
  search: TextSearch | undefined;
  /** Filters, ids and scope alone. */
  plain: Conditions;
  columns: ListColumns;
}

function allOf(conditions: Conditions): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Runs a query here when it is short, in the reading thread when it may be long. */
async function run<R>(ctx: Context, query: RawBuilder<R>, visits: number): Promise<R[]> {
  if (visits > INLINE_VISITS) return ctx.database.longReads.rows(query.compile(ctx.reads));
  return (await query.execute(ctx.reads)).rows;
}

async function countScope(ctx: Context, actor: Actor, query: Pick<ListQuery, 'filters'>, columns: ListColumns): Promise<number> {
  const companies = query.filters.filter((filter) => filter.key === 'company_id');
  if (actor.scope === 'all' && companies.length === 0) return countAll(ctx);
  const conditions = [isVisible(actor, 'devices'), ...listConditions({ filters: companies, ids: undefined, q: undefined }, columns)];
  const [row] = await run<{ total: number }>(ctx, sql`select count(*) as total from devices where ${allOf(conditions)}`, 0);
  return row?.total ?? 0;
}

/** The highest id: how many devices there are at most. */
async function countAll(ctx: Context): Promise<number> {
  const { rows } = await sql<{ total: number | null }>`select max(id) as total from devices`.execute(ctx.reads);
  return rows[0]?.total ?? 0;
}

/** What a checked list call matches, and the way to read it. */
export async function matchDevices(ctx: Context, actor: Actor, query: Pick<ListQuery, 'filters' | 'ids' | 'q'>): Promise<DeviceMatch> {
  const { tools } = ctx.database;
  const columns = deviceColumns(ctx, actor);
  const plain = [isVisible(actor, 'devices'), ...listConditions({ ...query, q: undefined }, columns)];
  const search = query.q === undefined ? undefined : makeTextSearch(tools, query.q);
  const isInNameIndex = !search && query.filters.every((filter) => NAME_INDEX_FILTERS.has(filter.key));
  const table = sql.ref('devices');
  const match = {
    conditions: search ? [...plain, search.scan] : plain,
    source: table,
    collectFrom: table,
    visits: 0,
    isInNameIndex,
    search,
    plain,
    columns,
  };
  const isByNumber = query.ids !== undefined || query.filters.some((filter) => filter.key === 'mac' && !filter.isNegated);
  if (isByNumber || tools.kind === 'postgres') return match;
  if (!search) return { ...match, collectFrom: tools.readBy('devices', 'devices_facets'), visits: await countAll(ctx) };
  const inScope = await countScope(ctx, actor, query, columns);
  if (inScope > SCAN_VISITS && search.index) {
    const hits = await search.probe(ctx.reads, SEARCH_HITS + 1);
    const byIds = tools.readBy('devices', undefined);
    if (hits <= SEARCH_HITS)
      return { ...match, conditions: [...plain, search.index], source: byIds, collectFrom: byIds, visits: hits * ROW_FACTOR };
  }
  const byText = tools.readBy('devices', 'devices_text');
  return { ...match, source: byText, collectFrom: byText, visits: inScope * 2 };
}

/** How many devices match. */
export async function countDevices(ctx: Context, match: DeviceMatch): Promise<number> {
  const query = sql<{ total: number }>`select count(*) as total from ${match.source} where ${allOf(match.conditions)}`;
  const [row] = await run(ctx, query, match.visits);
  return row?.total ?? 0;
}

/** The ids of all that match, in this order. */
export async function findSortedIds(ctx: Context, match: DeviceMatch, order: readonly RawBuilder<unknown>[]): Promise<number[]> {
  const query = sql`select devices.id from ${match.collectFrom} where ${allOf(match.conditions)} order by ${sql.join(order)}`;
  return ctx.database.longReads.numbers(query.compile(ctx.reads));
}

interface Page {
  sort: ListQuery['sort'];
  limit: number;
  offset: number;
}

/** Whether reading along the name index fills the page sooner than collecting all matches and sorting them. */
function isWalkShorter(match: DeviceMatch, page: Page, total: number): { isWalk: boolean; visits: number } {
  const collect = { isWalk: false, visits: match.visits };
  const isByName = page.sort.length === 1 && page.sort[0]?.key === 'name';
  if (!isByName || match.visits === 0) return collect;
  const entries = Math.min(match.visits, ((page.offset + page.limit) * match.visits) / Math.max(total, 1));
  const walk = entries * (match.isInNameIndex ? 1 : ROW_FACTOR);
  return walk <= total * SORT_FACTOR + SMALL_WALK ? { isWalk: true, visits: walk } : collect;
}

async function findIds(ctx: Context, match: DeviceMatch, page: Page, total: number, without: readonly number[]): Promise<number[]> {
  const { tools } = ctx.database;
  const { isWalk, visits } = isWalkShorter(match, page, total);
  const source = isWalk ? tools.readBy('devices', 'devices_name') : match.collectFrom;
  const conditions =
    without.length === 0 ? match.conditions : [...match.conditions, sql<SqlBool>`devices.id not in (${sql.join(without)})`];
  const query = sql<{ id: number }>`select devices.id from ${source} where ${allOf(conditions)}
    order by ${sql.join(listOrder(page, match.columns))} limit ${page.limit} offset ${page.offset}`;
  return (await run(ctx, query, visits)).map((row) => row.id);
}

async function findExact(ctx: Context, match: DeviceMatch, page: Page): Promise<number[]> {
  if (!match.search) return [];
  const { rows } = await sql<{ id: number }>`select devices.id from devices where ${allOf([...match.plain, match.search.exact])}
    order by ${sql.join(listOrder(page, match.columns))} limit ${MAX_EXACT}`.execute(ctx.reads);
  return rows.map((row) => row.id);
}

/** One page of device ids and the number of all that match. A device whose serial number, MAC or IMEI is the text itself comes first. */
export async function findPage(ctx: Context, actor: Actor, query: ListQuery): Promise<{ ids: number[]; total: number }> {
  const match = await matchDevices(ctx, actor, query);
  const [total, exact] = await Promise.all([countDevices(ctx, match), findExact(ctx, match, query)]);
  if (query.offset >= total) return { ids: [], total };
  const first = exact.slice(query.offset, query.offset + query.limit);
  const rest = { sort: query.sort, limit: query.limit - first.length, offset: Math.max(0, query.offset - exact.length) };
  const others = rest.limit > 0 ? await findIds(ctx, match, rest, total, exact) : [];
  return { ids: [...first, ...others], total };
}
