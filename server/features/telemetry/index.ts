import { ok } from '../../kernel/answer.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { deafPeriods, withoutDeafness } from '../../domain/devices/hearing.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { moment, momentOf } from '../../kernel/moments.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { exportHistory } from './export-history.ts';
import { readDataUsage } from './data-usage.ts';
import { PARAMETERS, readChanges, readDatetimes, readMoment, type Parameter } from './history.ts';
import { readInformation } from './information.ts';
import { periodOf, periodQuery, type Period } from './period.ts';
import { readPinChanges, readPositions } from './positions.ts';
import { readTrends } from './trends.ts';
import { readUsual } from './usual-bands.ts';
import { isCounter, readSeries, readStates, unitOf } from './series.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';

const access = { permission: 'view_devices' } as const;
const tag = 'device graph';
const MOST_METRICS = 32;
const DEFAULT_POINTS = 600;
const EXPORTS_PER_MINUTE = 20;
const NAMES = `^[a-z0-9_]{1,48}(,[a-z0-9_]{1,48}){0,${MOST_METRICS - 1}}$`;
const TYPES = ['dynamic', 'io', 'gps'] as const;
type InformationType = (typeof TYPES)[number];
const names = Type.Optional(Type.String({ pattern: NAMES }));

const namesIn = (text: string | undefined): string[] => [...new Set((text ?? '').split(',').filter(Boolean))];

/** What a device was at past moments, and when it changed. */
function registerHistory(app: App): void {
  const tag = 'information history';
  route(app, {
    method: 'GET',
    path: '/devices/:id/information-history',
    access,
    summary: 'What a device had reported by a past moment (UTC); by now without one.',
    tag,
    params: idParams,
    query: Type.Object({ datetime: moment }),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok([await readMoment(ctx, device, query.datetime === undefined ? ctx.clock.now() : momentOf(query.datetime))]);
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/information-history/parameter',
    access,
    summary: 'When a parameter of a device, or any text without one, changed in the 30 days up to a moment (UTC), newest first.',
    tag,
    params: idParams,
    query: Type.Object({ datetime: moment, parameter: Type.Optional(Type.Unsafe<Parameter>({ type: 'string', enum: PARAMETERS })) }),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      const until = query.datetime === undefined ? ctx.clock.now() : momentOf(query.datetime);
      const changes = await readChanges(ctx, device, { parameter: query.parameter, until });
      return ok(changes, { total: changes.length });
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/information-history/datetimes',
    access,
    summary: 'The days of the last 30 on which something of a device changed, each with the times (UTC).',
    tag,
    params: idParams,
    cost: 'figures',
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readDatetimes(ctx, device));
    },
  });
  formRoute(
    app,
    'devices/export-history',
    async ({ ctx, actor, params, body }) => exportHistory(ctx, await requireDevice(ctx.reads, actor, params.id), body),
    { ratePerMinute: EXPORTS_PER_MINUTE, cost: 'file', mediaType: 'text/csv' },
  );
}

