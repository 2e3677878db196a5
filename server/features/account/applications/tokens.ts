import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Row, Trx } from '../../../db/schema.ts';
import type { Origin } from '../../../kernel/actor.ts';
import { writeAudit } from '../../../kernel/audit.ts';
import { auditOfToken, HINT_LENGTH, TOKEN_PREFIX, tokenScopes } from '../../../kernel/auth/access-tokens.ts';
import { findUserActor } from '../../../kernel/auth/find-actor.ts';
import { hashToken, isSameText, randomToken } from '../../../kernel/auth/tokens.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { afterCommit, inTransaction } from '../../../kernel/db/database.ts';
import { defineError } from '../../../kernel/errors.ts';
import { findClient, textsOf, type ApplicationRow } from './repo.ts';

export const GrantRefused = defineError<{ reason: string }>('GRANT_REFUSED');

const ACCESS_MS = 1 * HOUR;
/** Without a refresh for so long, what was allowed ends. */
const REFRESH_MS = 30 * DAY;

/** What a program sends to get, renew or end a token; unknown members were left out. */
export interface TokenRequest {
  grant_type?: string | undefined;
  code?: string | undefined;
  redirect_uri?: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
  code_verifier?: string | undefined;
  refresh_token?: string | undefined;
  scope?: string | undefined;
}

/** RFC 6749, 5.2. */
export interface TokenRefusal {
  error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type' | 'invalid_scope';
  reason: string;
}

/** RFC 6749, 5.1. */
export interface IssuedToken {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

const refuse = (error: TokenRefusal['error'], reason: string): TokenRefusal => ({ error, reason });
export const NO_CLIENT = refuse('invalid_client', 'There is no application with this client_id and client_secret.');
const WRONG_GRANT = refuse('invalid_grant', 'The code or token is unknown, used, expired, or of another application.');

/** Name and secret of the application, from the header (RFC 6749, 2.3.1) or the body. */
function credentialsOf(header: string | undefined, request: TokenRequest): { id: string; secret: string | undefined } | undefined {
  const [, encoded] = /^Basic +([\w+/=-]{1,400})$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return request.client_id === undefined ? undefined : { id: request.client_id, secret: request.client_secret };
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) };
  } catch {
    return undefined;
  }
}

/** The application that calls, by its secret where it has one; undefined for a wrong one. */
export async function authenticateClient(
  ctx: Context,
  header: string | undefined,
  request: TokenRequest,
): Promise<ApplicationRow | undefined> {
  const given = credentialsOf(header, request);
  const application = given && (await findClient(ctx.reads, given.id, ctx.clock.now()));
  if (!application) return undefined;
  if (application.secret_hash === null) return application;
  return given?.secret !== undefined && isSameText(hashToken(given.secret), application.secret_hash) ? application : undefined;
}

function makePair(at: number) {
  const access = TOKEN_PREFIX + randomToken();
  const refresh = randomToken();
  return {
    access,
    refresh,
    columns: {
      token_hash: hashToken(access),
      token_hint: access.slice(0, HINT_LENGTH),
      refresh_hash: hashToken(refresh),
      access_expires_at: at + ACCESS_MS,
      expires_at: at + REFRESH_MS,
    },
  };
}

function issued({ access, refresh }: { access: string; refresh: string }, scopes: readonly string[]): IssuedToken {
  return { access_token: access, token_type: 'Bearer', expires_in: ACCESS_MS / 1000, refresh_token: refresh, scope: scopes.join(' ') };
}

/** Ends what an application was allowed: its token and all that hangs on it. */
async function endToken(ctx: Context, trx: Trx, row: Row<'access_tokens'>, origin: Origin): Promise<void> {
  const at = ctx.clock.now();
  await trx.deleteFrom('access_tokens').where('id', '=', row.id).execute();
  await writeAudit(trx, { actor: null, origin, at }, [auditOfToken('access-tokens.remove', row, 'before')]);
  afterCommit(trx, () => ctx.live.closeSockets({ tokenId: row.id }));
}

