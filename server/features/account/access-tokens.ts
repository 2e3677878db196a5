import { sql } from 'kysely';
import type { AccessToken } from '../../../schemas/_generated/contract.ts';
import { permissionNames, type PermissionName } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { applyListQuery, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { hashToken, randomToken } from '../../kernel/auth/tokens.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { ScopeNotHeld } from './errors.ts';

const PREFIX = 'canopy_';
const HINT_LENGTH = PREFIX.length + 4;
const MAX_TOKENS = 50;

const columns: ListColumns = {
  id: sql.ref('access_tokens.id'),
  sorts: {
    name: { by: sql.ref('access_tokens.name') },
    expires_at: { by: sql.ref('access_tokens.expires_at') },
    last_used_at: { by: sql.ref('access_tokens.last_used_at'), isNullable: true },
    created_at: { by: sql.ref('access_tokens.created_at') },
  },
  filters: {},
};

function scopesOf(row: Row<'access_tokens'>): string[] {
  const scopes: unknown = JSON.parse(row.scopes);
  return Array.isArray(scopes) ? scopes.map(String) : [];
}

/** A token as its owner sees it; the secret itself is known only to the answer that made it. */
function presentAccessToken(row: Row<'access_tokens'>, token: string | null = null): AccessToken {
  return {
    id: row.id,
    name: row.name,
    token,
    token_hint: row.token_hint,
    scopes: scopesOf(row),
    expires_at: wireTime(row.expires_at),
    last_used_at: wireTime(row.last_used_at),
    last_used_ip: row.last_used_ip,
    created_at: wireTime(row.created_at),
  };
}

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
    const known = permissionNames.find((name): name is PermissionName => name === scope);
    if (known === undefined || !can(actor, known)) throw new ScopeNotHeld({ scope }, { source: `scopes.${index}` });
  });
}

/** Makes a personal access token. Throws SCOPE_NOT_HELD for a permission that the actor lacks. */
export async function createAccessToken(
  ctx: Context,
  { actor, origin }: Caller,
  input: { name: string; scopes: string[]; expires_in_days: number },
): Promise<AccessToken> {
  assertScopesHeld(actor, input.scopes);
  const at = ctx.clock.now();
  const token = PREFIX + randomToken();
  return inTransaction(ctx.db, async (trx) => {
    const { count } = await trx
      .selectFrom('access_tokens')
      .select(sql<number>`count(*)`.as('count'))
      .where('user_id', '=', actor.userId)
      .where('expires_at', '>', at)
      .executeTakeFirstOrThrow();
    if (count >= MAX_TOKENS)
      throw new InvalidFields([
        { source: 'name', message: `You have ${MAX_TOKENS} tokens already. Revoke one first.`, params: { max: MAX_TOKENS } },
      ]);
    const row = await trx
      .insertInto('access_tokens')
      .values({
        user_id: actor.userId,
        company_id: actor.companyId,
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
    await writeAudit(trx, { actor, origin, at }, [auditEntry('access-tokens.new', actor, row, 'after')]);
    return presentAccessToken(row, token);
  });
}

function auditEntry(action: string, actor: Actor, row: Row<'access_tokens'>, side: 'before' | 'after') {
  const { token_hash: _hash, ...kept } = row;
  return {
    action,
    entity: 'access_token',
    entityId: row.id,
    entityName: row.name,
    companyId: actor.companyId,
    before: side === 'before' ? kept : null,
    after: side === 'after' ? kept : null,
  };
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
    await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [auditEntry('access-tokens.remove', actor, row, 'before')]);
  });
}
