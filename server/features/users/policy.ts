import type { Actor } from '../../kernel/actor.ts';
import { outranks, type RoleRights } from '../../kernel/auth/role-rights.ts';
import { seesCompany } from '../../kernel/tenancy.ts';

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
