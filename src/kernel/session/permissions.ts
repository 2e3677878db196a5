import type { CurrentUser } from '../../../schemas/_generated/contract.ts';

export type PermissionCheck = string | readonly string[];
export type PermissionMode = 'some' | 'every';

/** Whether a user with these permissions passes a check: one name, or a list with `some` (the default) or `every` (docs/behaviour.md section 6). */
export function holdsPermission(held: readonly string[], check: PermissionCheck | undefined, mode: PermissionMode = 'some'): boolean {
  if (check === undefined) return true;
  if (typeof check === 'string') return held.includes(check);
  return mode === 'every' ? check.every((name) => held.includes(name)) : check.some((name) => held.includes(name));
}

// Companies are on three levels.
const DEEPEST_LEVEL = 3;

/** Whether what the user sees may belong to companies below the own one. */
export function seesBelow({ scope, company }: Pick<CurrentUser, 'scope' | 'company'>): boolean {
  return scope !== 'company' && company.level < DEEPEST_LEVEL;
}
