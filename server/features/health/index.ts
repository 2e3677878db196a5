import { FAIR_FROM, GOOD_FROM, HEALTH_PARTS, HEALTH_WEIGHTS } from '../../../schemas/kit/devices/health.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { isVisible, pathEnd, requireCompany } from '../../kernel/tenancy.ts';
import { computeHealth, measureHealth } from './measure.ts';

const access = { permission: 'view_devices' } as const;
const tag = 'health';
const MOST_SHOWN = 5;

async function getHealth(ctx: Context, actor: Actor, id: number) {
  const device = await requireDevice(ctx.reads, actor, id);
  const health = (await measureHealth(ctx, [device.id])).get(device.id);
  return {
    id,
    score: health?.score ?? null,
    parts: HEALTH_PARTS.map((part) => {
      const value = health?.readings[part] ?? null;
      return {
        part,
        weight: HEALTH_WEIGHTS[part],
        score: health?.scores[part] ?? null,
        value: typeof value === 'number' ? Math.round(value * 10) / 10 : value,
      };
    }),
  };
}

/** The health of the devices of a company and all below it, as computed last. Throws NOT_FOUND. */
async function getCompanyHealth(ctx: Context, actor: Actor, id: number) {
  const { path } = await requireCompany(ctx.reads, actor, id);
  const devices = ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .leftJoin('device_health as h', 'h.device_id', 'devices.id')
    .where(isVisible(actor, 'devices'))
    .where('companies.path', '>=', path)
    .where('companies.path', '<', pathEnd(path));
  const sums = await devices
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('devices_count'),
      fn.count<number>('h.score').as('rated_count'),
      fn.avg<number | null>('h.score').as('score'),
      fn.sum<number | null>(eb.case().when('h.score', '>=', GOOD_FROM).then(1).else(0).end()).as('good'),
      fn.sum<number | null>(eb.case().when('h.score', '<', FAIR_FROM).then(1).else(0).end()).as('poor'),
      ...HEALTH_PARTS.flatMap((part) => [
        fn.avg<number | null>(`h.${part}`).as(`${part}_score` as const),
        fn.count<number>(`h.${part}`).as(`${part}_count` as const),
      ]),
    ])
    .executeTakeFirstOrThrow();
  const worst = await devices
    .select(['devices.id', 'devices.name', 'h.score'])
    .where('h.score', '<', GOOD_FROM)
    .orderBy('h.score')
    .orderBy('devices.id')
    .limit(MOST_SHOWN)
    .execute();
  const round = (value: number | null): number | null => (value === null ? null : Math.round(Number(value)));
  const [all, rated, good, poor] = [sums.devices_count, sums.rated_count, sums.good ?? 0, sums.poor ?? 0].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return {
    id,
    score: round(sums.score),
    devices_count: all,
    levels: { good, fair: rated - good - poor, poor, unknown: all - rated },
    parts: HEALTH_PARTS.map((part) => ({
      part,
      weight: HEALTH_WEIGHTS[part],
      score: round(sums[`${part}_score`]),
      devices_count: Number(sums[`${part}_count`]),
    })),
    worst,
  };
}

/** Registers how healthy devices and companies are: one number with its parts. */
export function registerHealth(app: App): void {
  const { ctx, fastify } = app;
  route(app, {
    method: 'GET',
    path: '/devices/:id/health',
    access,
    summary:
      'The health of a device as it is now: a score of 0 to 100 with its parts, their weights and what was measured; null where nothing is known.',
    tag,
    params: idParams,
    handler: async ({ ctx: context, actor, params }) => ok(await getHealth(context, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/companies/:id/health',
    access,
    summary:
      'The health of the devices of a company and all below it, as computed within the last hour: average, groups, parts and the worst ones.',
    tag,
    params: idParams,
    handler: async ({ ctx: context, actor, params }) => ok(await getCompanyHealth(context, actor, params.id)),
  });
  let stops: (() => void)[] = [];
  fastify.addHook('onReady', async () => {
    stops = [ctx.clock.after(MINUTE, () => computeHealth(ctx)), ctx.clock.every(HOUR, () => computeHealth(ctx))];
  });
  fastify.addHook('onClose', async () => stops.forEach((stop) => stop()));
}
