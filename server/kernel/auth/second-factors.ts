import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { MINUTE } from '../clock.ts';
import { findPasskeys, type Passkey } from './passkeys.ts';
import { openSealed, sealText } from '../seal.ts';
import { deriveToken } from './tokens.ts';

export type SecondFactor = Row<'second_factors'>;

// RFC 6238 as every authenticator app has it.
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after the present one that count, for clocks that differ. */
const WINDOW = 1;
/** A clock that was further off than this was wrong; smaller steps are waited for. */
const CLOCK_STEP_MS = 10 * MINUTE;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
// Letters and digits that nobody confuses: no I, L, O, U.
const RECOVERY_CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_LENGTH = 16;

/** The second factor by codes that a person has; undefined without one, and while it is not confirmed. */
export async function findSecondFactor(db: Db, userId: number): Promise<SecondFactor | undefined> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).where('confirmed_at', 'is not', null).executeTakeFirst();
}

/** All that a person can show beside the password. */
export interface Factors {
  byCode: SecondFactor | undefined;
  passkeys: Passkey[];
  /** Confirms at the identity provider, for want of anything else. */
  byProvider?: boolean;
}

/** The second factors of a person; undefined without any. */
export async function findFactors(db: Db, userId: number): Promise<Factors | undefined> {
  const byCode = await findSecondFactor(db, userId);
  const passkeys = await findPasskeys(db, userId);
  return byCode || passkeys.length > 0 ? { byCode, passkeys } : undefined;
}

/** Whether somebody's account is bound to one of the identity provider of this installation. */
export async function isBoundToProvider(ctx: Pick<Context, 'reads' | 'config'>, userId: number): Promise<boolean> {
  if (!ctx.config.oidc) return false;
  const bound = await ctx.reads.selectFrom('external_identities').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return bound !== undefined;
}

/** What a person is asked for first: a code, a passkey where there is nothing else, or the identity provider. */
export function methodOf(factors: Factors): SecondFactor['method'] | 'passkey' | 'provider' {
  if (factors.byProvider) return 'provider';
  return factors.byCode?.method ?? 'passkey';
}

function totpOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: 'Canopy', label, secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS });
}

/** What an app's secret is sealed for: nobody else's can be put in the place of one's own. */
export const totpPurpose = (userId: number): string => `totp ${userId}`;

/** A new TOTP secret: in base32, as the address that apps scan, and sealed for the database. */
export function makeTotp(key: Buffer, user: { id: number; email: string }): { secret: string; uri: string; sealed: string } {
  const secret = new Secret({ size: SECRET_BYTES });
  return { secret: secret.base32, uri: totpOf(secret, user.email).toString(), sealed: sealText(key, totpPurpose(user.id), secret.base32) };
}

/** The 30-second step that this code belongs to; undefined when it is wrong or too far from now. `at`: unix milliseconds. */
function stepOfCode(ctx: Pick<Context, 'secretKey'>, factor: SecondFactor, code: string, at: number): number | undefined {
  if (factor.sealed_secret === null || !/^\d{6}$/.test(code)) return undefined;
  const secret = Secret.fromBase32(openSealed(ctx.secretKey, totpPurpose(factor.user_id), factor.sealed_secret));
  const delta = totpOf(secret, '').validate({ token: code, timestamp: at, window: WINDOW });
  return delta === null ? undefined : Math.floor(at / 1000 / PERIOD_SECONDS) + delta;
}

/**
 * Whether a TOTP code is right and newer than the last one used; its step is used up by that, also when many calls try it at once. A last use
 * that lies ahead of the clock was noted by one that was wrong, or has been set back: it would keep its owner out until then.
 */
export async function spendTotpCode(
  ctx: Pick<Context, 'secretKey' | 'clock'>,
  db: Db,
  factor: SecondFactor,
  code: string,
): Promise<boolean> {
  const now = ctx.clock.now();
  const step = stepOfCode(ctx, factor, code, now);
  if (step === undefined) return false;
  const wrongClock = Math.floor((now + CLOCK_STEP_MS) / 1000 / PERIOD_SECONDS);
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', factor.user_id)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step), eb('last_step', '>', wrongClock)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A code of six digits for a mail. */
export function makeMailCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
}

/** What is stored of a short code: without the key it cannot be searched back. `place` binds it to its one use. */
export function hashCode({ secretKey }: Pick<Context, 'secretKey'>, place: string, code: string): string {
  return deriveToken(secretKey, 'code', `${place}\n${code}`);
}

function recoveryHash(ctx: Pick<Context, 'secretKey'>, userId: number, code: string): string {
  return hashCode(ctx, `recovery ${userId}`, code.toUpperCase().replace(/[\s-]/g, ''));
}

/** Replaces a person's recovery codes with ten new ones, such as `7K2M-Q9DX-R4TW-0ZHB`; only their hashes are kept. */
export async function renewRecoveryCodes(ctx: Pick<Context, 'secretKey' | 'clock'>, db: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const characters = Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_CHARACTERS[randomInt(RECOVERY_CHARACTERS.length)]).join('');
    return characters.replace(/(.{4})(?=.)/g, '$1-');
  });
  const created_at = ctx.clock.now();
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: recoveryHash(ctx, userId, code), created_at })))
    .execute();
  return codes;
}

/** Whether this is one of the person's recovery codes; it is used up by that. */
export async function spendRecoveryCode(ctx: Pick<Context, 'secretKey'>, db: Db, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', recoveryHash(ctx, userId, code))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Takes all second factors of a person away, with recovery codes and open questions. */
export async function removeSecondFactors(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await db.deleteFrom('mfa_challenges').where('user_id', '=', userId).execute();
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await db.deleteFrom('second_factors').where('user_id', '=', userId).execute();
}
