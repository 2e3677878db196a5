import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { MINUTE } from '../clock.ts';
import { hashToken, randomToken } from './tokens.ts';

export type Passkey = Row<'passkeys'>;

const CHALLENGE_MS = 10 * MINUTE;

/** The site that passkeys belong to (WebAuthn's relying party): its host name and its origin. */
export interface Site {
  id: string;
  origin: string;
}

/** The site as the caller's browser sees it; undefined where browsers have no passkeys: at a bare IP address, and without https but on localhost. */
export function siteOf(ctx: Pick<Context, 'publicUrl' | 'config'>, headers: IncomingHttpHeaders): Site | undefined {
  const url = URL.parse(ctx.config.publicUrl ?? (headers.host ? `http://${headers.host}` : ctx.publicUrl()));
  if (!url || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  if (url.protocol !== 'https:' && url.hostname !== 'localhost') return undefined;
  return { id: url.hostname, origin: url.origin };
}

/** A person's passkeys, the oldest first. */
export function findPasskeys(db: Db, userId: number): Promise<Passkey[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

/** A new challenge to be signed: for this person, or for anyone who signs in. It works once, for ten minutes. */
export async function makePasskeyChallenge(ctx: Pick<Context, 'db' | 'clock'>, userId: number | null): Promise<string> {
  const challenge = randomToken();
  const now = ctx.clock.now();
  await ctx.db
    .insertInto('passkey_challenges')
    .values({ challenge_hash: hashToken(challenge), user_id: userId, expires_at: now + CHALLENGE_MS })
    .execute();
  return challenge;
}

/** Whether this challenge was made for this person (`null`: for anyone who signs in) and not used yet; it is used up by that. */
export async function spendPasskeyChallenge(
  ctx: Pick<Context, 'db' | 'clock'>,
  userId: number | null,
  challenge: string,
): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashToken(challenge))
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

const BINARY_MEMBERS = new Set(['id', 'rawId', 'clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']);
// RFC 4648 section 5 without padding: one character after groups of four makes no byte, and decoders pass over it.
const BASE64URL = /^(?:[\w-]{4})*(?:[\w-]{2,3})?$/;

/** What an authenticator answers, from JSON as the browser gives it; undefined for other texts, and for bytes that are no whole base64url. */
function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (BINARY_MEMBERS.has(key) && typeof value === 'string' && !BASE64URL.test(value)) throw new SyntaxError(`No base64url at ${key}`);
      return value;
    });
  } catch {
    return undefined;
  }
}

/** The id of the credential that signed; undefined for a text that is no answer of an authenticator. */
export function credentialIdOf(response: string): string | undefined {
  const parsed = readAnswer(response);
  return typeof parsed === 'object' && parsed !== null && 'id' in parsed && typeof parsed.id === 'string' ? parsed.id : undefined;
}

/**
 * Whether an authenticator's answer (JSON as the browser gives it) is signed by this passkey over a challenge that `isExpected` takes. With
 * `mustVerify` the authenticator must have asked for a fingerprint, a face or a PIN. Notes the use and the signature counter.
 */
export async function isSignedBy(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  passkey: Passkey,
  {
    response,
    site,
    isExpected,
    mustVerify,
  }: { response: string; site: Site; isExpected(challenge: string): boolean | Promise<boolean>; mustVerify: boolean },
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // The library checks every member itself and throws.
      response: readAnswer(response) as AuthenticationResponseJSON,
      expectedChallenge: isExpected,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: mustVerify,
      credential: { id: passkey.credential_id, publicKey: Buffer.from(passkey.public_key, 'base64url'), counter: passkey.counter },
    });
    if (!verified) return false;
    const changes = { counter: authenticationInfo.newCounter, last_used_at: ctx.clock.now() };
    await ctx.db.updateTable('passkeys').set(changes).where('id', '=', passkey.id).execute();
    return true;
  } catch (error) {
    ctx.log.info({ err: error }, 'the answer of an authenticator was refused');
    return false;
  }
}

/** What an authenticator made, checked; undefined when it is not for this site or a challenge that `isExpected` takes. */
export async function readNewPasskey(
  ctx: Pick<Context, 'log'>,
  { response, site, isExpected }: { response: string; site: Site; isExpected(challenge: string): boolean | Promise<boolean> },
): Promise<Pick<Passkey, 'credential_id' | 'public_key' | 'counter' | 'transports'> | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: readAnswer(response) as RegistrationResponseJSON,
      expectedChallenge: isExpected,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: false,
    });
    if (!verified || !registrationInfo) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter, transports: transports.join(',') };
  } catch (error) {
    ctx.log.info({ err: error }, 'a new passkey was refused');
    return undefined;
  }
}
