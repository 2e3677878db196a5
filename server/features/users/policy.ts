import { can, type Actor } from '../../kernel/actor.ts';
import { seesCompany } from '../../kernel/tenancy.ts';
import type { PermissionName } from '../../../schemas/_generated/contract.ts';

export interface RoleRights {
  scope: Actor['scope'];
  permissions: readonly PermissionName[];
  /** The company whose own role it is, with its path; null for a built-in role. */
  company: { id: number; path: string } | null;
}

const WIDTH = { company: 0, tree: 1, all: 2 } as const;

/** Whether the actor holds all that the role gives, over no more companies than its own. */
export function outranks(actor: Pick<Actor, 'permissions' | 'scope'>, role: Pick<RoleRights, 'scope' | 'permissions'>): boolean {
  return WIDTH[role.scope] <= WIDTH[actor.scope] && role.permissions.every((permission) => can(actor, permission));
}

/** Whether a role may be given to a user of a company: a built-in one anywhere, a company's own in that company and below. */
export function mayGiveRole(
  actor: Pick<Actor, 'permissions' | 'scope' | 'companyId' | 'companyPath'>,
  role: RoleRights,
  company: { id: number; path: string },
): boolean {
  if (!outranks(actor, role)) return false;
  return role.company === null || (seesCompany(actor, role.company) && company.path.startsWith(role.company.path));
}

export type UserChange = 'role' | 'status' | 'remove';

/** What the actor may do with another user, beside the permission that the route asks for and the scope. */
export function judgeUserChange(
  actor: Pick<Actor, 'userId' | 'permissions' | 'scope'>,
  user: { id: number; role: Pick<RoleRights, 'scope' | 'permissions'> },
): 'allow' | 'own-account' | 'forbidden' {
  if (user.id === actor.userId) return 'own-account';
  return outranks(actor, user.role) ? 'allow' : 'forbidden';
}
