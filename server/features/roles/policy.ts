import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { outranks, type RoleRights } from '../../kernel/auth/role-rights.ts';

/** What the actor may do with a role that it sees, beside the permission that the route asks for. */
export function judgeRoleChange(
  actor: Pick<Actor, 'permissions' | 'scope'>,
  role: RoleRights,
  isHeldByActor: boolean,
): 'allow' | 'built-in' | 'own' | 'too-strong' {
  if (role.company === null) return 'built-in';
  if (isHeldByActor) return 'own';
  return outranks(actor, role) ? 'allow' : 'too-strong';
}

/** Whether the actor may put a permission into a role: only what it holds, and never the one that the built-in role alone has. */
export function judgePermission(actor: Pick<Actor, 'permissions'>, permission: PermissionName): 'allow' | 'reserved' | 'not-held' {
  if (permission === 'super_admin') return 'reserved';
  return can(actor, permission) ? 'allow' : 'not-held';
}
