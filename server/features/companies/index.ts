import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { moveCompany } from './move.ts';
import { presentCompany } from './present.ts';
import { listCompanies } from './repo.ts';
import { createCompany, getCompany, removeCompany, renameCompany } from './service.ts';

const access = { permission: 'view_companies' } as const;

/** Registers the companies room. */
export function registerCompanies(app: App): void {
  listRoute(app, {
    path: '/companies',
    access,
    summary: 'Companies that the caller sees.',
    tag: 'companies',
    rules: listRulesOf('companies', { sorts: ['parent_id'] }),
    async list(ctx, actor, query) {
      const { rows, total } = await listCompanies(ctx.reads, actor, query);
      return { rows: rows.map((row) => presentCompany(row, actor)), total };
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
  formRoute(app, 'companies/new', async ({ ctx, actor, origin, body }) =>
    created({ id: await createCompany(ctx, { actor, origin }, body) }),
  );
  formRoute(app, 'companies/edit', async ({ ctx, actor, origin, params, body }) => {
    await renameCompany(ctx, { actor, origin }, params.id, body.name);
    return ok(await getCompany(ctx, actor, params.id));
  });
  formRoute(app, 'companies/move', async ({ ctx, actor, origin, body }) => {
    await moveCompany(ctx, { actor, origin }, body);
    return ok();
  });
  formRoute(app, 'companies/remove', async ({ ctx, actor, origin, params }) => {
    await removeCompany(ctx, { actor, origin }, params.id);
    return ok();
  });
}
