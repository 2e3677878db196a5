import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { findExtremes, readingsQuery, readSeries, type Source } from '../../domain/devices/readings.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { getTag } from './service.ts';

const access = { permission: 'view_devices' } as const;

/** The devices that carry a tag. Throws NOT_FOUND. */
async function carriersOf(ctx: Context, actor: Actor, tagId: number): Promise<Source> {
  await getTag(ctx, actor, tagId);
  return {
    from: sql`device_tags inner join devices on devices.id = device_tags.device_id`,
    where: sql`device_tags.tag_id = ${tagId}`,
  };
}

/** Registers what the devices of a tag read over time. */
export function registerTagValues(app: App): void {
  for (const path of ['/devices/tags/:id/data', '/devices/tags/:id/group/data'] as const) {
    route(app, {
      method: 'GET',
      path,
      access,
      summary: 'The highest and the lowest reading of the devices of a tag in a period, the last day by default.',
      tag: 'tags',
      params: idParams,
      query: readingsQuery,
      cost: 'figures',
      handler: async ({ ctx, actor, params, query }) => ok(await findExtremes(ctx, actor, await carriersOf(ctx, actor, params.id), query)),
    });
  }
  route(app, {
    method: 'GET',
    path: '/tags/:id/series',
    access,
    summary: 'Readings of the devices of a tag over a period, in steps: lowest, highest and average of each.',
    tag: 'tags',
    params: idParams,
    query: readingsQuery,
    cost: 'figures',
    handler: async ({ ctx, actor, params, query }) => ok(await readSeries(ctx, actor, await carriersOf(ctx, actor, params.id), query)),
  });
}
