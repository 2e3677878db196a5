import { ok } from '../../kernel/answer.ts';
import { InvalidFields, NotFound, UnknownField } from '../../kernel/errors.ts';
import { exportAnswer, readExportOptions } from '../../kernel/export-answer.ts';
import { idParams } from '../../kernel/ids.ts';
import { readListQuery, visibleFields, type ListQuery, type ListRules } from '../../kernel/list-query.ts';
import { listRoute, pickFields, rulesWith } from '../../kernel/list-route.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { route, type App, type Call } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import type { Actor } from '../../kernel/actor.ts';
import { deviceRules } from './columns.ts';
import { documentDevices, documentedFields } from './documented.ts';
import { documentedTypes } from './documented-types.ts';
import { deviceFile } from './export.ts';
import { findDevice, findDeviceRows, presentDevices } from './repo.ts';
import { readAvailability } from './availability.ts';
import { findPage } from './match.ts';
import { HIGHEST_ZOOM, readLocation, readMap } from './map.ts';
import { CHARTS, CONSOLE_CHARTS, countFacets, countValuesOf, type Chart } from './statistics.ts';
import { compareTexts, includesText } from '../../../schemas/kit/text/text-order.ts';

const access = { permission: 'view_devices' } as const;

const programRules = rulesWith(deviceRules, documentedFields);
const text = Type.Optional(Type.String());

/** More devices than there can be. */
const MAX_PART = 2 ** 31 - 1;

type RawQuery = Record<string, unknown>;

/** Checks the query of a call over all matching devices: a list's, without a page. */
function readWholeQuery({ actor, reply }: Pick<Call<unknown, unknown, unknown>, 'reply'> & { actor: Actor }, query: unknown): ListQuery {
  const raw = query as RawQuery;
  const page = ['limit', 'offset', 'fields_only'].find((name) => name in raw);
  if (page !== undefined && !isProgram(actor)) throw new UnknownField({ field: page }, { source: page });
  return readListQuery(deviceRules, { actor, reply }, raw);
}

/** The part of all rows that a program wants in a file; other files have all. */
function readPart({ limit, offset }: RawQuery): { limit: number; offset: number } | undefined {
  return limit === undefined && offset === undefined ? undefined : { limit: Number(limit ?? MAX_PART), offset: Number(offset ?? 0) };
}

function readNumber(source: string, value: unknown, [min, max]: readonly [number, number]): number {
  const number = typeof value === 'string' && /^\d{1,3}(\.\d{1,3})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new InvalidFields([{ source, message: `Use a number from ${min} to ${max}.`, params: { min, max } }]);
  return number;
}

/** The charts that a call names, as a list or as one text; without any those that the console shows, and all of them for programs. Throws INVALID_FIELD. */
function readCharts(value: unknown, actor: Actor): readonly Chart[] {
  const names = [value ?? []].flat().flatMap((name) => String(name).split(','));
  const charts = CHARTS.filter((chart) => names.includes(chart));
  if (names.some((name) => !CHARTS.some((chart) => chart === name)))
    throw new InvalidFields([{ source: 'charts', message: 'This value cannot be used.' }]);
  if (charts.length > 0) return charts;
  return isProgram(actor) ? CHARTS : CONSOLE_CHARTS;
}

