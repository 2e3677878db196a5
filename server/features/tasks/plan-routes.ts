import { created, ok } from '../../kernel/answer.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { addPlan, editPlan, getPlan, listPlans, removePlan } from './plans.ts';
import { runDuePlans } from './run-due.ts';

const access = { permission: 'view_device_task_groups' } as const;
const tag = 'device task plans';

/** Runs due plans, from the start to the stop of the server. */
function runInBackground({ ctx, fastify }: App): void {
  let stop: (() => void) | undefined;
  let running = Promise.resolve();
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(MINUTE, () => (running = runDuePlans(ctx)));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await running.catch(() => undefined);
  });
}

/** Registers the plans by which task lists run by themselves. */
export function registerTaskPlans(app: App): void {
  runInBackground(app);
  listRoute(app, {
    path: '/task-plans',
    access,
    summary: 'Plans by which task lists run by themselves.',
    tag,
    rules: listRulesOf('task-plans', { sorts: ['id'] }),
    list: (ctx, actor, query) => listPlans(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/task-plans/:id',
    access,
    summary: 'One plan of a task list.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getPlan(ctx, actor, params.id)),
  });
  formRoute(app, 'task-plans/new', async ({ ctx, actor, origin, body }) => {
    const id = await addPlan(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'task-plans/edit', async ({ ctx, actor, origin, params, body }) => {
    await editPlan(ctx, { actor, origin }, params.id, body);
    return ok(await getPlan(ctx, actor, params.id));
  });
  formRoute(app, 'task-plans/remove', async ({ ctx, actor, origin, params }) => {
    await removePlan(ctx, { actor, origin }, params.id);
    return ok();
  });
}
