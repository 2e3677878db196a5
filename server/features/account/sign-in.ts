import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { requireSecondFactor, type Proof } from '../../kernel/auth/challenges.ts';
import { ActingEnded } from '../../kernel/auth/errors.ts';
import { hasLostGround } from '../../kernel/auth/find-actor.ts';
import { isPassword } from '../../kernel/auth/passwords.ts';
import { findStartCompany } from '../../kernel/auth/memberships.ts';
import type { Site } from '../../kernel/auth/passkeys.ts';
import { findFactors } from '../../kernel/auth/second-factors.ts';
import { createSession, endActing, endSession, refreshSession, sessionIdOf, type SessionTokens } from '../../kernel/auth/sessions.ts';
import type { SignInLimits } from '../../kernel/auth/sign-in-limits.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { Unauthorized } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language.ts';
import { WrongCredentials } from './errors.ts';

type Person = Pick<Row<'users'>, 'id' | 'username' | 'company_id'>;

interface SignIn {
  email: string;
  password: string;
  origin: Origin;
  /** The session that this browser had so far; it ends. */
  formerSessionId: string | undefined;
  proof: Proof | undefined;
  /** `hashRequest` of the call. */
  requestHash: string;
  language: Language;
  site: Site | undefined;
}

function auditPerson(
  trx: Trx,
  person: Person,
  action: string,
  { origin, at, onBehalfOf = null }: { origin: Origin; at: number; onBehalfOf?: number | null },
): Promise<void> {
  const actor = { userId: person.id, name: person.username, onBehalfOf, tokenName: null };
  return writeAudit(trx, { actor, origin, at }, [
    { action, entity: 'user', entityId: person.id, entityName: person.username, companyId: person.company_id, before: null, after: null },
  ]);
}

async function auditRefusal(ctx: Context, user: Person | undefined, email: string, origin: Origin): Promise<void> {
  await inTransaction(ctx.db, (trx) =>
    writeAudit(trx, { actor: null, origin, at: ctx.clock.now() }, [
      {
        action: 'account.login-failed',
        entity: 'user',
        entityId: user?.id ?? null,
        // What was typed may be a password in the wrong field.
        entityName: user?.username ?? (email.includes('@') ? email : ''),
        companyId: user?.company_id ?? null,
        before: null,
        after: null,
      },
    ]),
  );
}

async function hasSessionFrom(ctx: Context, userId: number, ip: string): Promise<boolean> {
  const row = await ctx.reads
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('ip', '=', ip)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Signs a person in with a new session. Throws TOO_MANY_REQUESTS, and WRONG_CREDENTIALS with the same text after the same time
 * whether the address is unknown, the password wrong or the user disabled. Somebody with a second factor is asked for it then: MFA_REQUIRED,
 * CONFIRMATION_FAILED.
 */
export async function signIn(
  ctx: Context,
  limits: SignInLimits,
  { email, password, origin, formerSessionId, ...asked }: SignIn,
): Promise<SessionTokens> {
  const address = email.trim().toLowerCase();
  const user = await ctx.reads.selectFrom('users').selectAll().where('email', '=', address).executeTakeFirst();
  const isKnownAddress = user !== undefined && (await hasSessionFrom(ctx, user.id, origin.ip));
  limits.begin({ email: address, ip: origin.ip, isKnownAddress });
  const isRight = await isPassword(user?.password_hash, password);
  if (!user || !isRight || (await findStartCompany(ctx.reads, user.id)) === undefined) {
    await auditRefusal(ctx, user, address, origin);
    throw new WrongCredentials({});
  }
  limits.succeed({ email: address, ip: origin.ip, isKnownAddress });
  const factors = await findFactors(ctx.reads, user.id);
  if (factors) {
    const { proof, requestHash, language, site } = asked;
    await requireSecondFactor(ctx, { user, factors, sessionId: '', requestHash, origin, language, site }, proof);
  }
  return startSession(ctx, user, { action: 'account.login', origin, formerSessionId });
}

/** Signs in who has shown who they are: a new session, in place of the one that the browser had. */
export async function startSession(
  ctx: Context,
  user: Person,
  { action, origin, formerSessionId }: { action: string; origin: Origin; formerSessionId: string | undefined },
): Promise<SessionTokens> {
  const at = ctx.clock.now();
  const tokens = await inTransaction(ctx.db, async (trx) => {
    if (formerSessionId !== undefined) await endSession(trx, formerSessionId);
    await trx.updateTable('users').set({ last_login_at: at }).where('id', '=', user.id).execute();
    await auditPerson(trx, user, action, { origin, at });
    return createSession(ctx, trx, { userId: user.id, origin, now: at });
  });
  if (formerSessionId !== undefined) ctx.live.closeSockets({ sessionId: formerSessionId });
  return tokens;
}

/** Renews a session. Throws UNAUTHORIZED, or ACTING_ENDED when there is a way back to the own session; a token that was used before ends its session everywhere. */
export async function renewSession(ctx: Context, refreshToken: string, origin: Origin): Promise<SessionTokens> {
  const at = ctx.clock.now();
  const sessionId = sessionIdOf(refreshToken);
  if (await hasLostGround(ctx, sessionId)) {
    await endActing(ctx.db, sessionId, at);
    ctx.live.closeSockets({ sessionId });
  }
  const result = await inTransaction(ctx.db, async (trx) => {
    const refreshed = await refreshSession(ctx, trx, refreshToken, at);
    if (refreshed.kind !== 'reused') return refreshed;
    const person = await trx
      .selectFrom('users')
      .select(['id', 'username', 'company_id'])
      .where('id', '=', refreshed.session.user_id)
      .executeTakeFirst();
    if (person) await auditPerson(trx, person, 'account.token-reused', { origin, at, onBehalfOf: refreshed.session.on_behalf_of });
    return refreshed;
  });
  if (result.kind === 'reused') ctx.live.closeSockets({ sessionId: result.session.id });
  if (result.kind === 'acting-ended') throw new ActingEnded({});
  if (result.kind !== 'refreshed') throw new Unauthorized({});
  return result.tokens;
}

/** Ends a session; nothing happens when it has ended already. */
export async function signOut(ctx: Context, sessionId: string, origin: Origin): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const person = await trx
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['users.id', 'users.username', 'users.company_id', 'sessions.on_behalf_of'])
      .where('sessions.id', '=', sessionId)
      .executeTakeFirst();
    if (!person) return;
    await endSession(trx, sessionId);
    await auditPerson(trx, person, 'account.logout', { origin, at: ctx.clock.now(), onBehalfOf: person.on_behalf_of });
  });
  ctx.live.closeSockets({ sessionId });
}
