import { listRoute } from '../../kernel/list-route.ts';
import { inOrderOf } from '../../kernel/apply-list-query.ts';
import type { App } from '../../kernel/route.ts';
import { deviceRules } from './columns.ts';
import { findPage } from './find-page.ts';
import { presentDevices } from './repo.ts';

/** Registers the devices room. */
export function registerDevices(app: App): void {
  listRoute(app, {
    path: '/devices',
    access: { permission: 'view_devices' },
    summary: 'Devices of the companies that the caller sees.',
    tag: 'devices',
    rules: deviceRules,
    async list(ctx, actor, query) {
      const { ids, total } = await findPage(ctx, actor, query);
      const rows = ids.length === 0 ? [] : await ctx.reads.selectFrom('devices').selectAll().where('id', 'in', ids).execute();
      return { rows: await presentDevices(ctx.reads, actor, inOrderOf(ids, rows)), total };
    },
  });
}
