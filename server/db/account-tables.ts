import type { Millis } from './column-types.ts';

/** A link that was mailed to somebody: works once, until it expires. */
export interface AccountLinksTable {
  /** SHA-256 of the token after the `#` of the link. */
  token_hash: string;
  kind: 'password' | 'email';
  user_id: number;
  /** The address that the link was sent to; for `email` the new one. */
  email: string;
  expires_at: Millis;
  created_at: Millis;
}

export interface AvatarsTable {
  user_id: number;
  /** Names this very picture in its address. */
  key: string;
  /** `image/png`, `image/jpeg` or `image/webp`. */
  type: string;
  /** base64 */
  bytes: string;
}

/** Which account of an identity provider a person signs in with. */
export interface ExternalIdentitiesTable {
  issuer: string;
  /** The account's own number at the provider, which never changes. */
  subject: string;
  user_id: number;
  created_at: Millis;
}
