import { sql } from 'kysely';
import type { AccessToken } from '../../../schemas/_generated/contract.ts';
import { permissionNames } from '../../../schemas/_generated/contract.ts';
import { permissionsOfScope } from '../../../schemas/kit/resources/token-scopes.ts';
import type { Context } from '../../context.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { auditOfToken, insertAccessToken, presentAccessToken, type NewToken } from '../../kernel/auth/access-tokens.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { ScopeNotHeld } from './errors.ts';

const columns: ListColumns = {
  id: sql.ref('access_tokens.id'),
  sorts: {
    name: byText('access_tokens.name'),
    expires_at: { by: sql.ref('access_tokens.expires_at') },
    last_used_at: { by: sql.ref('access_tokens.last_used_at'), isNullable: true },
    created_at: { by: sql.ref('access_tokens.created_at') },
  },
  filters: {},
};

/** One page of the actor's own tokens. */
export async function listAccessTokens(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: AccessToken[]; total: number }> {
  const base = ctx.reads.selectFrom('access_tokens').selectAll().where('user_id', '=', actor.userId);
  const { rows, total } = await applyListQuery(base, query, columns);
  return { rows: rows.map((row) => presentAccessToken(row)), total };
}

/** One of the actor's own tokens. Throws NOT_FOUND. */
export async function getAccessToken(ctx: Context, actor: Actor, id: number): Promise<AccessToken> {
  const row = await ctx.reads
    .selectFrom('access_tokens')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .executeTakeFirst();
  if (!row) throw new NotFound({});
  return presentAccessToken(row);
}

function assertScopesHeld(actor: Actor, scopes: readonly string[]): void {
  scopes.forEach((scope, index) => {
    const permissions = permissionsOfScope(scope, permissionNames);
    if (!permissions.some((permission) => can(actor, permission))) throw new ScopeNotHeld({ scope }, { source: `scopes.${index}` });
  });
}

/** Makes a personal access token. Throws SCOPE_NOT_HELD for a scope of which the actor holds nothing, INVALID_FIELD at `name` for one token too many. */
export async function createAccessToken(ctx: Context, { actor, origin }: Caller, input: NewToken): Promise<AccessToken> {
  assertScopesHeld(actor, input.scopes);
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const { row, token } = await insertAccessToken(trx, actor, input, at);
    await writeAudit(trx, { actor, origin, at }, [auditOfToken('access-tokens.new', row, 'after')]);
    return presentAccessToken(row, token);
  });
}

/** Revokes one of the actor's own tokens. Throws NOT_FOUND. */
export async function removeAccessToken(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const row = await trx
      .deleteFrom('access_tokens')
      .where('id', '=', id)
      .where('user_id', '=', actor.userId)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new NotFound({});
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [auditOfToken('access-tokens.remove', row, 'before')]);
    afterCommit(trx, () => ctx.live.closeSockets({ tokenId: id }));
  });
}
