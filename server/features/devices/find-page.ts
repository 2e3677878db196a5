import { sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { listOrder } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { allOf, matchDevices, ROW_FACTOR, runSized, type DeviceMatch } from './match.ts';

// Sorting a match costs about three visits of an index.
const SORT_FACTOR = 3;
const SMALL_WALK = 5_000;
const SMALL_SCOPE_VISITS = 50_000;
const MAX_EXACT = 100;

interface Page {
  sort: ListQuery['sort'];
  limit: number;
  offset: number;
}

/** The ids of one page, and the number of all that match. */
interface Found {
  ids: number[];
  total: number;
}

async function countDevices(ctx: Context, match: DeviceMatch): Promise<number> {
  const [row] = await runSized(ctx, match.count.query, match.count.visits);
  return row?.total ?? 0;
}

interface Way {
  /** Along the name index, instead of collecting all matches and sorting them. */
  isWalk: boolean;
  visits: number;
  isBackwards?: boolean;
}

/** The way to a page that visits the fewest entries; `total` is how many rows there are in the order of the page. */
function shortestWay(match: DeviceMatch, page: Page, total: number): Way {
  const collect = { isWalk: false, visits: match.visits };
  const isByName = page.sort.length === 1 && page.sort[0]?.key === 'name';
  if (!isByName || match.visits === 0) return collect;
  const [fromStart, fromEnd] = [page.offset + page.limit, total - page.offset];
  const entries = Math.min(match.visits, (Math.min(fromStart, fromEnd) * match.visits) / Math.max(total, 1));
  const walk = entries * (match.isInNameIndex ? 1 : ROW_FACTOR);
  return walk <= total * SORT_FACTOR + SMALL_WALK ? { isWalk: true, visits: walk, isBackwards: fromEnd < fromStart } : collect;
}

/** The same page as seen from the last row. */
function seenFromEnd({ sort, limit, offset }: Page, total: number): Page {
  const length = Math.min(limit, total - offset);
  return { sort, limit: length, offset: total - offset - length };
}

/** One page of ids in order, the exact ones left out. */
async function findRows(
  ctx: Context,
  match: DeviceMatch,
  page: Page,
  how: Way,
  without: readonly number[],
  more = sql``,
): Promise<{ id: number; total?: number }[]> {
  const source = how.isWalk ? ctx.database.tools.readBy('devices', 'devices_name') : match.collectFrom;
  const conditions =
    without.length === 0 ? match.conditions : [...match.conditions, sql<SqlBool>`devices.id not in (${sql.join(without)})`];
  const query = sql<{ id: number; total?: number }>`select devices.id${more} from ${source} where ${allOf(conditions)}
    order by ${sql.join(listOrder(page, match.columns, how.isBackwards))} limit ${page.limit} offset ${page.offset}`;
  return runSized(ctx, query, how.visits);
}

async function findExact(ctx: Context, match: DeviceMatch, page: Page): Promise<number[]> {
  if (!match.search) return [];
  const { rows } = await sql<{ id: number }>`select devices.id from devices where ${allOf([...match.plain, match.search.exact])}
    order by ${sql.join(listOrder(page, match.columns))} limit ${MAX_EXACT}`.execute(ctx.reads);
  return rows.map((row) => row.id);
}

/** One page with the number of all that match, counted on the way; undefined for a page behind the last one, which tells no number. */
async function findCounted(ctx: Context, match: DeviceMatch, query: ListQuery, exact: readonly number[]): Promise<Found | undefined> {
  const { offset, limit } = query;
  const first = exact.slice(offset, offset + limit);
  const rest = { sort: query.sort, limit: Math.max(1, limit - first.length), offset: Math.max(0, offset - exact.length) };
  const rows = await findRows(ctx, match, rest, { isWalk: false, visits: match.visits }, exact, sql`, count(*) over () as total`);
  if (rows[0] === undefined && rest.offset > 0) return undefined;
  return { ids: [...first, ...rows.map((row) => row.id)].slice(0, limit), total: exact.length + (rows[0]?.total ?? 0) };
}

/** The part of a page that follows the exact ones; `total` is the number of all but these. */
async function findRest(ctx: Context, match: DeviceMatch, page: Page, exact: readonly number[], total: number): Promise<number[]> {
  const way = shortestWay(match, page, total);
  const rows = await findRows(ctx, match, way.isBackwards ? seenFromEnd(page, total) : page, way, exact);
  const ids = rows.map((row) => row.id);
  return way.isBackwards ? ids.reverse() : ids;
}

/** One page of device ids and the number of all that match. A device whose serial number, MAC or IMEI is the text itself comes first. */
export async function findPage(ctx: Context, actor: Actor, query: ListQuery): Promise<Found> {
  const match = await matchDevices(ctx, actor, query);
  const exact = await findExact(ctx, match, query);
  if (match.search && match.visits <= SMALL_SCOPE_VISITS) {
    const found = await findCounted(ctx, match, query, exact);
    if (found) return found;
  }
  const total = await countDevices(ctx, match);
  if (query.offset >= total) return { ids: [], total };
  const first = exact.slice(query.offset, query.offset + query.limit);
  const rest = { sort: query.sort, limit: query.limit - first.length, offset: Math.max(0, query.offset - exact.length) };
  if (rest.limit === 0) return { ids: first, total };
  return { ids: [...first, ...(await findRest(ctx, match, rest, exact, total - exact.length))], total };
}
