import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { writeAudit } from '../audit.ts';
import type { Origin } from '../actor.ts';
import { MINUTE } from '../clock.ts';
import { inTransaction } from '../db/database.ts';
import { NotFound, TooManyRequests, type AppError } from '../errors.ts';
import type { Language } from '../language.ts';
import { sendMail } from '../mail/send-mail.ts';
import { writeMail } from '../mail/write-mail.ts';
import { ConfirmationFailed, MfaRequired } from './errors.ts';
import { credentialIdOf, isSignedBy, type Site } from './passkeys.ts';
import { findSecondFactor, hashCode, makeMailCode, methodOf, spendRecoveryCode, spendTotpCode, type Factors } from './second-factors.ts';
import { deriveToken, hashToken, randomToken } from './tokens.ts';

export const CHALLENGE_MS = 10 * MINUTE;
/** Codes that may be tried on one challenge. */
const MAX_ATTEMPTS = 5;
/** Mails of one challenge, the first among them. */
const MAX_SENDS = 3;
/** For one person, over challenges that were not answered rightly. */
const LIMIT_MS = 15 * MINUTE;
const MAX_WRONG = 15;
const MAX_CHALLENGES = 20;
const MAX_OPEN = 5;

export type FactorOwner = Pick<Row<'users'>, 'id' | 'email' | 'username' | 'company_id'>;

/** What a caller sends again with a call that asked for a second factor. */
export interface Proof {
  code: string;
  id: string;
  uuid: string;
}

/** The call that is to pass. */
export interface Guarded {
  user: FactorOwner;
  factors: Factors;
  /** Where passkeys of this call belong to. */
  site: Site | undefined;
  /** Empty for a sign-in. */
  sessionId: string;
  /** `hashRequest` of the call. */
  requestHash: string;
  origin: Origin;
  language: Language;
}

async function assertTriesLeft(ctx: Context, userId: number): Promise<void> {
  const now = ctx.clock.now();
  const { challenges, wrong, first } = await ctx.db
    .selectFrom('mfa_challenges')
    .select((eb) => [
      sql<number>`count(*)`.as('challenges'),
      sql<number>`coalesce(sum(attempts), 0)`.as('wrong'),
      eb.fn.min('created_at').as('first'),
    ])
    .where('user_id', '=', userId)
    .where('created_at', '>', now - LIMIT_MS)
    .executeTakeFirstOrThrow();
  if (Number(wrong) < MAX_WRONG && challenges < MAX_CHALLENGES) return;
  throw new TooManyRequests({ seconds: Math.max(1, Math.ceil((Number(first) + LIMIT_MS - now) / 1000)) });
}

async function mailCode(ctx: Context, { user, language }: Pick<Guarded, 'user' | 'language'>, code: string): Promise<void> {
  await sendMail(ctx, user.company_id, await writeMail(ctx, user.company_id, { to: user.email, kind: 'code', language, values: { code } }));
}

/** Asks for a second factor: what the caller must send again with the same call. A code goes out by mail when that is the method. */
async function openChallenge(ctx: Context, guarded: Guarded): Promise<AppError> {
  const { user, factors, sessionId, requestHash } = guarded;
  const method = methodOf(factors);
  await assertTriesLeft(ctx, user.id);
  const now = ctx.clock.now();
  const id = randomToken(16);
  const uuid = randomToken();
  const code = method === 'email' ? makeMailCode() : null;
  await inTransaction(ctx.db, async (trx) => {
    const newest = await trx
      .selectFrom('mfa_challenges')
      .select('id')
      .where('user_id', '=', user.id)
      .where('expires_at', '>', now)
      .orderBy('created_at', 'desc')
      .limit(MAX_OPEN - 1)
      .execute();
    // Few are open at a time: codes tried side by side on many would outrun the count of wrong ones.
    await trx
      .updateTable('mfa_challenges')
      .set({ expires_at: now })
      .where('user_id', '=', user.id)
      .where('expires_at', '>', now)
      .where('id', 'not in', ['', ...newest.map((row) => row.id)])
      .execute();
    await trx
      .insertInto('mfa_challenges')
      .values({
        id,
        uuid_hash: hashToken(uuid),
        user_id: user.id,
        session_id: sessionId,
        request_hash: requestHash,
        code_hash: code && hashCode(ctx, id, code),
        attempts: 0,
        sends: 1,
        expires_at: now + CHALLENGE_MS,
        created_at: now,
      })
      .execute();
  });
  if (code !== null) await mailCode(ctx, guarded, code);
  return new MfaRequired(
    {},
    {
      meta: {
        mfa_method: method,
        mfa_type: method,
        session_uuid: uuid,
        session_id: id,
        ...(method === 'provider' ? { provider_url: `${ctx.publicUrl()}/external?confirm=${id}` } : {}),
        ...passkeyMeta(ctx, guarded, id),
      },
    },
  );
}

/** What a passkey signs to answer a challenge: only this server can make it, and it lives as long as the challenge. */
function passkeyChallenge({ secretKey }: Pick<Context, 'secretKey'>, challengeId: string): string {
  return deriveToken(secretKey, 'passkey', challengeId);
}

function passkeyMeta(ctx: Context, { factors, site }: Guarded, challengeId: string): Record<string, string> {
  if (!site || factors.passkeys.length === 0) return {};
  return {
    passkey_challenge: passkeyChallenge(ctx, challengeId),
    passkey_ids: factors.passkeys.map((passkey) => passkey.credential_id).join(','),
  };
}

