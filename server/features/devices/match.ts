import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { containsText, hasText, listConditions, listOrder, type ListColumns } from '../../kernel/apply-list-query.ts';
import { customNameOf } from '../../../schemas/kit/devices/custom-fields.ts';
import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
import { searchNeedles } from '../../domain/devices/search-text.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { CAPABILITY_FILTER, capabilityConditions } from './capability.ts';
import { deviceColumns } from './columns.ts';
import { FIRMWARE_FILTER, firmwareConditions } from './firmware-state.ts';

const SEARCH_INDEX_MIN = 3;
/** More words are read as one phrase. */
const MAX_WORDS = 5;
/** Reading the texts of so many devices costs less than asking the search index, which knows no companies. */
const SMALL_SCOPE = 20_000;
/** Queries over more devices than this run in the reading thread: 100,000 take 5 to 20 ms. */
const INLINE_DEVICES = 150_000;

/** The same where each device's own text has to be read for the order. */
const INLINE_SORTED_BY_TEXT = 20_000;

/** The devices that a checked list call is about, before order and page. */
export interface DeviceMatch {
  conditions: readonly Expression<SqlBool>[];
  /** The device whose serial number, MAC or IMEI is the free text itself: it comes first. */
  exact: RawBuilder<SqlBool> | undefined;
  columns: ListColumns;
}

