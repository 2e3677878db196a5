import type { Generated } from 'kysely';
import type { JsonText, Millis } from './column-types.ts';

export interface AccessTokensTable {
  id: Generated<number>;
  user_id: number;
  /** The company in which it acts. */
  company_id: number;
  name: string;
  token_hash: string;
  /** The first characters, so that people can distinguish tokens. */
  token_hint: string;
  /** A JSON array of scopes (`devices:write`) and names of permissions. */
  scopes: JsonText;
  expires_at: Millis;
  last_used_at: Millis | null;
  last_used_ip: string | null;
  created_at: Millis;
  /** The application that its owner authorized; its token is renewed by a refresh token until `expires_at`. */
  application_id: Generated<number | null>;
  /** When the token that is out now ends; null: with `expires_at`. */
  access_expires_at: Generated<Millis | null>;
  refresh_hash: Generated<string | null>;
  /** The refresh token before: anyone who comes with it has stolen one of the two. */
  former_refresh_hash: Generated<string | null>;
}

/** A third-party application that people of a company and those below it can authorize. */
export interface ApplicationsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  description: string;
  client_id: string;
  /** null: an application that can keep no secret; PKCE alone protects its codes. */
  secret_hash: string | null;
  /** A JSON array of addresses. */
  redirect_uris: JsonText;
  /** A JSON array: all that it may ever ask for. */
  scopes: JsonText;
  created_at: Millis;
  updated_at: Millis;
}

/** What an application was allowed, until it fetches the token for it. */
export interface ApplicationCodesTable {
  code_hash: string;
  application_id: number;
  user_id: number;
  company_id: number;
  redirect_uri: string;
  scopes: JsonText;
  /** SHA-256 of the verifier, base64url. */
  challenge: string;
  expires_at: Millis;
  /** The token that was fetched with it; a second try ends that one. */
  token_id: number | null;
}

/** A user that is a program: without a password, in one company, acting by access tokens. */
export interface ServiceAccountsTable {
  user_id: number;
  company_id: number;
  description: string;
}
