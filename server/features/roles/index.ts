import { ok } from '../../kernel/answer.ts';
import { allPermissions, pagePermissions, permissionRules } from '../../kernel/auth/permission-list.ts';
import { NotFound } from '../../kernel/errors.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { findRole, findRolePermissions, listRoles } from './repo.ts';

const tag = 'roles';
const access = { permission: 'view_roles' } as const;

/** Registers the roles room: roles and what they give. */
export function registerRoles(app: App): void {
  listRoute(app, {
    path: '/roles',
    access,
    summary: 'Roles that the caller sees.',
    tag,
    rules: {
      ...listRulesOf('roles', { sorts: ['id'], filters: { type: { kind: 'enum', values: ['default', 'custom'], isNegatable: false } } }),
      isSearchable: true,
    },
    list: (ctx, actor, query) => listRoles(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/roles/:id',
    access,
    summary: 'One role.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const role = await findRole(ctx.reads, actor, params.id);
      if (!role) throw new NotFound({});
      return ok(role);
    },
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
