import { created, ok, partial } from '../../kernel/answer.ts';
import { allPermissions, isOffered, pagePermissions, permissionRules } from '../../kernel/auth/permission-list.ts';
import { NotFound } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { route, type App } from '../../kernel/route.ts';
import { findRole, findRolePermissions, listRoles } from './repo.ts';
import { restoreRole, revertRole } from './restore.ts';
import { getUserAccess } from './user-access.ts';
import { createRoles, editRole, getRole, overwritePermissions, removeRole } from './service.ts';

const tag = 'roles';
const access = { permission: 'view_roles' } as const;

function registerPermissions(app: App): void {
  listRoute(app, {
    path: '/permissions',
    access: { permission: 'view_permissions' },
    summary: 'Every permission that there is.',
    tag,
    rules: permissionRules,
    list: async ({ config }, _actor, query) =>
      pagePermissions(
        allPermissions.filter(({ name }) => isOffered(config, name)),
        query,
      ),
  });
  listRoute(app, {
    path: '/roles/:id/permissions',
    access: { permission: 'view_permissions' },
    summary: 'The permissions that a role gives.',
    tag,
    params: idParams,
    rules: permissionRules,
    async list(ctx, actor, query, { id }) {
      if (!(await findRole(ctx.reads, actor, id))) throw new NotFound({});
      const held = new Set(await findRolePermissions(ctx.reads, id));
      return pagePermissions(
        allPermissions.filter((permission) => held.has(permission.name)),
        query,
      );
    },
  });
}

/** Registers the roles room: roles and what they give. */
export function registerRoles(app: App): void {
  app.undos.set('roles.edit', { permission: 'update_roles', one: revertRole });
  app.undos.set('roles.remove', { permission: 'create_roles', one: restoreRole });
  registerPermissions(app);
  listRoute(app, {
    path: '/roles',
    access,
    summary: 'Roles that the caller sees.',
    tag,
    rules: listRulesOf('roles', { sorts: ['id'], isSearchable: true, filters: { assignable: { kind: 'boolean', isNegatable: false } } }),
    list: (ctx, actor, query) => listRoles(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/roles/:id',
    access,
    summary: 'One role.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getRole(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/users/:id/access',
    access: { permission: 'view_users' },
    summary: 'What a user can see and do, and the role that gives it.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getUserAccess(ctx.reads, actor, params.id)),
  });
  formRoute(
    app,
    'roles/new',
    async ({ ctx, actor, origin, body }) => {
      const ids = await createRoles(ctx, { actor, origin }, body);
      const [id] = ids;
      // Programs that make one role read it as a record.
      if (isProgram(actor) && id !== undefined && ids.length === 1) return created(await getRole(ctx, actor, id));
      return created(ids.map((each) => ({ id: each })));
    },
    // Clients written for RMS send this call as parts.
    { maxFileBytes: 0, programs: { status: 200 } },
  );
  formRoute(app, 'roles/overwrite', async ({ ctx, actor, origin, body }) => {
    const { done, errors } = await overwritePermissions(ctx, { actor, origin }, body);
    return errors.length > 0 ? partial(done, errors) : ok(done);
  });
  formRoute(
    app,
    'roles/edit',
    async ({ ctx, actor, origin, params, body }) => {
      await editRole(ctx, { actor, origin }, params.id, body);
      return ok(await getRole(ctx, actor, params.id));
    },
    { optional: ['title', 'scope', 'start_page'] },
  );
  formRoute(app, 'roles/remove', async ({ ctx, actor, origin, params }) => {
    await removeRole(ctx, { actor, origin }, params.id);
    return ok();
  });
}
