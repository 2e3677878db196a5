import type { CurrentUser } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { tokenScopes } from '../../kernel/auth/access-tokens.ts';

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** What the public API documents of the current user beyond the console's record: the token that calls, and what it was made for. Times are unix seconds. */
export async function documentUser(ctx: Pick<Context, 'reads' | 'config'>, actor: Actor, user: CurrentUser) {
  const row =
    actor.tokenId === undefined
      ? undefined
      : await ctx.reads.selectFrom('access_tokens').selectAll().where('id', '=', actor.tokenId).executeTakeFirst();
  const token = row && {
    jti: String(row.id),
    iss: ctx.config.publicUrl ?? null,
    iat: seconds(row.created_at),
    nbf: seconds(row.created_at),
    exp: seconds(row.expires_at),
    sub: String(actor.userId),
    client_id: String(row.id),
    first_party: false,
  };
  return {
    ...user,
    avatar_path: user.avatar_url,
    terms_conditions: user.tos_accepted,
    scope: row ? tokenScopes(row) : [],
    token: token ?? null,
  };
}
