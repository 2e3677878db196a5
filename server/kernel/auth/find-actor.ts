import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import { permissionNames } from '../../../schemas/_generated/contract.ts';
import { permissionsOfScope } from '../../../schemas/kit/resources/token-scopes.ts';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../actor.ts';
import { MINUTE } from '../clock.ts';
import { isPresentPath, idsOnPath } from '../tenancy.ts';
import { withoutDisabledParts } from './disabled-parts.ts';
import { findStartCompany } from './memberships.ts';
import { isOffered } from './permission-list.ts';
import { mayActForRole } from './role-rights.ts';
import { tokenScopes } from './access-tokens.ts';
import { GRACE_MS } from './sessions.ts';
import { hashToken } from './tokens.ts';

const known: ReadonlySet<string> = new Set(permissionNames);

function isPermission(name: string): name is PermissionName {
  return known.has(name);
}

async function permissionsOf(
  { reads: db, config }: Pick<Context, 'reads' | 'config'>,
  { role_id, company_path }: Pick<Person, 'role_id' | 'company_path'>,
): Promise<ReadonlySet<PermissionName>> {
  const rows = await db.selectFrom('role_permissions').select('permission').where('role_id', '=', role_id).execute();
  const held = rows
    .map((row) => row.permission)
    .filter(isPermission)
    .filter((name) => isOffered(config, name))
    // What is bought is decided at the top of a tree.
    .filter((name) => name !== 'update_company_payment' || idsOnPath(company_path).length === 1);
  return withoutDisabledParts(db, company_path, new Set(held));
}

const personColumns = [
  'users.id as user_id',
  'users.username',
  'users.email',
  'memberships.company_id',
  'memberships.role_id',
  'companies.path as company_path',
  'roles.scope',
] as const;

interface Person {
  user_id: number;
  username: string;
  email: string;
  company_id: number;
  role_id: number;
  company_path: string;
  scope: Actor['scope'];
}

function actorOf(
  person: Person,
  permissions: ReadonlySet<PermissionName>,
  how: Pick<Actor, 'via' | 'sessionId' | 'tokenId' | 'tokenName' | 'expiresAt' | 'onBehalfOf'>,
): Actor {
  return {
    userId: person.user_id,
    name: person.username,
    email: person.email,
    companyId: person.company_id,
    companyPath: person.company_path,
    roleId: person.role_id,
    scope: person.scope,
    permissions,
    ...how,
  };
}

function sessionQuery(db: Db) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('memberships', (join) =>
      join
        .on((eb) => eb('memberships.user_id', '=', eb.fn.coalesce('sessions.on_behalf_of', 'sessions.user_id')))
        .onRef('memberships.company_id', '=', 'sessions.company_id'),
    )
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(personColumns)
    .select(['sessions.id as session_id', 'sessions.access_expires_at', 'sessions.on_behalf_of', 'sessions.own_session_id'])
    .where('memberships.disabled_at', 'is', null)
    .where(isPresentPath('companies.path'));
}

/** Whether who impersonates somebody with this role still may, in the company of the own session that waits. */
async function mayStillAct(ctx: Pick<Context, 'reads' | 'config'>, ownSessionId: string | null, roleId: number): Promise<boolean> {
  const own = await ctx.reads.selectFrom('sessions').select(['user_id', 'company_id']).where('id', '=', ownSessionId).executeTakeFirst();
  const person = own && (await findUserActor(ctx, { userId: own.user_id, companyId: own.company_id }));
  return person !== undefined && (await mayActForRole(ctx.reads, person, roleId));
}