async function takeCode(ctx: Context, trx: Trx, application: ApplicationRow, request: TokenRequest, origin: Origin) {
  const code = await trx
    .selectFrom('application_codes')
    .selectAll()
    .where('code_hash', '=', hashToken(request.code ?? ''))
    .where('application_id', '=', application.id)
    .executeTakeFirst();
  if (!code) return undefined;
  const { numUpdatedRows } = await trx
    .updateTable('application_codes')
    .set({ token_id: 0 })
    .where('code_hash', '=', code.code_hash)
    .where('token_id', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return code;
  // Used before: one of the two was not the application (RFC 6749, 4.1.2).
  const row = await trx
    .selectFrom('access_tokens')
    .selectAll()
    .where('id', '=', code.token_id ?? 0)
    .executeTakeFirst();
  if (row) await endToken(ctx, trx, row, origin);
  return undefined;
}

async function exchangeCode(ctx: Context, application: ApplicationRow, request: TokenRequest, origin: Origin) {
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx): Promise<IssuedToken | TokenRefusal> => {
    const code = await takeCode(ctx, trx, application, request, origin);
    if (!code || code.expires_at <= at || code.redirect_uri !== request.redirect_uri) return WRONG_GRANT;
    const challenge = createHash('sha256')
      .update(request.code_verifier ?? '')
      .digest('base64url');
    if (!isSameText(challenge, code.challenge)) return refuse('invalid_grant', 'The code_verifier does not fit the code_challenge.');
    const actor = await findUserActor({ reads: trx, config: ctx.config }, { userId: code.user_id, companyId: code.company_id });
    if (!actor) return WRONG_GRANT;
    const pair = makePair(at);
    const row = await trx
      .insertInto('access_tokens')
      .values({
        user_id: code.user_id,
        company_id: code.company_id,
        name: application.name,
        scopes: code.scopes,
        last_used_at: null,
        last_used_ip: null,
        created_at: at,
        application_id: application.id,
        ...pair.columns,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await trx.updateTable('application_codes').set({ token_id: row.id }).where('code_hash', '=', code.code_hash).execute();
    await writeAudit(trx, { actor, origin, at }, [auditOfToken('access-tokens.new', row, 'after')]);
    return issued(pair, textsOf(code.scopes));
  });
}

async function refresh(ctx: Context, application: ApplicationRow, request: TokenRequest, origin: Origin) {
  const at = ctx.clock.now();
  const hash = hashToken(request.refresh_token ?? '');
  return inTransaction(ctx.db, async (trx): Promise<IssuedToken | TokenRefusal> => {
    const row = await trx
      .selectFrom('access_tokens')
      .selectAll()
      .where('application_id', '=', application.id)
      .where((eb) => eb.or([eb('refresh_hash', '=', hash), eb('former_refresh_hash', '=', hash)]))
      .executeTakeFirst();
    if (!row || row.expires_at <= at) return WRONG_GRANT;
    if (row.refresh_hash !== hash) {
      await endToken(ctx, trx, row, origin);
      return WRONG_GRANT;
    }
    const actor = await findUserActor({ reads: trx, config: ctx.config }, { userId: row.user_id, companyId: row.company_id });
    if (!actor?.companyPath.startsWith(application.company_path)) return WRONG_GRANT;
    const scopes = tokenScopes(row);
    const asked = request.scope?.split(' ').filter((scope) => scope !== '') ?? [];
    if (asked.some((scope) => !scopes.includes(scope)))
      return refuse('invalid_scope', 'A refreshed token has the scopes of the first one.');
    const pair = makePair(at);
    const { numUpdatedRows } = await trx
      .updateTable('access_tokens')
      .set({ ...pair.columns, former_refresh_hash: hash })
      .where('id', '=', row.id)
      .where('refresh_hash', '=', hash)
      .executeTakeFirst();
    return numUpdatedRows === 1n ? issued(pair, scopes) : WRONG_GRANT;
  });
}

/** Gives an application a token for a code or for a refresh token (RFC 6749, 4.1.3 and 6), or says why not. */
export async function issueToken(
  ctx: Context,
  { header, request, origin }: { header: string | undefined; request: TokenRequest; origin: Origin },
): Promise<IssuedToken | TokenRefusal> {
  const application = await authenticateClient(ctx, header, request);
  if (!application) return NO_CLIENT;
  if (request.grant_type === 'authorization_code') return exchangeCode(ctx, application, request, origin);
  if (request.grant_type === 'refresh_token') return refresh(ctx, application, request, origin);
  return refuse('unsupported_grant_type', 'Use the grant type authorization_code or refresh_token.');
}

/** Ends what the access or refresh token of an application stands for (RFC 7009); unknown tokens are as good as ended. */
export async function revokeTokenOf(ctx: Context, application: ApplicationRow, token: string, origin: Origin): Promise<void> {
  const hash = hashToken(token);
  await inTransaction(ctx.db, async (trx) => {
    const row = await trx
      .selectFrom('access_tokens')
      .selectAll()
      .where('application_id', '=', application.id)
      .where((eb) => eb.or([eb('refresh_hash', '=', hash), eb('token_hash', '=', hash)]))
      .executeTakeFirst();
    if (row) await endToken(ctx, trx, row, origin);
  });
}
