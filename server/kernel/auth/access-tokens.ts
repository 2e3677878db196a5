import { sql } from 'kysely';
import type { AccessToken } from '../../../schemas/_generated/contract.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { DAY, wireTime } from '../clock.ts';
import { InvalidFields } from '../errors.ts';
import { hashToken, randomToken } from './tokens.ts';

export const TOKEN_PREFIX = 'canopy_';
/** So many characters of a token are kept, so that people can distinguish tokens. */
export const HINT_LENGTH = TOKEN_PREFIX.length + 4;
const MAX_TOKENS = 50;

/** The scopes that a token was made with. */
export function tokenScopes(row: Pick<Row<'access_tokens'>, 'scopes'>): string[] {
  const scopes: unknown = JSON.parse(row.scopes);
  return Array.isArray(scopes) ? scopes.map(String) : [];
}

/** A token for the wire; the secret itself is known only to the answer that made it. */
export function presentAccessToken(row: Row<'access_tokens'>, token: string | null = null): AccessToken {
  return {
    id: row.id,
    name: row.name,
    token,
    token_hint: row.token_hint,
    scopes: tokenScopes(row),
    expires_at: wireTime(row.expires_at),
    last_used_at: wireTime(row.last_used_at),
    last_used_ip: row.last_used_ip,
    created_at: wireTime(row.created_at),
  };
}

export interface NewToken {
  name: string;
  scopes: string[];
  expires_in_days: number;
}

/** Adds a token of a user for one of their companies; answers the row and the secret. Throws INVALID_FIELD at `name` when they have too many. `at`: unix ms. */
export async function insertAccessToken(
  trx: Trx,
  owner: { userId: number; companyId: number },
  input: NewToken,
  at: number,
): Promise<{ row: Row<'access_tokens'>; token: string }> {
  const { count } = await trx
    .selectFrom('access_tokens')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', owner.userId)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  if (count >= MAX_TOKENS)
    throw new InvalidFields([
      { source: 'name', message: `There are ${MAX_TOKENS} tokens already. Revoke one first.`, params: { max: MAX_TOKENS } },
    ]);
  const token = TOKEN_PREFIX + randomToken();
  const row = await trx
    .insertInto('access_tokens')
    .values({
      user_id: owner.userId,
      company_id: owner.companyId,
      name: input.name,
      token_hash: hashToken(token),
      token_hint: token.slice(0, HINT_LENGTH),
      scopes: JSON.stringify(input.scopes),
      expires_at: at + input.expires_in_days * DAY,
      last_used_at: null,
      last_used_ip: null,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, token };
}

/** What the history keeps of a token: all but the hash. */
export function auditOfToken(action: string, row: Row<'access_tokens'>, side: 'before' | 'after') {
  const { token_hash: _hash, refresh_hash: _refresh, former_refresh_hash: _former, ...kept } = row;
  return {
    action,
    entity: 'access_token',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
    before: side === 'before' ? kept : null,
    after: side === 'after' ? kept : null,
  };
}
