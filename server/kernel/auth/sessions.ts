import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Origin } from '../actor.ts';
import { DAY, MINUTE, SECOND } from '../clock.ts';
import { Unauthorized } from '../errors.ts';
import { findStartCompany } from './memberships.ts';
import { deriveToken, hashToken, isSameText, randomToken } from './tokens.ts';

export const ACCESS_MS = 10 * MINUTE;
export const IDLE_MS = 14 * DAY;
export const ABSOLUTE_MS = 60 * DAY;
/** How long an impersonated session leads back to the own one after its end. */
const WAY_BACK_MS = DAY;
/** How long the tokens before the newest still work: calls in flight and tabs that refresh at the same time. */
export const GRACE_MS = 20 * SECOND;

/** What the browser gets. */
export interface SessionTokens {
  sessionId: string;
  access: string;
  /** `<session id>.<secret>.<mark>` */
  refresh: string;
  accessExpiresAt: number;
  /** When the refresh token is of no more use at the latest. */
  endsAt: number;
}

type Secrets = Pick<Context, 'secretKey'>;

function accessOf({ secretKey }: Secrets, refresh: string): string {
  return deriveToken(secretKey, 'access', refresh);
}

/** Ends a refresh token with a mark that only the server makes: an old token is told from an invented one, and none has to be kept for that. */
function withMark({ secretKey }: Secrets, token: string): string {
  return `${token}.${deriveToken(secretKey, 'issued', token)}`;
}

/** Whether the server has ever issued this refresh token. */
function wasIssued(ctx: Secrets, refresh: string): boolean {
  return isSameText(withMark(ctx, refresh.slice(0, Math.max(0, refresh.lastIndexOf('.')))), refresh);
}

/** The next refresh token follows from the last one and the key, so that twenty tabs that refresh at once are all given the same. */
function nextRefresh(ctx: Secrets, sessionId: string, refresh: string): string {
  return withMark(ctx, `${sessionId}.${deriveToken(ctx.secretKey, 'refresh', refresh)}`);
}

/** The session that a refresh token names; whether the token is right is another question. */
export function sessionIdOf(refresh: string): string {
  return refresh.split('.')[0] ?? '';
}

export interface NewSession {
  userId: number;
  origin: Origin;
  now: number;
  /** The company to act in; where the person begins by default. */
  companyId?: number;
  /** Impersonates somebody else, until then at the latest, while the own session waits. */
  behalf?: { userId: number; ownSessionId: string; until: number };
}

/**
 * Starts a session with a new id, for somebody who has just shown who they are. Throws UNAUTHORIZED for somebody who is disabled in every
 * company.
 */
export async function createSession(ctx: Secrets, db: Db, who: NewSession): Promise<SessionTokens> {
  const companyId = who.companyId ?? (await findStartCompany(db, who.userId));
  if (companyId === undefined) throw new Unauthorized({});
  const sessionId = randomToken(24);
  const refresh = withMark(ctx, `${sessionId}.${randomToken()}`);
  const access = accessOf(ctx, refresh);
  const ends = Math.min(who.now + ABSOLUTE_MS, who.behalf?.until ?? Number.MAX_SAFE_INTEGER);
  const accessExpiresAt = Math.min(who.now + ACCESS_MS, ends);
  const idleExpiresAt = Math.min(who.now + IDLE_MS, ends);
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      user_id: who.userId,
      company_id: companyId,
      on_behalf_of: who.behalf?.userId ?? null,
      own_session_id: who.behalf?.ownSessionId ?? null,
      access_hash: hashToken(access),
      access_expires_at: accessExpiresAt,
      refresh_hash: hashToken(refresh),
      previous_refresh_hash: null,
      previous_access_hash: null,
      rotated_at: who.now,
      idle_expires_at: idleExpiresAt,
      absolute_expires_at: ends,
      ip: who.origin.ip,
      user_agent: who.origin.userAgent,
      created_at: who.now,
      last_used_at: who.now,
      password_confirmed_at: who.now,
    })
    .execute();
  return { sessionId, access, refresh, accessExpiresAt, endsAt: idleExpiresAt + (who.behalf ? WAY_BACK_MS : 0) };
}

export type Refreshed =
  | { kind: 'refreshed'; tokens: SessionTokens; userId: number }
  /** Nothing that this token could belong to, or it is over. */
  | { kind: 'unknown' }
  /** Of an impersonated session that is over: it leads back to the own one. */
  | { kind: 'acting-ended' }
  /** An older token of a living session: somebody has a copy. The session is deleted. */
  | { kind: 'reused'; session: Row<'sessions'> };

/**
 * Exchanges a refresh token for the next pair of tokens. Deletes the session when an old one comes back after the grace time; one that was never
 * issued changes nothing, whatever session it names.
 */
