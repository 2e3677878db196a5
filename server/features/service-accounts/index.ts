import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { listAccounts, listTokens } from './repo.ts';
import { createAccount, createAccountToken, editAccount, getAccount, removeAccount, revokeToken } from './service.ts';

const tag = 'service-accounts';
const access = { permission: 'view_service_accounts' } as const;

/** Registers the service accounts room: accounts of programs, and all access tokens of companies. */
export function registerServiceAccounts(app: App): void {
  listRoute(app, {
    path: '/service-accounts',
    access,
    summary: 'Accounts of programs that the caller sees.',
    tag,
    rules: listRulesOf('service-accounts', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listAccounts(ctx.reads, actor, query, ctx.clock.now()),
  });
  route(app, {
    method: 'GET',
    path: '/service-accounts/:id',
    access,
    summary: 'One account of a program.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getAccount(ctx, actor, params.id)),
  });
  formRoute(app, 'service-accounts/new', async ({ ctx, actor, origin, body }) =>
    created(await createAccount(ctx, { actor, origin }, body)),
  );
  formRoute(app, 'service-accounts/edit', async ({ ctx, actor, origin, params, body }) =>
    ok(await editAccount(ctx, { actor, origin }, params.id, body)),
  );
  formRoute(app, 'service-accounts/remove', async ({ ctx, actor, origin, params }) => {
    await removeAccount(ctx, { actor, origin }, params.id);
    return ok();
  });
  formRoute(
    app,
    'service-accounts/new-token',
    async ({ ctx, actor, origin, params, body }) => created(await createAccountToken(ctx, { actor, origin }, params.id, body)),
    { proof: 'sudo' },
  );
  listRoute(app, {
    path: '/access-tokens',
    access: { permission: 'view_company_tokens' },
    summary: 'Access tokens of the people and programs of companies, without their secrets.',
    tag,
    rules: listRulesOf('company-tokens', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listTokens(ctx.reads, actor, query, ctx.clock.now()),
  });
  formRoute(app, 'company-tokens/remove', async ({ ctx, actor, origin, params }) => {
    await revokeToken(ctx, { actor, origin }, params.id);
    return ok();
  });
}