/** The telemetry room: how devices were. */
export function registerTelemetry(app: App): void {
  route(app, {
    method: 'GET',
    path: '/devices/:id/metrics',
    access,
    summary: 'The numbers that a device has reported, each with its unit.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      const rows = await ctx.reads
        .selectFrom('device_metrics')
        .select('metric')
        .where('device_id', '=', device.id)
        .orderBy('metric')
        .execute();
      return ok(rows.map(({ metric }) => ({ name: metric, unit: unitOf(metric), kind: isCounter(metric) ? 'counter' : 'number' })));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/series',
    access,
    summary: 'Numbers and texts of a device over a period: points of [Unix seconds, average, lowest, highest], spans of [from, to, value].',
    tag,
    params: idParams,
    query: Type.Object({
      metrics: names,
      states: names,
      points: Type.Optional(Type.Integer({ minimum: 10, maximum: 2000 })),
      ...periodQuery,
    }),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      const period = periodOf(ctx.clock.now(), query);
      const { metrics, states, points = DEFAULT_POINTS } = query;
      const numbers = await readSeries(ctx, device.id, { metrics: namesIn(metrics), period, points });
      const texts = await readStates(ctx, device.id, namesIn(states), period);
      return ok({ start: period.start / SECOND, end: period.end / SECOND, ...numbers, states: texts });
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/usual',
    access,
    summary:
      'What numbers of a device usually are at each hour of a period of at most 31 days, by the 28 days before: [Unix seconds, low, high].',
    tag,
    params: idParams,
    query: Type.Object({ metrics: names, ...periodQuery }),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readUsual(ctx, device.id, namesIn(query.metrics), periodOf(ctx.clock.now(), query)));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/trends',
    access,
    summary: 'The last 24 hours of up to 100 devices by the hour: average signal (dBm) and share of the time online (percent).',
    tag,
    query: Type.Object({ id: Type.String({ pattern: '^[1-9]\\d{0,9}(,[1-9]\\d{0,9}){0,99}$' }) }),
    cost: 'figures',
    handler: async ({ ctx, actor, query }) => ok(await readTrends(ctx, actor, [...new Set(query.id.split(',').map(Number))])),
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/presence',
    access,
    summary: 'When a device was online in a period, and the share of the time.',
    tag,
    params: idParams,
    query: Type.Object(periodQuery),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readPresence(ctx, device, periodOf(ctx.clock.now(), query)));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/data-usage',
    access,
    summary: 'Bytes sent and received by day, modem and SIM; the last 30 days by default.',
    tag: 'data usage',
    params: idParams,
    query: Type.Object(periodQuery),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      const { start, end } = periodOf(ctx.clock.now(), query, 30 * DAY);
      return ok(await readDataUsage(ctx, device.id, { start: start - (start % DAY), end }));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/information/:type',
    access,
    summary: 'What a device reported over a period, moment by moment; `io`: its inputs and outputs when they changed, `gps`: where it was.',
    tag,
    params: Type.Object({ id: idParams.properties.id, type: Type.Unsafe<InformationType>({ type: 'string', enum: TYPES }) }),
    query: Type.Object(periodQuery),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      const period = periodOf(ctx.clock.now(), query);
      if (params.type === 'io') return ok(await readPinChanges(ctx, device.id, period));
      return ok(params.type === 'gps' ? await readPositions(ctx, device.id, period) : await readInformation(ctx, device.id, period));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/locations/history',
    access,
    summary: 'Where a device was in a period, each time that it had moved; the last day by default.',
    tag: 'device locations',
    params: idParams,
    query: Type.Object(periodQuery),
    cost: 'figures',
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readPositions(ctx, device.id, periodOf(ctx.clock.now(), query)));
    },
  });
  registerHistory(app);
}

const ONLINE = '1';

/** When a device was online in a period: spans in Unix seconds, without the times in which no device could be heard, and the share of the time that is known. `null` while nothing is known. */
export async function readPresence(
  ctx: Context,
  device: Pick<Row<'devices'>, 'id' | 'status' | 'status_changed_at'>,
  period: Period,
): Promise<{ spans: { from: number; to: number; is_online: boolean }[]; online_percent: number | null }> {
  const [states] = await readStates(ctx, device.id, ['status'], period);
  const stored = (states?.spans ?? []).map(([from, to, value]) => ({ from, to, is_online: value === ONLINE }));
  const last = Math.min(period.end, ctx.clock.now()) / SECOND;
  // Before the first change that is kept, the status is as it was changed last.
  if (stored.length === 0 && device.status !== null && (device.status_changed_at ?? 0) < period.end) {
    const from = Math.max(period.start, device.status_changed_at ?? period.start) / SECOND;
    if (from < last) stored.push({ from, to: last, is_online: device.status === 1 });
  }
  const deaf = (await deafPeriods(ctx.reads, period, ctx.clock.now())).map((gap) => ({ from: gap.from / SECOND, to: gap.to / SECOND }));
  const spans = withoutDeafness(stored, deaf);
  const known = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const online = spans.reduce((sum, { from, to, is_online }) => sum + (is_online ? to - from : 0), 0);
  return { spans, online_percent: known > 0 ? (online * 100) / known : null };
}