export async function refreshSession(ctx: Secrets, trx: Trx, refresh: string, now: number): Promise<Refreshed> {
  const sessionId = sessionIdOf(refresh);
  const read = () => trx.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst();
  let session = await read();
  if (!session) return { kind: 'unknown' };
  if (session.idle_expires_at <= now || session.absolute_expires_at <= now)
    return { kind: session.on_behalf_of === null ? 'unknown' : 'acting-ended' };
  const next = nextRefresh(ctx, sessionId, refresh);
  const access = accessOf(ctx, next);
  if (isSameText(session.refresh_hash, hashToken(refresh))) {
    const { numUpdatedRows } = await trx
      .updateTable('sessions')
      .set({
        refresh_hash: hashToken(next),
        previous_refresh_hash: session.refresh_hash,
        // An access token that was over stays over.
        previous_access_hash: session.access_expires_at > now ? session.access_hash : null,
        access_hash: hashToken(access),
        access_expires_at: now + ACCESS_MS,
        rotated_at: now,
        idle_expires_at: Math.min(now + IDLE_MS, session.absolute_expires_at),
        last_used_at: now,
      })
      .where('id', '=', sessionId)
      .where('refresh_hash', '=', session.refresh_hash)
      .executeTakeFirst();
    if (numUpdatedRows === 1n)
      return { kind: 'refreshed', userId: session.user_id, tokens: tokensOf(session, next, access, now + ACCESS_MS, now) };
    // @NOTE Another call with the same token was faster; what it wrote decides.
    session = await read();
    if (!session) return { kind: 'unknown' };
  }
  if (isPreviousToken(session, refresh, now))
    return { kind: 'refreshed', userId: session.user_id, tokens: tokensOf(session, next, access, session.access_expires_at, now) };
  if (!wasIssued(ctx, refresh)) return { kind: 'unknown' };
  await trx.deleteFrom('sessions').where('id', '=', sessionId).execute();
  return { kind: 'reused', session };
}

function isPreviousToken({ previous_refresh_hash, rotated_at }: Row<'sessions'>, refresh: string, now: number): boolean {
  return previous_refresh_hash !== null && isSameText(previous_refresh_hash, hashToken(refresh)) && now - rotated_at <= GRACE_MS;
}

function tokensOf(session: Row<'sessions'>, refresh: string, access: string, accessExpiresAt: number, now: number): SessionTokens {
  const endsAt = Math.min(now + IDLE_MS, session.absolute_expires_at) + (session.on_behalf_of === null ? 0 : WAY_BACK_MS);
  return { sessionId: session.id, access, refresh, accessExpiresAt, endsAt };
}

/** The session whose refresh token this is, or was until a moment ago; undefined for a token that only names one. */
export async function findSessionOf(db: Db, refresh: string, now: number): Promise<string | undefined> {
  const session = await db.selectFrom('sessions').selectAll().where('id', '=', sessionIdOf(refresh)).executeTakeFirst();
  if (!session) return undefined;
  return isSameText(session.refresh_hash, hashToken(refresh)) || isPreviousToken(session, refresh, now) ? session.id : undefined;
}

/** Ends one session. */
export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

const overSince = (now: number) => ({ access_expires_at: now, idle_expires_at: now, absolute_expires_at: now });

/** Ends one session in which somebody impersonates somebody else. What is left of it only leads back to the own one. */
export async function endActing(db: Db, sessionId: string, now: number): Promise<void> {
  await db.updateTable('sessions').set(overSince(now)).where('id', '=', sessionId).where('on_behalf_of', 'is not', null).execute();
}

/** Ends impersonations of a user, in all companies or one. What is left of the sessions only leads back to the own ones. Answers their ids. */
export async function endActingFor(db: Db, userId: number, now: number, companyId?: number): Promise<string[]> {
  const ended = await db
    .updateTable('sessions')
    .set(overSince(now))
    .where('on_behalf_of', '=', userId)
    .where('absolute_expires_at', '>', now)
    .$if(companyId !== undefined, (query) => query.where('company_id', '=', companyId ?? 0))
    .returning('id')
    .execute();
  return ended.map((session) => session.id);
}

/**
 * Ends all sessions of a user, and those in which others impersonate it; with a company, only the ones in it, and those in which the user impersonates
 * others, wherever that is. Answers their ids.
 */
export async function endSessionsOf(db: Db, userId: number, now: number, companyId?: number): Promise<string[]> {
  const ended = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(companyId !== undefined, (query) =>
      query.where((eb) => eb.or([eb('company_id', '=', companyId ?? 0), eb('on_behalf_of', 'is not', null)])),
    )
    .returning('id')
    .execute();
  return [...ended.map((session) => session.id), ...(await endActingFor(db, userId, now, companyId))];
}

/** Takes the acting session of this refresh token, running or ended, out of the world; what it leads back to is the caller's business. */
export async function takeActingSession(trx: Trx, refresh: string, now: number): Promise<Row<'sessions'> | undefined> {
  const session = await trx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionIdOf(refresh))
    .where('on_behalf_of', 'is not', null)
    .where('absolute_expires_at', '>', now - WAY_BACK_MS)
    .executeTakeFirst();
  if (!session) return undefined;
  if (!isSameText(session.refresh_hash, hashToken(refresh)) && !isPreviousToken(session, refresh, now)) return undefined;
  const { numDeletedRows } = await trx.deleteFrom('sessions').where('id', '=', session.id).executeTakeFirst();
  return numDeletedRows === 1n ? session : undefined;
}
