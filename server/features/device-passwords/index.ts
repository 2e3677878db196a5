import type { Context } from '../../context.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { created, ok, stream, type Answer } from '../../kernel/answer.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { findFactors } from '../../kernel/auth/second-factors.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { registerPasswordChanges } from './change-routes.ts';
import { listJobDevices } from './job-devices.ts';
import { expireLists, listPasswordLists, takeList } from './lists.ts';
import { passwordKind } from './password-kind.ts';
import { addPlan, editPlan, getPlan, listPlans, removePlan } from './plans.ts';
import { forgetPasswords, runDuePlans } from './run-due.ts';
import { listLooks, listVault, lookAt } from './vault.ts';

const viewing = { permission: 'view_device_passwords' } as const;
const changing = { permission: 'execute_device_passwords' } as const;
const tag = 'device passwords';
const PERIOD_MS = 5 * MINUTE;

/** Starts what is due and forgets what is over, from the start to the stop of the server. */
function runInBackground({ ctx, fastify }: App): void {
  let stop: (() => void) | undefined;
  let running = Promise.resolve();
  const sweep = async (): Promise<void> => {
    await runDuePlans(ctx);
    await expireLists(ctx);
    await forgetPasswords(ctx);
  };
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(PERIOD_MS, () => (running = sweep()));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await running.catch(() => undefined);
  });
}

async function answerWithList(call: { ctx: Context; actor: Actor; origin: Origin; params: { id: number } }): Promise<Answer> {
  return stream(await takeList(call.ctx, call, call.params.id), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="passwords-${call.params.id}.csv"`,
    'cache-control': 'no-store',
  });
}

/** A program of somebody with a second factor would go past it; programs of their own have none. */
async function assertMayTake(ctx: Context, actor: Actor): Promise<void> {
  if (await findFactors(ctx.reads, actor.userId)) throw new SessionRequired({});
}

function registerLists(app: App): void {
  listRoute(app, {
    path: '/devices/passwords/generated/tasks',
    access: changing,
    summary: 'Lists of new passwords, each to be downloaded once by who started its job.',
    tag,
    rules: listRulesOf('password-lists', { sorts: ['id'] }),
    list: (ctx, actor, query) => listPasswordLists(ctx.reads, actor, query),
    documented: {
      fields: [],
      types: { id: { type: 'string' } },
      extend: async (_ctx, _actor, rows) => rows.map((list) => ({ ...list, id: String(list.id) })),
    },
  });
  formRoute(app, 'password-lists/download', answerWithList, { proof: 'sudo', mediaType: 'text/csv' });
  route(app, {
    method: 'GET',
    path: '/tasks/:id/download/passwords',
    access: changing,
    summary: 'The same for programs, whose users have no second factor.',
    mediaType: 'text/csv',
    tag,
    params: idParams,
    onlyInPerson: true,
    forPrograms: true,
    async handler(call) {
      await assertMayTake(call.ctx, call.actor);
      return answerWithList(call);
    },
  });
  route(app, {
    method: 'GET',
    path: '/tasks/:id/devices',
    access: changing,
    summary: 'The devices of a job that changed passwords, and what became of each.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await listJobDevices(ctx, actor, params.id)),
  });
}

function registerVault(app: App): void {
  listRoute(app, {
    path: '/devices/passwords',
    access: viewing,
    summary: 'Users of devices whose passwords are in the vault.',
    tag,
    rules: listRulesOf('device-passwords', { sorts: ['id'], filters: { device_id: { kind: 'integer', isNegatable: false } } }),
    list: (ctx, actor, query) => listVault(ctx.reads, actor, query),
  });
  listRoute(app, {
    path: '/devices/passwords/looks',
    access: viewing,
    summary: 'Who looked at passwords in the vault, and why.',
    tag,
    rules: listRulesOf('password-looks', { sorts: ['id'] }),
    list: (ctx, actor, query) => listLooks(ctx.reads, actor, query),
  });
  formRoute(
    app,
    'device-passwords/show',
    async ({ ctx, actor, origin, params, body }) => ok(await lookAt(ctx, { actor, origin }, params.id, body.reason)),
    { proof: 'sudo' },
  );
}

function registerPlans(app: App): void {
  listRoute(app, {
    path: '/devices/passwords/plans',
    access: viewing,
    summary: 'Plans by which devices get new passwords.',
    tag,
    rules: listRulesOf('password-plans', { sorts: ['id'] }),
    list: (ctx, actor, query) => listPlans(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/devices/passwords/plans/:id',
    access: viewing,
    summary: 'One plan for new passwords.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getPlan(ctx, actor, params.id)),
  });
  formRoute(app, 'password-plans/new', async ({ ctx, actor, origin, body }) => {
    const id = await addPlan(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'password-plans/edit', async ({ ctx, actor, origin, params, body }) => {
    await editPlan(ctx, { actor, origin }, params.id, body);
    return ok(await getPlan(ctx, actor, params.id));
  });
  formRoute(app, 'password-plans/remove', async ({ ctx, actor, origin, params }) => {
    await removePlan(ctx, { actor, origin }, params.id);
    return ok();
  });
}

/** Registers the room of the passwords of devices: changing them, lists of new ones, the vault, and plans. */
export function registerDevicePasswords(app: App): void {
  app.ctx.jobs.register(passwordKind(app.ctx));
  runInBackground(app);
  registerPasswordChanges(app);
  registerLists(app);
  registerVault(app);
  registerPlans(app);
}