async function isRightPasskey(
  ctx: Context,
  { factors, site }: Guarded,
  challenge: Row<'mfa_challenges'>,
  response: string,
): Promise<boolean> {
  const passkey = factors.passkeys.find((one) => one.credential_id === credentialIdOf(response));
  const expected = passkeyChallenge(ctx, challenge.id);
  // The password was the first factor: holding the passkey is enough for the second.
  return passkey !== undefined && site !== undefined
    ? isSignedBy(ctx, passkey, { response, site, isExpected: (signed) => signed === expected, mustVerify: false })
    : false;
}

async function isRightCode(ctx: Context, guarded: Guarded, challenge: Row<'mfa_challenges'>, code: string): Promise<boolean> {
  if (code.startsWith('{')) return isRightPasskey(ctx, guarded, challenge, code);
  const factor = guarded.factors.byCode;
  if ((factor?.method === 'email' || guarded.factors.byProvider) && challenge.code_hash === hashCode(ctx, challenge.id, code)) return true;
  if (factor?.method === 'totp' && (await spendTotpCode(ctx, ctx.db, factor, code))) return true;
  return spendRecoveryCode(ctx, ctx.db, guarded.user.id, code);
}

async function auditWrongCode(ctx: Context, { user, origin }: Guarded): Promise<void> {
  const actor = { userId: user.id, name: user.username, onBehalfOf: null, tokenName: null };
  await inTransaction(ctx.db, (trx) =>
    writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [
      {
        action: 'account.mfa-failed',
        entity: 'user',
        entityId: user.id,
        entityName: user.username,
        companyId: user.company_id,
        before: null,
        after: null,
      },
    ]),
  );
}

/** Tries a code on the challenge that it names. `void`: that challenge is none, over, used up, or for somebody or something else. */
async function judgeProof(ctx: Context, guarded: Guarded, proof: Proof): Promise<'right' | 'wrong' | 'void'> {
  await assertTriesLeft(ctx, guarded.user.id);
  const challenge = await ctx.db
    .updateTable('mfa_challenges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', proof.id)
    .where('uuid_hash', '=', hashToken(proof.uuid))
    .where('user_id', '=', guarded.user.id)
    .where('session_id', '=', guarded.sessionId)
    .where('request_hash', '=', guarded.requestHash)
    .where('attempts', '<', MAX_ATTEMPTS)
    .where('expires_at', '>', ctx.clock.now())
    .returningAll()
    .executeTakeFirst();
  if (!challenge) return 'void';
  if (!(await isRightCode(ctx, guarded, challenge, proof.code.trim()))) {
    await auditWrongCode(ctx, guarded);
    return 'wrong';
  }
  // Of many calls with the same code, the one that takes the challenge away passes.
  const { numDeletedRows } = await ctx.db.deleteFrom('mfa_challenges').where('id', '=', challenge.id).executeTakeFirst();
  return numDeletedRows === 1n ? 'right' : 'void';
}

/**
 * Lets a call pass only with a right code of the person's second factor. Throws MFA_REQUIRED with what to send again, CONFIRMATION_FAILED at
 * `session_code` for a wrong code, TOO_MANY_REQUESTS. Rules: docs/behaviour.md section 4, Second factor.
 */
export async function requireSecondFactor(ctx: Context, guarded: Guarded, proof: Proof | undefined): Promise<void> {
  const verdict = proof ? await judgeProof(ctx, guarded, proof) : 'void';
  if (verdict === 'wrong') throw new ConfirmationFailed({}, { source: 'session_code' });
  if (verdict === 'void') throw await openChallenge(ctx, guarded);
}

/** Whether a challenge of this session waits for the identity provider. */
export async function isChallengeOpen(
  ctx: Pick<Context, 'db' | 'clock'>,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<boolean> {
  const open = await ctx.db
    .selectFrom('mfa_challenges')
    .select('id')
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  return open !== undefined;
}

/** A code for the challenge of a person who has just confirmed at the identity provider; undefined when it does not wait any more, or is somebody else's. */
export async function answerByProvider(
  ctx: Pick<Context, 'db' | 'clock' | 'secretKey'>,
  { id, userId }: { id: string; userId: number },
): Promise<string | undefined> {
  const code = makeMailCode();
  const { numUpdatedRows } = await ctx.db
    .updateTable('mfa_challenges')
    .set({ code_hash: hashCode(ctx, id, code) })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('code_hash', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  return numUpdatedRows === 1n ? code : undefined;
}

/** Sends a new code for an open challenge of a person whose second factor is the mail. Throws NOT_FOUND and TOO_MANY_REQUESTS. */
export async function resendCode(ctx: Context, { id, uuid, language }: { id: string; uuid: string; language: Language }): Promise<void> {
  const now = ctx.clock.now();
  const challenge = await ctx.reads
    .selectFrom('mfa_challenges')
    .innerJoin('users', 'users.id', 'mfa_challenges.user_id')
    .select([
      'mfa_challenges.user_id',
      'mfa_challenges.sends',
      'mfa_challenges.expires_at',
      'users.email',
      'users.username',
      'users.company_id',
    ])
    .where('mfa_challenges.id', '=', id)
    .where('uuid_hash', '=', hashToken(uuid))
    .where('code_hash', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!challenge || !(await findSecondFactor(ctx.reads, challenge.user_id))) throw new NotFound({});
  const code = makeMailCode();
  const { numUpdatedRows } = await ctx.db
    .updateTable('mfa_challenges')
    .set((eb) => ({ code_hash: hashCode(ctx, id, code), sends: eb('sends', '+', 1) }))
    .where('id', '=', id)
    .where('sends', '<', MAX_SENDS)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new TooManyRequests({ seconds: Math.max(1, Math.ceil((challenge.expires_at - now) / 1000)) });
  await mailCode(ctx, { user: { id: challenge.user_id, ...challenge }, language }, code);
}
