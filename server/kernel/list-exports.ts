import { Readable } from 'node:stream';
import { resources } from '../../resources.config.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import type { Context } from '../context.ts';
import { stream, type Answer } from './answer.ts';
import type { Actor } from './actor.ts';
import { wireTime } from './clock.ts';
import type { CsvColumn } from './db/csv.ts';
import { tableWriter, type ExportOptions } from './db/export-writers.ts';
import { packSheet } from './db/pack-sheet.ts';
import { EXPORT_TYPES, readExportOptions } from './export-answer.ts';
import { visibleFields, readListQuery, type ListQuery, type ListRules } from './list-query.ts';
import { describeQuery } from './list-route.ts';
import { type ListSpec, route, type App } from './route.ts';
import { Type } from './type.ts';
import { entitySchema } from './resources.ts';
import { languageOfCall, type Language } from './language.ts';

const ROWS_A_READ = 500;
/** What a spreadsheet can still be worked with. */
const MAX_ROWS = 100_000;

const exported: readonly ResourceEntry[] = resources.filter((resource: ResourceEntry) => resource.table !== undefined);

/** The entry of the console's list at this address; several lists may show one. */
const findEntry = (path: string): ResourceEntry | undefined => exported.find((resource) => `/${resource.path ?? resource.name}` === path);

function kindOf(schema: JsonSchema | undefined): CsvColumn['kind'] {
  const types = new Set([schema?.type ?? []].flat());
  if (schema?.format === 'timestamp') return 'time';
  if (types.has('boolean')) return 'flag';
  return types.has('integer') || types.has('number') ? 'number' : 'text';
}

/** A value as the one of a cell: what has a name is named by it, several are in one cell. */
function cellOf(value: unknown, kind: CsvColumn['kind']): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'time') return Date.parse(`${String(value).replace(' ', 'T')}Z`);
  if (kind === 'flag') return value === true || value === 1 ? 1 : 0;
  if (Array.isArray(value)) return value.map((each) => cellOf(each, 'text')).join(', ');
  if (typeof value !== 'object') return value;
  const name: unknown = Reflect.get(value, 'name') ?? Reflect.get(value, 'title');
  return typeof name === 'string' ? name : JSON.stringify(value);
}

/** Pages of the list until its end, oldest question first. */
async function* readRows(read: (query: ListQuery) => Promise<{ rows: object[]; total: number }>, query: ListQuery): AsyncGenerator<object> {
  for (let offset = 0; offset < MAX_ROWS; offset += ROWS_A_READ) {
    const { rows, total } = await read({ ...query, offset, limit: ROWS_A_READ });
    yield* rows;
    if (offset + rows.length >= total || rows.length === 0) return;
  }
}

async function* writeTable(rows: AsyncIterable<object>, columns: readonly CsvColumn[], options: ExportOptions): AsyncGenerator<string> {
  const writer = tableWriter(columns, options);
  yield writer.head();
  for await (const row of rows) yield writer.row(columns.map(({ header, kind }) => cellOf(Reflect.get(row, header), kind)));
  yield writer.foot();
}

async function exportList(ctx: Context, actor: Actor, spec: ListSpec<object>, entry: ResourceEntry, asked: ExportAsked): Promise<Answer> {
  const { options, query, params, language } = asked;
  const allowed = visibleFields(spec.rules, actor);
  const shown = (entry.table?.columns ?? []).map(({ key }) => key).filter((key) => allowed.includes(key));
  const properties = entitySchema(entry.entity).properties ?? {};
  const columns = (query.fields ?? shown).map((header): CsvColumn => ({ header, kind: kindOf(properties[header]) }));
  const rows = readRows((page) => spec.list(ctx, actor, page, params, language), query);
  const { format = 'csv' } = options;
  const table = Readable.from(writeTable(rows, columns, options));
  return stream(format === 'xlsx' ? await packSheet(table) : table, {
    'content-type': EXPORT_TYPES[format],
    'content-disposition': `attachment; filename="${entry.name}-${wireTime(ctx.clock.now()).slice(0, 10)}.${format}"`,
  });
}

interface ExportAsked {
  options: ExportOptions;
  query: ListQuery;
  params: never;
  language: Language;
}

function describeExportQuery(rules: ListRules) {
  const { limit: _limit, offset: _offset, fields_only: _names, ...filters } = describeQuery(rules).properties;
  return Type.Object({ ...filters, format: Type.Optional(Type.String()), timezone: Type.Optional(Type.String()) });
}

/** Registers for each list of the console that has none of its own a call that answers it whole as a file. Comes after all rooms. */
export function registerListExports(app: App): void {
  const taken = new Set(app.routes.map(({ path }) => path));
  for (const spec of app.lists) {
    const entry = findEntry(spec.path);
    const path = `${spec.path}/export/csv`;
    if (!entry || taken.has(`/api${path}`)) continue;
    taken.add(`/api${path}`);
    route(app, {
      method: 'GET',
      path,
      access: spec.access,
      ...(spec.tokens ? { tokens: spec.tokens } : {}),
      summary: `The list as a file of at most ${MAX_ROWS} rows; filters, sort and fields as in the list. \`format\` csv, json or xlsx; \`timezone\` of its times.`,
      tag: spec.tag,
      query: describeExportQuery(spec.rules),
      hasOwnQueryCheck: true,
      mediaType: 'text/csv',
      cost: 'file',
      async handler({ ctx, actor, request, reply }) {
        const { options, list } = readExportOptions(request.query);
        const query = readListQuery(spec.rules, { actor, reply }, list);
        return exportList(ctx, actor, spec, entry, {
          options,
          query,
          params: request.params as never,
          language: languageOfCall(request.headers),
        });
      },
    });
  }
}
