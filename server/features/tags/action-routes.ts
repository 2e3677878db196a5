import { created, ok } from '../../kernel/answer.ts';
import { SECOND } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { addAction, listActions, removeAction } from './actions.ts';
import { listRuns } from './runs-repo.ts';
import { startDueRuns } from './start-runs.ts';

const LOOK_EVERY_MS = 5 * SECOND;
const access = { permission: 'view_device_actions' } as const;

/** Runs due actions, from the start to the stop of the server. */
function runInBackground({ ctx, fastify }: App): void {
  let stop: (() => void) | undefined;
  let running = Promise.resolve();
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(LOOK_EVERY_MS, () => (running = startDueRuns(ctx)));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await running.catch(() => undefined);
  });
}

/** Registers what tags do to the devices that get them, and the log of it. */
export function registerTagActions(app: App): void {
  runInBackground(app);
  route(app, {
    method: 'GET',
    path: '/tags/:id/actions',
    access,
    summary: 'What a tag does to the devices that get it.',
    tag: 'tags',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await listActions(ctx, actor, params.id)),
  });
  formRoute(app, 'tags/new-action', async ({ ctx, actor, origin, params, body }) =>
    created({ id: await addAction(ctx, { actor, origin }, params.id, body) }),
  );
  formRoute(app, 'tags/remove-action', async ({ ctx, actor, origin, params }) => {
    await removeAction(ctx, { actor, origin }, params.id);
    return ok();
  });
  listRoute(app, {
    path: '/devices/actions/logs',
    access,
    summary: 'What tags did to devices.',
    tag: 'tags',
    rules: listRulesOf('tag-runs', { sorts: ['id'] }),
    list: (ctx, actor, query) => listRuns(ctx.reads, actor, query),
  });
}
