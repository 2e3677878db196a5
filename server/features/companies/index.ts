import { requirePermission } from '../../kernel/actor.ts';
import { created, ok } from '../../kernel/answer.ts';
import { HOUR } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { Type } from '../../kernel/type.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { ChannelNotFound, type PolledEvent } from '../../kernel/polled-channels.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { route, type App } from '../../kernel/route.ts';
import { changedTexts, keptNumber } from '../../kernel/undo.ts';
import { recordDays } from './days.ts';
import { registerDemoFleet } from './demo-fleet.ts';
import { registerCompanyFigures } from './figure-routes.ts';
import { moveCompany } from './move.ts';
import { getContents, removeCompany, restoreCompany } from './remove.ts';
import { findRemoved, listRemoved } from './removed-repo.ts';
import { listNodes } from './tree-repo.ts';
import { purgeRemoved } from './purge.ts';
import { registerReasons } from './reasons.ts';
import { withBalances } from './with-balances.ts';
import { API_SORTS, listCompanies } from './repo.ts';
import { createCompany, editCompany, getCompany, setCompanyFlags } from './service.ts';

const MAX_NODES = 100;
/** A number in a query, as its text. */
const whole = Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' }));
const access = { permission: 'view_companies' } as const;

/** Registers the companies room. */
export function registerCompanies(app: App): void {
  registerDemoFleet(app);
  listRoute(app, {
    path: '/companies',
    access,
    summary: 'Companies that the caller sees.',
    tag: 'companies',
    rules: listRulesOf('companies', { sorts: ['parent_id', ...API_SORTS] }),
    async list(ctx, actor, query) {
      const { rows, total } = await listCompanies(ctx.reads, ctx.database.tools, actor, query);
      return { rows: await withBalances(ctx, actor, rows), total };
    },
    documented: {
      fields: [],
      types: { can_use_parent_license: { type: 'integer', enum: [0, 1] } },
      extend: async (_ctx, _actor, rows) =>
        rows.map((company) => ({ ...company, can_use_parent_license: Number(company.can_use_parent_license) })),
    },
  });
  route(app, {
    method: 'GET',
    path: '/companies/:id',
    access,
    summary: 'One company.',
    tag: 'companies',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getCompany(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/companies/tree',
    access,
    summary: 'Nodes of the tree by name: the topmost ones, those below `parent_id`, those that `q` finds with all above them, or one.',
    tag: 'companies',
    query: Type.Object({
      parent_id: whole,
      id: whole,
      q: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$' })),
      limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$' })),
      offset: whole,
    }),
    async handler({ ctx, actor, query }) {
      const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
      const { nodes, total } = await listNodes(ctx.reads, ctx.database.tools, actor, {
        parent_id: numberOf(query.parent_id),
        id: numberOf(query.id),
        q: query.q?.trim(),
        limit: numberOf(query.limit) ?? MAX_NODES,
        offset: numberOf(query.offset) ?? 0,
      });
      return ok(nodes, { total });
    },
  });
  registerCompanyFigures(app);
  formRoute(app, 'companies/new', async ({ ctx, actor, origin, body }) =>
    created(await getCompany(ctx, actor, await createCompany(ctx, { actor, origin }, body))),
  );
  formRoute(
    app,
    'companies/edit',
    async ({ ctx, actor, origin, params, body }) => {
      // The console sends a company as a whole: without an address it has none. Programs send what changes.
      await editCompany(ctx, { actor, origin }, params.id, isProgram(actor) ? body : { email: '', ...body });
      return ok(await getCompany(ctx, actor, params.id));
    },
    { optional: ['name'], more: { email: { type: ['string', 'null'], maxLength: 254, anyOf: [{ maxLength: 0 }, { format: 'email' }] } } },
  );
  formRoute(app, 'companies/move', async ({ ctx, actor, origin, body }) => {
    await moveCompany(ctx, { actor, origin }, body);
    return ok();
  });
  formRoute(app, 'companies/flags', async ({ ctx, actor, origin, params, body }) => {
    await setCompanyFlags(ctx, { actor, origin }, params.id, body);
    return ok(await getCompany(ctx, actor, params.id));
  });
  registerReasons(app);
  registerRemoval(app);
  registerUndos(app);
}

/** Undo handlers of companies. */
function registerUndos({ undos }: App): void {
  undos.set('companies.edit', {
    permission: 'update_companies',
    one: (ctx, caller, change) => editCompany(ctx, caller, change.entityId, changedTexts(change, ['name', 'email'])),
  });
  undos.set('companies.flags', {
    permission: 'update_companies',
    async one(ctx, caller, { entityId, before, isChanged }) {
      if (isChanged('show_payment')) requirePermission(caller.actor, 'update_company_payment');
      await setCompanyFlags(ctx, caller, entityId, {
        ...(isChanged('can_use_parent_license') ? { can_use_parent_license: keptNumber(before, 'can_use_parent_license') === 1 } : {}),
        ...(isChanged('show_payment') ? { show_payment: keptNumber(before, 'show_payment') === 1 } : {}),
      });
    },
  });
  undos.set('companies.move', {
    permission: 'move_companies',
    one: (ctx, caller, { entityId, before }) => moveCompany(ctx, caller, { source: entityId, target: keptNumber(before, 'parent_id') }),
  });
  undos.set('companies.remove', {
    permission: 'delete_companies',
    one: (ctx, caller, { entityId }) => restoreCompany(ctx, caller, entityId),
  });
}

/** Removing, what was removed, and bringing it back. */
function registerRemoval(app: App): void {
  const { ctx, fastify } = app;
  route(app, {
    method: 'GET',
    path: '/companies/:id/contents',
    access: { permission: 'delete_companies' },
    summary: 'How much would go with a company that is removed, over all below it.',
    tag: 'companies',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getContents(ctx, actor, params.id)),
  });
  formRoute(app, 'companies/remove', async ({ ctx, actor, origin, params, body }) => {
    await removeCompany(ctx, { actor, origin }, params.id, body);
    return ok(undefined, { channel: `companies.${params.id}.removal` });
  });
  route(app, {
    method: 'GET',
    path: '/status/channel/companies.:id.removal',
    atRoot: true,
    access: { permission: 'delete_companies' },
    summary: 'What became of the removal of a company; the removal itself is done before it is answered.',
    tag: 'companies',
    params: idParams,
    async handler({ ctx, actor, params }) {
      if (!(await findRemoved(ctx.reads, actor, params.id))) throw new ChannelNotFound({});
      const done: PolledEvent = { status: 'completed', value: 'Done' };
      return ok({ [params.id]: [done] });
    },
  });
  listRoute(app, {
    path: '/companies/removed',
    access: { permission: 'delete_companies' },
    summary: 'Companies that were removed and can be restored.',
    tag: 'companies',
    rules: listRulesOf('removed-companies'),
    list: (ctx, actor, query) => listRemoved(ctx.reads, actor, query),
  });
  formRoute(app, 'companies/restore', async ({ ctx, actor, origin, params }) => {
    await restoreCompany(ctx, { actor, origin }, params.id);
    return ok(await getCompany(ctx, actor, params.id));
  });
  let stop = (): void => undefined;
  fastify.addHook('onReady', async () => {
    stop = ctx.clock.every(HOUR, async () => {
      await purgeRemoved(ctx);
      await recordDays(ctx);
    });
  });
  fastify.addHook('onClose', async () => stop());
}
