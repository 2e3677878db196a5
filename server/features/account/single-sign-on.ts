import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { ok } from '../../kernel/answer.ts';
import { answerSignedIn } from '../../domain/users/answer-signed-in.ts';
import { refreshTokenOf } from '../../kernel/auth/authenticate.ts';
import { answerByProvider, isChallengeOpen, requireSecondFactor } from '../../kernel/auth/challenges.ts';
import { isSecureSite } from '../../kernel/auth/cookies.ts';
import { siteOf } from '../../kernel/auth/passkeys.ts';
import { hashRequest } from '../../kernel/auth/proof.ts';
import { findFactors } from '../../kernel/auth/second-factors.ts';
import { findSessionOf } from '../../kernel/auth/sessions.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { originOf } from '../../kernel/origin.ts';
import { route, type App } from '../../kernel/route.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { Type } from '../../kernel/type.ts';
import { ExternalSignInFailed } from './errors.ts';
import { requireExternalUser } from './external-identity.ts';
import { createOidcClient, type ExternalIdentity, type OidcClient, type OidcFlow } from './oidc-client.ts';
import { startSession } from './sign-in.ts';

const FLOW_MS = 10 * MINUTE;
const PER_MINUTE = 120;
const SEAL = 'external sign-in';
const tag = 'account';

/** What the browser keeps between the calls, sealed: first what the provider's answer must match, then who it was. */
type Kept = OidcFlow & { at: number; userId?: number; challengeId?: string };

const cookieName = (ctx: Context): string => `${isSecureSite(ctx) ? '__Host-' : ''}canopy_external`;
const redirectUri = (ctx: Context): string => `${ctx.publicUrl()}/external`;

function keep(ctx: Context, reply: FastifyReply, kept: Kept): void {
  const options = { path: '/', httpOnly: true, secure: isSecureSite(ctx), sameSite: 'lax', maxAge: FLOW_MS / 1000 } as const;
  reply.setCookie(cookieName(ctx), sealText(ctx.secretKey, SEAL, JSON.stringify(kept)), options);
}

/** What was kept for the answer with this state. Throws EXTERNAL_SIGN_IN_FAILED. */
function requireKept(ctx: Context, request: FastifyRequest, state: string | null): Kept {
  const sealed = request.cookies[cookieName(ctx)];
  try {
    const kept = JSON.parse(openSealed(ctx.secretKey, SEAL, sealed ?? '')) as Kept;
    if (kept.state === state && ctx.clock.now() - kept.at < FLOW_MS) return kept;
  } catch {
    // Nothing kept, or not by this server: answered as below.
  }
  throw new ExternalSignInFailed({});
}

/** Runs a step with the provider; what it says is logged, never shown. Throws EXTERNAL_SIGN_IN_FAILED. */
async function ask<T>(ctx: Context, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    ctx.log.warn({ err: error }, 'the identity provider could not be used');
    throw new ExternalSignInFailed({}, { cause: error });
  }
}

/** The code that lets the waiting call pass: the person who confirmed must be the person who makes it. Throws EXTERNAL_SIGN_IN_FAILED. */
async function confirmChallenge(ctx: Context, id: string, { issuer, subject }: ExternalIdentity): Promise<string> {
  const bound = await ctx.reads
    .selectFrom('external_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  const code = bound && (await answerByProvider(ctx, { id, userId: bound.user_id }));
  if (code === undefined) throw new ExternalSignInFailed({});
  return code;
}

async function finish(ctx: Context, client: OidcClient, call: { query: string; request: FastifyRequest; reply: FastifyReply }) {
  const { request, reply } = call;
  const origin = originOf(request);
  const address = new URL(redirectUri(ctx));
  address.search = call.query;
  const kept = requireKept(ctx, request, address.searchParams.get('state'));
  if (kept.challengeId !== undefined) {
    reply.clearCookie(cookieName(ctx), { path: '/' });
    const identity = await ask(ctx, client.finish(address, kept, { isAgain: true }));
    return ok({ code: await confirmChallenge(ctx, kept.challengeId, identity) });
  }
  // A code works once: the second try of this call, with a code of the second factor, goes by what the first one found.
  const user =
    kept.userId === undefined
      ? await requireExternalUser(ctx, await ask(ctx, client.finish(address, kept)), origin)
      : await ctx.reads.selectFrom('users').selectAll().where('id', '=', kept.userId).executeTakeFirst();
  if (!user) throw new ExternalSignInFailed({});
  keep(ctx, reply, { ...kept, userId: user.id });
  const factors = await findFactors(ctx.reads, user.id);
  if (factors) {
    const [requestHash, language, site] = [hashRequest(ctx, request), languageOfCall(request.headers), siteOf(ctx, request.headers)];
    await requireSecondFactor(ctx, { user, factors, sessionId: '', requestHash, origin, language, site }, request.proof);
  }
  reply.clearCookie(cookieName(ctx), { path: '/' });
  const former = refreshTokenOf(ctx, request.headers);
  const formerSessionId = former === undefined ? undefined : await findSessionOf(ctx.reads, former, ctx.clock.now());
  return answerSignedIn(ctx, reply, await startSession(ctx, user, { action: 'account.login-external', origin, formerSessionId }));
}

/** Registers signing in with the accounts of an identity provider (OpenID Connect), where the settings name one. */
export function registerSingleSignOn(app: App): void {
  const { oidc } = app.ctx.config;
  const client = oidc && createOidcClient(oidc);
  route(app, {
    method: 'POST',
    path: '/account/external/begin',
    access: 'public',
    summary: 'Where the browser goes to sign in with an external account.',
    tag,
    ratePerMinute: PER_MINUTE,
    async handler({ ctx, reply }) {
      if (!client) throw new NotFound({});
      const { url, flow } = await ask(ctx, client.begin(redirectUri(ctx)));
      keep(ctx, reply, { ...flow, at: ctx.clock.now() });
      return ok({ url });
    },
  });
  route(app, {
    method: 'POST',
    path: '/account/external/confirm',
    access: 'signed-in',
    summary: 'Where the browser goes to confirm a call that answered MFA_REQUIRED at the identity provider.',
    tag,
    ratePerMinute: PER_MINUTE,
    onlyInPerson: true,
    body: Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
    async handler({ ctx, actor, body, reply }) {
      const id = body.session_id;
      if (!client || actor.sessionId === undefined || !(await isChallengeOpen(ctx, { id, sessionId: actor.sessionId })))
        throw new NotFound({});
      const { url, flow } = await ask(ctx, client.begin(redirectUri(ctx), { isAgain: true }));
      keep(ctx, reply, { ...flow, at: ctx.clock.now(), challengeId: id });
      return ok({ url });
    },
  });
  route(app, {
    method: 'POST',
    path: '/account/external',
    access: 'public',
    summary: 'Signs in with what the identity provider sent the browser back with.',
    tag,
    ratePerMinute: PER_MINUTE,
    proof: 'sign-in',
    body: Type.Object({ query: Type.String({ minLength: 1, maxLength: 4096 }) }, { additionalProperties: false }),
    async handler({ ctx, body, request, reply }) {
      if (!client) throw new NotFound({});
      return finish(ctx, client, { query: body.query, request, reply });
    },
  });
}
