import type { Actor } from '../../kernel/actor.ts';
import { outranks, type RoleRights } from '../../kernel/auth/role-rights.ts';
import { seesCompany } from '../../kernel/tenancy.ts';

/**
 * Whether a program of a company may have a role: as for people, a role that holds nothing that the actor lacks, built-in or of that company or
 * one above it; and never the system administrator's, which needs a person.
 */
export function mayGiveTo(
  actor: Pick<Actor, 'permissions' | 'scope' | 'companyId' | 'companyPath'>,
  role: RoleRights,
  company: { path: string },
): boolean {
  if (role.permissions.includes('super_admin') || !outranks(actor, role)) return false;
  return role.company === null || (seesCompany(actor, role.company) && company.path.startsWith(role.company.path));
}
