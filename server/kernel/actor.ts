import type { PermissionName } from '../../schemas/_generated/contract.ts';
import { Forbidden } from './errors.ts';

/** Who acts: a person by session or by personal access token. There is no anonymous actor; public routes have none. */
export interface Actor {
  /** Who really acts, also while impersonating. What is theirs alone (password, tokens, settings) hangs on this. */
  userId: number;
  name: string;
  email: string;
  /** The company of their memberships that they act in; its role says what they may. */
  companyId: number;
  /** Ids from the top, `/1/5/`. */
  companyPath: string;
  roleId: number;
  /** all: every company · tree: own and below · company: own only. */
  scope: 'all' | 'tree' | 'company';
  permissions: ReadonlySet<PermissionName>;
  via: 'session' | 'token';
  sessionId: string | undefined;
  /** The access token, when one is used: its number and name. */
  tokenId: number | undefined;
  tokenName: string | null;
  /** When the access of this session or token must be renewed. */
  expiresAt: number;
  /** While impersonating: the user on whose behalf this one acts, with that user's company, role and permissions. */
  onBehalfOf: number | null;
}

/** Where a call comes from; goes into every audit row. */
export interface Origin {
  ip: string;
  requestId: string;
  userAgent: string;
  /** The form that it was entered in, `<id>@<version>`, as the caller says. */
  form?: string;
  /** The history rows that are being undone, by `recordKey` of their record. */
  undoes?: ReadonlyMap<string, number>;
}

/** Who calls, and from where: what a change needs for its audit row. */
export interface Caller {
  actor: Actor;
  origin: Origin;
}

/** The user whose rights the actor has: the actor itself, or the one it impersonates. */
export function personOf(actor: Pick<Actor, 'userId' | 'onBehalfOf'>): number {
  return actor.onBehalfOf ?? actor.userId;
}

/** Whether the actor holds the permission; `super_admin` holds all. */
export function can(actor: Pick<Actor, 'permissions'>, permission: PermissionName): boolean {
  return actor.permissions.has('super_admin') || actor.permissions.has(permission);
}

/** Throws FORBIDDEN without the permission. */
export function requirePermission(actor: Actor, permission: PermissionName): void {
  if (!can(actor, permission)) throw new Forbidden({});
}

/**
 * For the few GETs of the public API that change something: only with an access token, which no other page can make a browser send. Throws FORBIDDEN for
 * a session.
 */
export function assertProgram(actor: Pick<Actor, 'tokenId'>): void {
  if (actor.tokenId === undefined) throw new Forbidden({});
}

/**
 * What access tokens may do on a route, those of people, service accounts and applications alike: `none` is for people alone · `by-scope`: the handler asks
 * for the scopes itself · `all`: reads what is nobody's own.
 */
export type TokenRule = 'none' | 'by-scope' | 'all';

/** Who may call: holders of a permission, anybody signed in, or everybody. There is no default. */
export type Access = { permission: PermissionName } | { anyOf: [PermissionName, ...PermissionName[]] } | 'signed-in' | 'public';
