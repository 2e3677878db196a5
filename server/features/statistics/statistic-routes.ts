import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ResourceName } from '../../../resources.config.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { listConditions, listOrder, type ListColumns } from '../../kernel/apply-list-query.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { CsvColumn } from '../../kernel/db/csv.ts';
import { exportAnswer, readExportOptions } from '../../kernel/export-answer.ts';
import { readListQuery, visibleFields, type ListQuery } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { momentAfter, momentOf } from '../../kernel/moments.ts';
import { getResource, listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';

/** A list of figures: one query makes its rows, and filters, order, pages and the file are asked of those. */
export interface Statistic {
  resource: ResourceName;
  summary: string;
  /** `select …`, with an `id` and every field of the record under its name; only of companies that the actor sees. Filters it applies itself are in `ownFilters`. */
  rows(ctx: Context, actor: Actor, query: ListQuery): RawBuilder<unknown> | Promise<RawBuilder<unknown>>;
  filters?: ListColumns['filters'];
  ownFilters?: readonly string[];
  /** Fields that are Unix milliseconds. */
  times?: readonly string[];
  /** Fields that are text; the others are numbers. */
  texts: readonly string[];
}

/** The values of one filter of a call; undefined without it. */
export function valuesOf(query: ListQuery, key: string): string[] | undefined {
  return query.filters.find((filter) => filter.key === key)?.values;
}

/** Conditions on a time by the filters `start_date` and `end_date`, both days or seconds included. */
export function betweenDays(column: string): ListColumns['filters'] {
  return {
    start_date: ([text = '']) => sql`${sql.ref(column)} >= ${momentOf(text)}`,
    end_date: ([text = '']) => sql`${sql.ref(column)} < ${momentAfter(text)}`,
  };
}

function columnsOf(statistic: Statistic, sorts: Iterable<string>): ListColumns {
  const own = (statistic.ownFilters ?? []).map((key) => [key, () => sql<SqlBool>`1 = 1`] as const);
  return {
    id: sql.ref('figures.id'),
    sorts: Object.fromEntries([...sorts].map((key) => [key, { by: sql.ref(`figures.${key}`), isNullable: true }])),
    filters: { ...statistic.filters, ...Object.fromEntries(own) },
  };
}

/** Registers a statistic's list, and the same as a file. Both are read away from the event loop. */
export function statisticRoutes(app: App, statistic: Statistic): void {
  const { path, permission } = getResource(statistic.resource);
  if (path === undefined || permission.list === undefined) throw new Error(`${statistic.resource} has no path or permission`);
  const access = { permission: permission.list };
  const rules = listRulesOf(statistic.resource, { sorts: ['id'] });
  const columns = columnsOf(statistic, rules.sorts);
  const matching = async (ctx: Context, actor: Actor, query: ListQuery) =>
    sql`(${await statistic.rows(ctx, actor, query)}) as figures where ${sql.join([sql`1 = 1`, ...listConditions(query, columns)], sql` and `)}`;
  listRoute(app, {
    path: `/${path}`,
    access,
    summary: statistic.summary,
    tag: 'statistics',
    rules,
    async list(ctx, actor, query) {
      const from = await matching(ctx, actor, query);
      const { longReads } = ctx.database;
      const page = sql<Record<string, unknown>>`select * from ${from} order by ${sql.join(listOrder(query, columns))}
        limit ${query.limit} offset ${query.offset}`;
      const rows = await longReads.rows(page.compile(ctx.reads));
      const [total = 0] = await longReads.numbers(sql`select count(*) from ${from}`.compile(ctx.reads));
      const times = statistic.times ?? [];
      const presented = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [key, times.includes(key) && typeof value === 'number' ? wireTime(value) : value]),
        ),
      );
      return { rows: presented, total };
    },
  });
  const kindOf = (field: string): CsvColumn['kind'] =>
    statistic.times?.includes(field) ? 'time' : statistic.texts.includes(field) ? 'text' : 'number';
  route(app, {
    method: 'GET',
    path: `/${path}/export/csv`,
    access,
    summary: `${statistic.summary} As a file (format csv, json or xlsx; timezone); filters, sort and fields as in the list.`,
    mediaType: 'text/csv',
    tag: 'statistics',
    hasOwnQueryCheck: true,
    cost: 'file',
    async handler({ ctx, actor, request, reply }) {
      const { options, list } = readExportOptions(request.query);
      const query = readListQuery(rules, { actor, reply }, list);
      const fields = query.fields ?? visibleFields(rules, actor);
      const selected = sql.join(fields.map((field) => sql.ref(`figures.${field}`)));
      const file = sql`select ${selected} from ${await matching(ctx, actor, query)} order by ${sql.join(listOrder(query, columns))}`;
      const header = fields.map((field): CsvColumn => ({ header: field, kind: kindOf(field) }));
      return exportAnswer(ctx, { name: statistic.resource, query: file.compile(ctx.reads), columns: header, options });
    },
  });
}