/** Whether a session in which somebody impersonates somebody else is no longer allowed: without the right, a membership, or the own session that waits. */
export async function hasLostGround(ctx: Pick<Context, 'reads' | 'clock' | 'config'>, sessionId: string): Promise<boolean> {
  const session = await ctx.reads
    .selectFrom('sessions')
    .select(['own_session_id'])
    .where('id', '=', sessionId)
    .where('on_behalf_of', 'is not', null)
    .where('absolute_expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  if (!session) return false;
  const row = await sessionQuery(ctx.reads).where('sessions.id', '=', sessionId).executeTakeFirst();
  return !row || !(await mayStillAct(ctx, session.own_session_id, row.role_id));
}

const findByAccess = (db: Db, { hash, now }: { hash: string; now: number }) =>
  sessionQuery(db)
    .where('sessions.access_hash', '=', hash)
    .where('sessions.access_expires_at', '>', now)
    .where('sessions.absolute_expires_at', '>', now)
    .executeTakeFirst();

/**
 * The person whose session an access token belongs to, with the rights that they (or the one on whose behalf they act) have in its company;
 * undefined when the token, the session or the person's access has ended.
 */
export async function findSessionActor(ctx: Pick<Context, 'reads' | 'clock' | 'config'>, access: string): Promise<Actor | undefined> {
  const now = ctx.clock.now();
  const hash = hashToken(access);
  const current = await findByAccess(ctx.reads, { hash, now });
  const row =
    current ??
    (await sessionQuery(ctx.reads)
      .where('sessions.previous_access_hash', '=', hash)
      .where('sessions.rotated_at', '>=', now - GRACE_MS)
      .where('sessions.absolute_expires_at', '>', now)
      .executeTakeFirst());
  return row && sessionActorOf(ctx, row);
}

async function sessionActorOf(
  ctx: Pick<Context, 'reads' | 'config'>,
  row: NonNullable<Awaited<ReturnType<ReturnType<typeof sessionQuery>['executeTakeFirst']>>>,
): Promise<Actor | undefined> {
  if (row.on_behalf_of !== null && !(await mayStillAct(ctx, row.own_session_id, row.role_id))) return undefined;
  return actorOf(row, await permissionsOf(ctx, row), {
    via: 'session',
    sessionId: row.session_id,
    tokenId: undefined,
    tokenName: null,
    expiresAt: row.access_expires_at,
    onBehalfOf: row.on_behalf_of,
  });
}

/** An actor as it is now, for what it began earlier; undefined when its session or token has ended. A session need not have been renewed. */
export async function findActorAgain(
  ctx: Context,
  { sessionId, tokenId }: Pick<Actor, 'sessionId' | 'tokenId'>,
): Promise<Actor | undefined> {
  const now = ctx.clock.now();
  if (tokenId !== undefined) {
    const row = await tokenQuery(ctx.reads, now).where('access_tokens.id', '=', tokenId).executeTakeFirst();
    return row && tokenActorOf(ctx, row);
  }
  if (sessionId === undefined) return undefined;
  const row = await sessionQuery(ctx.reads)
    .where('sessions.id', '=', sessionId)
    .where('sessions.absolute_expires_at', '>', now)
    .executeTakeFirst();
  return row && sessionActorOf(ctx, row);
}

/** Who is behind work that goes on without them, and in which company they began it. */
export interface ActingUser {
  userId: number;
  companyId: number;
  onBehalfOf?: number | null;
}

/** The person as it is now, for work that goes on without it, such as jobs; undefined when it left the company or is disabled there. */
export async function findUserActor(
  ctx: Pick<Context, 'reads' | 'config'>,
  { userId, companyId, onBehalfOf }: ActingUser,
): Promise<Actor | undefined> {
  const row = await ctx.reads
    .selectFrom('users')
    .innerJoin('memberships', (join) => join.on('memberships.user_id', '=', onBehalfOf ?? userId))
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(personColumns)
    .where('users.id', '=', userId)
    .where('memberships.company_id', '=', companyId)
    .where('memberships.disabled_at', 'is', null)
    .where(isPresentPath('companies.path'))
    .executeTakeFirst();
  if (!row) return undefined;
  const how = {
    via: 'session',
    sessionId: undefined,
    tokenId: undefined,
    tokenName: null,
    expiresAt: Number.POSITIVE_INFINITY,
    onBehalfOf: onBehalfOf ?? null,
  } as const;
  return actorOf(row, await permissionsOf(ctx, row), how);
}

/** A person in the company where they begin, for what is made for them alone, such as a daily mail; undefined when they cannot come in. */
export async function findPersonActor(ctx: Pick<Context, 'reads' | 'config'>, userId: number): Promise<Actor | undefined> {
  const companyId = await findStartCompany(ctx.reads, userId);
  return companyId === undefined ? undefined : findUserActor(ctx, { userId, companyId });
}

const NOTE_USE_EVERY = MINUTE;

function tokenQuery(db: Db, now: number) {
  return db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'access_tokens.user_id').onRef('memberships.company_id', '=', 'access_tokens.company_id'),
    )
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(personColumns)
    .select(['access_tokens.id as token_id', 'access_tokens.name as token_name', 'access_tokens.scopes'])
    .select([
      'access_tokens.last_used_at',
      sql<number>`coalesce(access_tokens.access_expires_at, access_tokens.expires_at)`.as('expires_at'),
    ])
    .where('memberships.disabled_at', 'is', null)
    .where(isPresentPath('companies.path'))
    .where('access_tokens.expires_at', '>', now)
    .where((eb) => eb.or([eb('access_tokens.access_expires_at', 'is', null), eb('access_tokens.access_expires_at', '>', now)]));
}

async function tokenActorOf(
  ctx: Pick<Context, 'reads' | 'config'>,
  row: NonNullable<Awaited<ReturnType<ReturnType<typeof tokenQuery>['executeTakeFirst']>>>,
): Promise<Actor> {
  return actorOf(row, intersect(await permissionsOf(ctx, row), tokenScopes(row)), {
    via: 'token',
    sessionId: undefined,
    tokenId: row.token_id,
    tokenName: row.token_name,
    expiresAt: row.expires_at,
    onBehalfOf: null,
  });
}

/** The person behind a personal access token, with the rights that both the token and the person's role have. */
export async function findTokenActor(ctx: Context, token: string, ip: string): Promise<Actor | undefined> {
  const now = ctx.clock.now();
  const row = await tokenQuery(ctx.reads, now).where('access_tokens.token_hash', '=', hashToken(token)).executeTakeFirst();
  if (!row) return undefined;
  if (row.last_used_at === null || now - row.last_used_at >= NOTE_USE_EVERY) await noteUse(ctx, row.token_id, now, ip);
  return tokenActorOf(ctx, row);
}

/** A token has `super_admin` only when it was made with it; otherwise the administrator's other rights stand for themselves. */
function intersect(held: ReadonlySet<PermissionName>, scopes: readonly string[]): Set<PermissionName> {
  const asked = scopes.flatMap((scope) => permissionsOfScope(scope, permissionNames));
  return new Set(asked.filter((permission) => held.has(permission) || held.has('super_admin')));
}

async function noteUse(ctx: Context, tokenId: number, now: number, ip: string): Promise<void> {
  try {
    await ctx.db.updateTable('access_tokens').set({ last_used_at: now, last_used_ip: ip }).where('id', '=', tokenId).execute();
  } catch (error) {
    // Reading goes on when the disk is full.
    ctx.log.warn({ err: error }, 'the use of an access token could not be noted');
  }
}
