import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { ok, partial, type Answer } from '../../kernel/answer.ts';
import { HOUR } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { listRemoved } from './bin-repo.ts';
import { deleteForGood, purgeBin, restoreDevices } from './bin.ts';

const MOST_AT_ONCE = 100;
const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const body = Type.Object(
  { device_id: Type.Array(id, { minItems: 1, maxItems: MOST_AT_ONCE, uniqueItems: true }) },
  { additionalProperties: false },
);

async function restoreEach(ctx: Context, caller: Caller, ids: readonly number[]): Promise<Answer> {
  const restored: { id: number }[] = [];
  const errors: ErrorItem[] = [];
  for (const [index, one] of ids.entries()) {
    try {
      await restoreDevices(ctx, caller, [one]);
      restored.push({ id: one });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(...error.items.map((item) => ({ ...item, source: `device_id.${index}` })));
    }
  }
  return errors.length === 0 ? ok(restored) : partial(restored, errors);
}

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
  route(app, {
    method: 'POST',
    path: '/devices/restore',
    access: { permission: 'delete_devices' },
    summary: 'Restores several devices, each for itself. 207: some of them.',
    tag: 'devices',
    body,
    handler: ({ ctx, actor, origin, body: { device_id } }) => restoreEach(ctx, { actor, origin }, device_id),
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