/** All of the conditions. */
export function allOf(conditions: readonly Expression<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** All that match: the table with its conditions, for `from`. */
export function devicesOf(match: DeviceMatch): RawBuilder<unknown> {
  return sql`devices where ${allOf(match.conditions)}`;
}

/** The highest id: how many devices there are at most. */
async function countAll(ctx: Context): Promise<number> {
  const { rows } = await sql<{ total: number | null }>`select max(id) as total from devices`.execute(ctx.reads);
  return rows[0]?.total ?? 0;
}

async function isSmallScope(ctx: Context, actor: Actor): Promise<boolean> {
  if ((await countAll(ctx)) <= SMALL_SCOPE) return true;
  const { rows } = await sql`select 1 from devices where ${isVisible(actor, 'devices')} limit 1 offset ${SMALL_SCOPE}`.execute(ctx.reads);
  return rows.length === 0;
}

/** What is typed is in one text of the device, its company or its tags; or each of its words is in one of them: `TAP200 Kraftnett`. */
async function textCondition(ctx: Context, actor: Actor, text: string): Promise<Expression<SqlBool>> {
  const whole = await termCondition(ctx, actor, text);
  const words = new Set(text.trim().split(/\s+/));
  // A number typed in groups is one term.
  if (words.size < 2 || words.size > MAX_WORDS || searchNeedles(text).length > 1) return whole;
  const each = await Promise.all([...words].map((word) => termCondition(ctx, actor, word)));
  return anyOf([whole, allOf(each)]);
}

async function termCondition(ctx: Context, actor: Actor, term: string): Promise<Expression<SqlBool>> {
  const needles = searchNeedles(term);
  // One or two characters are in nearly every name of a company or tag.
  const isLong = [...term.trim()].length >= SEARCH_INDEX_MIN;
  const beside = isLong ? [ofTags(actor, term), ofCompanies(actor, term)] : [];
  const isIndexed = needles.every((needle) => [...needle].length >= SEARCH_INDEX_MIN);
  const hits = isIndexed ? ctx.database.tools.searchIndex?.('device_search', needles) : undefined;
  if (hits && !(await isSmallScope(ctx, actor))) return anyOf([sql<SqlBool>`devices.id in ${hits}`, ...beside]);
  const column = sql.ref('devices.search_text');
  // What devices report repeatedly is in no index.
  const reported = isLong
    ? [
        containsText([sql.ref('devices.operator')], term),
        ...ADDRESSES.map((name) => hasText(sql.ref(`devices.${name}`), term.toLowerCase())),
      ]
    : [];
  const found = anyOf([...needles.map((needle) => hasText(column, needle)), ...reported, ...beside]);
  // By itself, so that the database finds them in the index of texts whatever the order of the list.
  return sql<SqlBool>`devices.id in (select devices.id from devices where ${isVisible(actor, 'devices')} and ${found})`;
}

const ADDRESSES = ['mobile_ip', 'wan_ip', 'lan_ip'];

function anyOf(conditions: readonly Expression<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** Devices with a tag of this name, among those that the actor sees. */
function ofTags(actor: Actor, term: string): Expression<SqlBool> {
  return sql<SqlBool>`devices.id in (select device_tags.device_id from device_tags inner join tags on tags.id = device_tags.tag_id
    where ${containsText([sql.ref('tags.name')], term)} and ${isVisible(actor, 'tags')})`;
}

/** Devices of a company of this name. */
function ofCompanies(actor: Actor, term: string): Expression<SqlBool> {
  return sql<SqlBool>`devices.company_id in (select companies.id from companies where ${containsText([sql.ref('companies.name')], term)} and ${isVisible(actor, 'companies')})`;
}

function exactCondition(term: string): RawBuilder<SqlBool> {
  const digits = term.replace(/[\s-]/g, '');
  const mac = normalizeMac(term);
  return sql<SqlBool>`((devices.serial in (${term.trim()}, ${digits}) or devices.imei = ${digits} or devices.mac = ${mac ?? ''}) is true)`;
}

/** What a checked list call matches. */
export async function matchDevices(ctx: Context, actor: Actor, query: Pick<ListQuery, 'filters' | 'ids' | 'q'>): Promise<DeviceMatch> {
  const columns = deviceColumns(ctx, actor);
  const {
    capability = [],
    firmware = [],
    column = [],
  } = Object.groupBy(query.filters, ({ key }) =>
    key === CAPABILITY_FILTER ? 'capability' : key === FIRMWARE_FILTER ? 'firmware' : 'column',
  );
  const conditions = [
    isVisible(actor, 'devices'),
    ...listConditions({ ...query, filters: column, q: undefined }, columns),
    ...(await capabilityConditions(ctx, actor, capability)),
    ...(await firmwareConditions(ctx, actor, firmware)),
  ];
  if (query.q === undefined) return { conditions, exact: undefined, columns };
  return { conditions: [...conditions, await textCondition(ctx, actor, query.q)], exact: exactCondition(query.q), columns };
}

/** Asks for the ids of all that match, in the order of a list. */
export function sortedIds(match: DeviceMatch, sort: ListQuery['sort']): RawBuilder<{ id: number }> {
  return sql`select devices.id from ${devicesOf(match)} order by ${sql.join(listOrder({ sort }, match.columns))}`;
}

/** One page of device ids and the number of all that match. */
export async function findPage(ctx: Context, actor: Actor, query: ListQuery): Promise<{ ids: number[]; total: number }> {
  const match = await matchDevices(ctx, actor, query);
  const isSortedByText = query.sort.some(({ key }) => key === 'company_name' || customNameOf(key) !== undefined);
  const isLong = (await countAll(ctx)) > (isSortedByText ? INLINE_SORTED_BY_TEXT : INLINE_DEVICES);
  const read = async <R>(ask: RawBuilder<R>): Promise<R[]> =>
    isLong ? ctx.database.longReads.rows(ask.compile(ctx.reads)) : (await ask.execute(ctx.reads)).rows;
  const [counted] = await read(sql<{ total: number }>`select count(*) as total from ${devicesOf(match)}`);
  const total = counted?.total ?? 0;
  if (query.offset >= total) return { ids: [], total };
  const order = [...(match.exact ? [sql`${match.exact} desc`] : []), ...listOrder(query, match.columns)];
  const rows = await read(
    sql<{
      id: number;
    }>`select devices.id from ${devicesOf(match)} order by ${sql.join(order)} limit ${query.limit} offset ${query.offset}`,
  );
  return { ids: rows.map((row) => row.id), total };
}
