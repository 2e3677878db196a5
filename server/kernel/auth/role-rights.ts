import { permissionNames, type PermissionName } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import { can, type Actor } from '../actor.ts';

export interface RoleRights {
  scope: Actor['scope'];
  permissions: readonly PermissionName[];
  /** The company whose own role it is, with its path; null for a built-in role. */
  company: { id: number; path: string } | null;
}

const WIDTH = { company: 0, tree: 1, all: 2 } as const;

/** Whether the actor sees at least as far as this. */
export function reaches(actor: Pick<Actor, 'scope'>, scope: Actor['scope']): boolean {
  return WIDTH[scope] <= WIDTH[actor.scope];
}

/** Whether the actor holds all that the role gives, over no more companies than its own. */
export function outranks(actor: Pick<Actor, 'permissions' | 'scope'>, role: Pick<RoleRights, 'scope' | 'permissions'>): boolean {
  return reaches(actor, role.scope) && role.permissions.every((permission) => can(actor, permission));
}

/** What a role gives; undefined when there is none with this id. */
export async function findRoleRights(db: Db, roleId: number): Promise<RoleRights | undefined> {
  const role = await db
    .selectFrom('roles')
    .leftJoin('companies', 'companies.id', 'roles.company_id')
    .select(['roles.scope', 'roles.company_id', 'companies.path'])
    .where('roles.id', '=', roleId)
    .executeTakeFirst();
  if (!role) return undefined;
  const rows = await db.selectFrom('role_permissions').select('permission').where('role_id', '=', roleId).execute();
  const held = new Set(rows.map((row) => row.permission));
  return {
    scope: role.scope,
    permissions: permissionNames.filter((name) => held.has(name)),
    company: role.company_id === null || role.path === null ? null : { id: role.company_id, path: role.path },
  };
}

/** Whether the actor may impersonate somebody with this role: holds the right to, and all that the role gives. */
export async function mayActForRole(db: Db, actor: Pick<Actor, 'permissions' | 'scope'>, roleId: number): Promise<boolean> {
  const role = await findRoleRights(db, roleId);
  return can(actor, 'execute_impersonation') && role !== undefined && outranks(actor, role);
}
