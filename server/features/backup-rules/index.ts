import { created, ok } from '../../kernel/answer.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { periodicBackupKind } from './backup-kind.ts';
import { addRule, editRule, getRule, listRules, removeRule } from './rules.ts';
import { runDueRules } from './run-due.ts';

const access = { permission: 'view_device_updates' } as const;
const tag = 'backup rules';

/** Runs due rules, from the start to the stop of the server. */
function runInBackground({ ctx, fastify }: App): void {
  let stop: (() => void) | undefined;
  let running = Promise.resolve();
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(MINUTE, () => (running = runDueRules(ctx)));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await running.catch(() => undefined);
  });
}

/** Registers the room of the rules for periodic backups. */
export function registerBackupRules(app: App): void {
  app.ctx.jobs.register(periodicBackupKind);
  runInBackground(app);
  listRoute(app, {
    path: '/backup-rules',
    access,
    summary: 'Rules for periodic backups.',
    tag,
    rules: listRulesOf('backup-rules', { sorts: ['id'] }),
    list: (ctx, actor, query) => listRules(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/backup-rules/:id',
    access,
    summary: 'One rule for periodic backups.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getRule(ctx, actor, params.id)),
  });
  formRoute(app, 'backup-rules/new', async ({ ctx, actor, origin, body }) => {
    const id = await addRule(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'backup-rules/edit', async ({ ctx, actor, origin, params, body }) => {
    await editRule(ctx, { actor, origin }, params.id, body);
    return ok(await getRule(ctx, actor, params.id));
  });
  formRoute(app, 'backup-rules/remove', async ({ ctx, actor, origin, params }) => {
    await removeRule(ctx, { actor, origin }, params.id);
    return ok();
  });
}
