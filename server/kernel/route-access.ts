import { can, type Access, type Actor, type TokenRule } from './actor.ts';
import { SessionRequired } from './auth/errors.ts';
import { defineError, Forbidden, Unauthorized } from './errors.ts';
import { isProgram } from './lenient-calls.ts';

/** Whether a route of this access is open to the actor. */
export function isAllowed(actor: Actor, access: Exclude<Access, 'public'>): boolean {
  if (access === 'signed-in') return true;
  if ('permission' in access) return can(actor, access.permission);
  return access.anyOf.some((permission) => can(actor, permission));
}

const OnlyInPerson = defineError('ONLY_IN_PERSON');

/** Throws ONLY_IN_PERSON for a route that nobody calls during impersonation; runs before the body is read. */
export function checkInPerson(onlyInPerson: boolean | undefined, actor: Actor | undefined): void {
  if (onlyInPerson && actor && actor.onBehalfOf !== null) throw new OnlyInPerson({});
}

/** Throws SESSION_REQUIRED for an access token on a route that is for people alone; runs before the body is read. */
export function checkTokens(tokens: TokenRule | undefined, actor: Actor | undefined): void {
  if (tokens === 'none' && isProgram(actor)) throw new SessionRequired({});
}

/** Throws UNAUTHORIZED or FORBIDDEN; runs before the body is read, for every route of the server. */
export function checkAccess(access: Access | undefined, actor: Actor | undefined): void {
  if (access === undefined) throw new Forbidden({});
  if (access === 'public') return;
  if (!actor) throw new Unauthorized({});
  if (!isAllowed(actor, access)) throw new Forbidden({});
}

/** What access tokens may do on a route. Throws Error naming one where neither a scope nor its rule says it. */
export function tokenRuleOf(
  { method, access, tokens, forPrograms }: { method: string; access: Access; tokens?: TokenRule; forPrograms?: boolean },
  { url, onlyInPerson }: { url: string; onlyInPerson: boolean },
): TokenRule | undefined {
  const rule = tokens ?? (onlyInPerson && forPrograms !== true ? 'none' : undefined);
  if (access === 'signed-in' && rule === undefined)
    throw new Error(
      `Route ${method} ${url} asks for no permission; say what access tokens may do there: tokens 'none', 'by-scope' or 'all'`,
    );
  if (rule === 'all' && method !== 'GET')
    throw new Error(`Route ${method} ${url} changes something, so it needs a scope or a session: tokens 'all' is for reading`);
  return rule;
}
