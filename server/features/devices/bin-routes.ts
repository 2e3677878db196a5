import { ok } from '../../kernel/answer.ts';
import { HOUR } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import type { App } from '../../kernel/route.ts';
import { listRemoved } from './bin-repo.ts';
import { deleteForGood, purgeBin, restoreDevices } from './bin.ts';

/** Registers the bin of devices: what is in it, bringing one back, and deleting one for good. */
export function registerBin(app: App): void {
  const { ctx, fastify } = app;
  listRoute(app, {
    path: '/devices/removed',
    access: { permission: 'delete_devices' },
    summary: 'Devices that were removed, and whether they can be restored.',
    tag: 'devices',
    rules: listRulesOf('removed-devices', { isSearchable: true }),
    list: (ctx, actor, query) => listRemoved(ctx.reads, actor, query),
  });
  formRoute(app, 'devices/restore', async ({ ctx, actor, origin, params }) => {
    await restoreDevices(ctx, { actor, origin }, [params.id]);
    return ok({ id: params.id });
  });
  formRoute(app, 'devices/purge', async ({ ctx, actor, origin, params }) => {
    await deleteForGood(ctx, { actor, origin }, params.id);
    return ok();
  });
  let stop = (): void => undefined;
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(HOUR, () => purgeBin(ctx));
  });
  fastify.addHook('onClose', async () => stop());
}
