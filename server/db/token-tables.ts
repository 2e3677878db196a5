import type { Generated } from 'kysely';
import type { JsonText, Millis } from './schema.ts';

export interface AccessTokensTable {
  id: Generated<number>;
  user_id: number;
  /** The company in which it acts. */
  company_id: number;
  name: string;
  token_hash: string;
  /** The first characters, so that people can tell tokens apart. */
  token_hint: string;
  /** A JSON array of scopes (`devices:write`) and names of permissions. */
  scopes: JsonText;
  expires_at: Millis;
  last_used_at: Millis | null;
  last_used_ip: string | null;
  created_at: Millis;
}

/** A user that is a program: without a password, in one company, acting by access tokens. */
export interface ServiceAccountsTable {
  user_id: number;
  company_id: number;
  description: string;
}
