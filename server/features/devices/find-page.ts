import { sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { listOrder } from '../../kernel/apply-list-query.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { allOf, matchDevices, ROW_FACTOR, runSized, type DeviceMatch } from './match.ts';

// Sorting a match costs about three visits of an index.
const SORT_FACTOR = 3;
const SMALL_WALK = 5_000;
/** Matches of a text are collected this far past the page: when they end before, their number is known without counting. */
const LOOK_AHEAD = 2_000;
const SMALL_SCOPE_VISITS = 50_000;
const MAX_EXACT = 100;

interface Page {
  sort: ListQuery['sort'];
  limit: number;
  offset: number;
}

async function countDevices(ctx: Context, match: DeviceMatch): Promise<number> {
  const query =
    match.countHits ?? sql<{ total: number }>`select count(*) as total from ${match.countFrom} where ${allOf(match.conditions)}`;
  const [row] = await runSized(ctx, query, match.visits);
  return row?.total ?? 0;
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

/** One page of ids in order, the exact ones left out. */
async function findIds(
  ctx: Context,
  match: DeviceMatch,
  page: Page,
  how: { isWalk: boolean; visits: number },
  without: readonly number[],
): Promise<number[]> {
  const source = how.isWalk ? ctx.database.tools.readBy('devices', 'devices_name') : match.collectFrom;
  const conditions =
    without.length === 0 ? match.conditions : [...match.conditions, sql<SqlBool>`devices.id not in (${sql.join(without)})`];
  const query = sql<{ id: number }>`select devices.id from ${source} where ${allOf(conditions)}
    order by ${sql.join(listOrder(page, match.columns))} limit ${page.limit} offset ${page.offset}`;
  return (await runSized(ctx, query, how.visits)).map((row) => row.id);
}

async function findExact(ctx: Context, match: DeviceMatch, page: Page): Promise<number[]> {
  if (!match.search) return [];
  const { rows } = await sql<{ id: number }>`select devices.id from devices where ${allOf([...match.plain, match.search.exact])}
    order by ${sql.join(listOrder(page, match.columns))} limit ${MAX_EXACT}`.execute(ctx.reads);
  return rows.map((row) => row.id);
}

/** Collects from the first match on; undefined when there are more matches than were looked at. */
async function collectAll(ctx: Context, match: DeviceMatch, query: ListQuery, exact: readonly number[]): Promise<number[] | undefined> {
  const limit = query.offset + query.limit + LOOK_AHEAD;
  const ids = await findIds(ctx, match, { sort: query.sort, limit, offset: 0 }, { isWalk: false, visits: match.visits }, exact);
  return ids.length < limit ? [...exact, ...ids] : undefined;
}

/** One page of device ids and the number of all that match. A device whose serial number, MAC or IMEI is the text itself comes first. */
export async function findPage(ctx: Context, actor: Actor, query: ListQuery): Promise<{ ids: number[]; total: number }> {
  const match = await matchDevices(ctx, actor, query);
  const exact = await findExact(ctx, match, query);
  if (match.search && match.visits <= SMALL_SCOPE_VISITS) {
    const all = await collectAll(ctx, match, query, exact);
    if (all) return { ids: all.slice(query.offset, query.offset + query.limit), total: all.length };
  }
  const total = await countDevices(ctx, match);
  if (query.offset >= total) return { ids: [], total };
  const first = exact.slice(query.offset, query.offset + query.limit);
  const rest = { sort: query.sort, limit: query.limit - first.length, offset: Math.max(0, query.offset - exact.length) };
  const others = rest.limit > 0 ? await findIds(ctx, match, rest, isWalkShorter(match, rest, total), exact) : [];
  return { ids: [...first, ...others], total };
}
