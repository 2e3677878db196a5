import type { Generated } from 'kysely';
import type { Millis } from './column-types.ts';

/** A person's second factor; not asked for before it is confirmed. */
export interface SecondFactorsTable {
  user_id: number;
  method: 'totp' | 'email';
  /** TOTP: the base32 secret, sealed with the secret key. */
  sealed_secret: string | null;
  /** TOTP: the last 30-second step whose code was used; it and older ones are refused. */
  last_step: number | null;
  /** E-mail: the code that was sent to confirm the address. */
  code_hash: string | null;
  /** Wrong codes while it is confirmed. */
  attempts: number;
  confirmed_at: Millis | null;
  created_at: Millis;
}

export interface RecoveryCodesTable {
  user_id: number;
  code_hash: string;
  created_at: Millis;
}

/** One question for a second factor: for one call of one session (or one sign-in), answered once. */
export interface MfaChallengesTable {
  id: string;
  uuid_hash: string;
  user_id: number;
  /** Empty for a sign-in. */
  session_id: string;
  /** Method, path and body of the call that it lets pass. */
  request_hash: string;
  code_hash: string | null;
  attempts: number;
  sends: number;
  expires_at: Millis;
  created_at: Millis;
}

/** A public key whose private half a person's device or password manager holds (WebAuthn). */
export interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  /** As the person calls it. */
  name: string;
  /** base64url, as the authenticator chose it. */
  credential_id: string;
  /** base64url of the COSE key. */
  public_key: string;
  /** Signatures so far, as the authenticator counts them; 0 for those that do not. */
  counter: number;
  /** How it is reached (`internal,hybrid`), for the browser. */
  transports: string;
  last_used_at: Millis | null;
  created_at: Millis;
}

/** What an authenticator is to sign, once. */
export interface PasskeyChallengesTable {
  challenge_hash: string;
  /** null: anyone who signs in. */
  user_id: number | null;
  expires_at: Millis;
}