function registerList(app: App): void {
  listRoute(app, {
    path: '/devices',
    access,
    summary: 'Devices of the companies that the caller sees.',
    tag: 'devices',
    rules: deviceRules,
    documented: { fields: documentedFields, types: documentedTypes, extend: documentDevices },
    async list(ctx, actor, query) {
      const { ids, total } = await findPage(ctx, actor, query);
      return { rows: await presentDevices(ctx, actor, await findDeviceRows(ctx, ids)), total };
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id',
    access,
    summary: 'One device, with all that the caller may read of it or the `fields` that are named.',
    tag: 'devices',
    params: idParams,
    query: Type.Object({ fields: text, fields_only: text }),
    programs: { types: documentedTypes },
    async handler({ ctx, actor, params, query, reply }) {
      const rules = isProgram(actor) ? programRules : deviceRules;
      const allowed = visibleFields(rules, actor);
      const row = await findDevice(ctx.reads, actor, params.id);
      const [device] = row ? await presentDevices(ctx, actor, [row]) : [];
      if (!device) throw new NotFound({});
      if (query.fields_only !== undefined) return ok(allowed);
      const fields = readListQuery(rules, { actor, reply }, { fields: query.fields }).fields ?? allowed;
      const [record = device] = isProgram(actor) ? await documentDevices(ctx, actor, [device]) : [];
      return ok(pickFields(record, fields));
    },
  });
}

function registerWhole(app: App): void {
  route(app, {
    method: 'GET',
    path: '/devices/statistics',
    access,
    summary: `How many devices there are of each kind (\`charts\`, separated by commas: ${CHARTS.join(', ')}); filters as in the list; with \`alternatives=1\` each chart leaves out the filter of its own.`,
    tag: 'devices',
    hasOwnQueryCheck: true,
    async handler({ ctx, actor, request, reply }) {
      const { charts, alternatives, ...list } = request.query as RawQuery;
      const keepsAlternatives = alternatives === '1';
      return ok(await countFacets(ctx, actor, readWholeQuery({ actor, reply }, list), readCharts(charts, actor), { keepsAlternatives }));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/availability',
    access,
    summary:
      'How long devices were online over the last `days` (1 to 90), against a `target` in percent, and the `count` (0 to 50) lowest ones; filters as in the list.',
    tag: 'devices',
    hasOwnQueryCheck: true,
    cost: 'figures',
    async handler({ ctx, actor, request, reply }) {
      const { days, target, count, ...list } = request.query as RawQuery;
      const wanted = {
        days: readNumber('days', days ?? '30', [1, 90]),
        target: readNumber('target', target ?? '99.5', [0, 100]),
        count: readNumber('count', count ?? '10', [0, 50]),
      };
      return ok(await readAvailability(ctx, actor, readWholeQuery({ actor, reply }, list), wanted));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/export/csv',
    access,
    summary:
      'Devices as a file; filters, sort and fields as in the list. `format` csv, json or xlsx; `timezone` of its times; `bom=1` for spreadsheets that want one in CSV.',
    cost: 'file',
    mediaType: 'text/csv',
    tag: 'devices',
    hasOwnQueryCheck: true,
    async handler({ ctx, actor, request, reply }) {
      const { options, list } = readExportOptions(request.query);
      const query = readWholeQuery({ actor, reply }, list);
      const fields = query.fields ?? visibleFields(deviceRules, actor).filter((field) => field !== 'company_path');
      const file = await deviceFile(ctx, actor, query, fields, isProgram(actor) ? readPart(list) : undefined);
      return exportAnswer(ctx, { name: 'devices', ...file, options });
    },
  });
}

function registerMap(app: App): void {
  route(app, {
    method: 'GET',
    path: '/devices/map',
    access,
    summary: `Devices as marks of a map at a \`zoom\` of 0 to ${HIGHEST_ZOOM}, those that lie together as one; filters as in the list, \`area\` the rectangle that is shown.`,
    tag: 'device locations',
    hasOwnQueryCheck: true,
    async handler({ ctx, actor, request, reply }) {
      const { zoom, ...list } = request.query as RawQuery;
      if (typeof zoom !== 'string' || !/^\d{1,2}$/.test(zoom) || Number(zoom) > HIGHEST_ZOOM)
        throw new InvalidFields([
          { source: 'zoom', message: `Use a whole number from 0 to ${HIGHEST_ZOOM}.`, params: { min: 0, max: HIGHEST_ZOOM } },
        ]);
      return ok(await readMap(ctx, actor, readWholeQuery({ actor, reply }, list), Number(zoom)));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/location',
    access,
    summary: 'Where a device is, from whom that is known (`user`, `gps`, `site`, `cell`), and from when it is there.',
    tag: 'device locations',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await readLocation(ctx, actor, params.id)),
  });
}

const VALUES = { models: 'model', firmwares: 'firmware', operators: 'operator', 'modem-models': 'modem_model' } as const;
const VALUE_LISTS = ['models', 'firmwares', 'operators', 'modem-models'] as const satisfies (keyof typeof VALUES)[];

/** What a list of distinct values may be asked for. */
function valueRules(name: string): ListRules {
  return {
    sorts: new Set([name, 'devices_count']),
    filters: new Map(),
    fields: new Map([
      [name, undefined],
      ['devices_count', undefined],
    ]),
    defaultSort: { key: name, isDescending: false },
    isSearchable: true,
  };
}

interface ValueRow {
  value: string;
  count: number;
}

function compareBy(sort: ListQuery['sort']): (a: ValueRow, b: ValueRow) => number {
  const [first] = sort;
  const sign = first?.isDescending ? -1 : 1;
  const byName = (a: ValueRow, b: ValueRow): number => compareTexts(a.value, b.value);
  if (first?.key === 'devices_count') return (a, b) => sign * (a.count - b.count) || byName(a, b);
  return (a, b) => sign * byName(a, b);
}

/** The choices for filters by what devices report: models, firmwares, operators of the devices that the caller sees. */
function registerValues(app: App): void {
  for (const path of VALUE_LISTS) {
    const name = VALUES[path];
    listRoute(app, {
      path: `/devices/${path}`,
      access,
      summary: `Distinct values of ${name}, with the number of devices.`,
      tag: 'devices',
      rules: valueRules(name),
      async list(ctx, actor, query) {
        const matching = (await countValuesOf(ctx, actor, name)).filter(({ value }) => includesText(value, query.q ?? ''));
        const page = matching.sort(compareBy(query.sort)).slice(query.offset, query.offset + query.limit);
        return { rows: page.map(({ value, count }) => ({ [name]: value, devices_count: count })), total: matching.length };
      },
    });
  }
}

/** Registers what only reads: list, one, statistics, export, choices. */
export function registerDeviceReads(app: App): void {
  registerList(app);
  registerWhole(app);
  registerMap(app);
  registerValues(app);
}
