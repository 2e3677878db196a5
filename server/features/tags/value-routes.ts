import { ok } from '../../kernel/answer.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { findExtremes, PARAMETERS, readSeries } from './values.ts';

const access = { permission: 'view_devices' } as const;
// 2026-03-01 or 2026-03-01 12:30:00
const moment = Type.Optional(Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])( ([01]\\d|2[0-3])(:[0-5]\\d){2})?$' }));
const query = Type.Object({
  parameter: Type.Optional(Type.Unsafe<(typeof PARAMETERS)[number]>({ type: 'string', enum: PARAMETERS })),
  start_date: moment,
  end_date: moment,
});

/** Registers what the devices of a tag read over time. */
export function registerTagValues(app: App): void {
  for (const path of ['/devices/tags/:id/data', '/devices/tags/:id/group/data']) {
    route(app, {
      method: 'GET',
      path,
      access,
      summary: 'The highest and the lowest reading of the devices of a tag in a period, the last day unless told.',
      tag: 'tags',
      params: idParams,
      query,
      handler: async ({ ctx, actor, params, query: asked }) => ok(await findExtremes(ctx, actor, params.id, asked)),
    });
  }
  route(app, {
    method: 'GET',
    path: '/tags/:id/series',
    access,
    summary: 'Readings of the devices of a tag over a period, in steps: lowest, highest and average of each.',
    tag: 'tags',
    params: idParams,
    query,
    handler: async ({ ctx, actor, params, query: asked }) => ok(await readSeries(ctx, actor, params.id, asked)),
  });
}
