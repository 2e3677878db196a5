import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { findExtremes, readingsQuery, readSeries, type Source } from '../../domain/devices/readings.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { listDays, listTraffic } from './days.ts';
import { isBelow } from './subtree.ts';

const ofDevices = { permission: 'view_devices' } as const;

/** The devices of a company and all below it. Throws NOT_FOUND. */
async function devicesOf(ctx: Context, actor: Actor, id: number): Promise<Source> {
  const { path } = await requireCompany(ctx.reads, actor, id);
  return {
    from: sql`companies inner join devices on devices.company_id = companies.id`,
    where: sql`${isBelow('companies.path', path)}`,
  };
}

/** Registers what a company and all below it had over time: devices and members, data used, readings. */
export function registerCompanyFigures(app: App): void {
  route(app, {
    method: 'GET',
    path: '/companies/:id/days',
    access: { permission: 'view_companies' },
    summary: 'Devices, devices online and members of a company and all below it, by day.',
    tag: 'companies',
    params: idParams,
    cost: 'figures',
    handler: async ({ ctx, actor, params }) => ok(await listDays(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/companies/:id/traffic',
    access: ofDevices,
    summary: 'Bytes that devices of a company and all below it sent and received, by day.',
    tag: 'companies',
    params: idParams,
    cost: 'figures',
    handler: async ({ ctx, actor, params }) => ok(await listTraffic(ctx, actor, params.id)),
  });
  for (const path of ['/devices/companies/:id/data', '/devices/companies/:id/group/data'] as const) {
    route(app, {
      method: 'GET',
      path,
      access: ofDevices,
      summary: 'The highest and the lowest reading of the devices of a company and all below it in a period, the last day by default.',
      tag: 'companies',
      params: idParams,
      query: readingsQuery,
      cost: 'figures',
      handler: async ({ ctx, actor, params, query }) => ok(await findExtremes(ctx, actor, await devicesOf(ctx, actor, params.id), query)),
    });
  }
  route(app, {
    method: 'GET',
    path: '/companies/:id/series',
    access: ofDevices,
    summary: 'Readings of the devices of a company and all below it over a period, in steps: lowest, highest and average of each.',
    tag: 'companies',
    params: idParams,
    query: readingsQuery,
    cost: 'figures',
    handler: async ({ ctx, actor, params, query }) => ok(await readSeries(ctx, actor, await devicesOf(ctx, actor, params.id), query)),
  });
}
