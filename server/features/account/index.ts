import { can } from '../../kernel/actor.ts';
import { created, ok } from '../../kernel/answer.ts';
import { hashRequest } from '../../kernel/auth/proof.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { refreshTokenOf } from '../../kernel/auth/authenticate.ts';
import { findSignOutLocation } from './applications/authorize.ts';
import { registerApplications, revokeForApplication } from './applications/index.ts';
import { answerSignedIn } from '../../domain/users/answer-signed-in.ts';
import { clearSessionCookies } from '../../kernel/auth/cookies.ts';
import { ActingEnded } from '../../kernel/auth/errors.ts';
import { getCurrentUser } from '../../domain/users/current-user.ts';
import { allPermissions, pagePermissions, permissionRules } from '../../kernel/auth/permission-list.ts';
import { makePasskeyChallenge, siteOf } from '../../kernel/auth/passkeys.ts';
import { findSessionOf } from '../../kernel/auth/sessions.ts';
import { createSignInLimits } from '../../kernel/auth/sign-in-limits.ts';
import { AppError, Unauthorized } from '../../kernel/errors.ts';
import { formRoute, publicFormRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { documentUser } from './documented-user.ts';
import { confirmPassword } from './confirm-password.ts';
import { pageScopes, scopeRules } from './scopes.ts';
import { createAccessToken, getAccessToken, listAccessTokens, removeAccessToken } from './access-tokens.ts';
import { registerOwnAccount } from './own-account-routes.ts';
import { signInByPasskey } from './passkey-sign-in.ts';
import { registerSingleSignOn } from './single-sign-on.ts';
import { renewSession, signIn, signOut } from './sign-in.ts';

const LOGINS_PER_MINUTE = 120;
const tag = 'account';

function registerSession(app: App): void {
  const limits = createSignInLimits(app.ctx.clock);
  publicFormRoute(
    app,
    'account/login',
    async ({ ctx, body, origin, request, reply }) => {
      const former = refreshTokenOf(ctx, request.headers);
      const formerSessionId = former === undefined ? undefined : await findSessionOf(ctx.reads, former, ctx.clock.now());
      const asked = {
        proof: request.proof,
        requestHash: hashRequest(ctx, request),
        language: languageOfCall(request.headers),
        site: siteOf(ctx, request.headers),
      };
      return answerSignedIn(ctx, reply, await signIn(ctx, limits, { ...body, origin, formerSessionId, ...asked }));
    },
    { ratePerMinute: LOGINS_PER_MINUTE, proof: 'sign-in' },
  );
  route(app, {
    method: 'POST',
    path: '/account/passkey/options',
    access: 'public',
    summary: 'What the browser needs to sign in with a passkey.',
    tag,
    ratePerMinute: LOGINS_PER_MINUTE,
    handler: async ({ ctx }) => ok({ challenge: await makePasskeyChallenge(ctx, null), userVerification: 'required' }),
  });
  route(app, {
    method: 'POST',
    path: '/account/passkey',
    access: 'public',
    summary: 'Signs in with a passkey.',
    tag,
    ratePerMinute: LOGINS_PER_MINUTE,
    body: Type.Object({ response: Type.String({ minLength: 2, maxLength: 8192 }) }, { additionalProperties: false }),
    async handler({ ctx, body, origin, request, reply }) {
      const former = refreshTokenOf(ctx, request.headers);
      const formerSessionId = former === undefined ? undefined : await findSessionOf(ctx.reads, former, ctx.clock.now());
      const site = siteOf(ctx, request.headers);
      return answerSignedIn(ctx, reply, await signInByPasskey(ctx, { response: body.response, site, origin, formerSessionId }));
    },
  });
  route(app, {
    method: 'GET',
    path: '/user',
    access: 'signed-in',
    tokens: 'all',
    serves: ['terms'],
    summary: 'Who is signed in, and what it may do.',
    tag,
    async handler({ ctx, actor }) {
      const user = await getCurrentUser(ctx, actor);
      if (!isProgram(actor)) return ok(user);
      // Programs read it flat, as it is documented, or in `data` like every other record.
      const record = await documentUser(ctx, actor, user);
      return { status: 200, body: { ...record, success: true, data: record } };
    },
  });
  route(app, {
    method: 'POST',
    path: '/account/token/refresh',
    access: 'public',
    summary: 'Renews the session of the refresh cookie.',
    tag,
    async handler({ ctx, origin, request, reply }) {
      const token = refreshTokenOf(ctx, request.headers);
      if (token === undefined) throw new Unauthorized({});
      try {
        return await answerSignedIn(ctx, reply, await renewSession(ctx, token, origin));
      } catch (error) {
        if (error instanceof AppError && error.status === 401 && !(error instanceof ActingEnded)) clearSessionCookies(ctx, reply);
        throw error;
      }
    },
  });
  route(app, {
    method: 'POST',
    path: '/account/token/revoke',
    access: 'public',
    summary: 'Signs out; with `token`, ends the access or refresh token of an application instead (RFC 7009).',
    tag,
    takesForm: true,
    body: Type.Object(
      {
        client_id: Type.Optional(Type.String({ maxLength: 100 })),
        client_secret: Type.Optional(Type.String({ maxLength: 200 })),
        redirect_uri: Type.Optional(Type.String({ maxLength: 1000 })),
        token: Type.Optional(Type.String({ maxLength: 200 })),
        token_type_hint: Type.Optional(Type.String({ maxLength: 40 })),
      },
      { additionalProperties: false },
    ),
    async handler({ ctx, body, origin, request, reply }) {
      if (body.token !== undefined) return revokeForApplication(ctx, request.headers.authorization, { ...body, token: body.token }, origin);
      const token = refreshTokenOf(ctx, request.headers);
      const sessionId = token === undefined ? undefined : await findSessionOf(ctx.reads, token, ctx.clock.now());
      if (sessionId !== undefined) await signOut(ctx, sessionId, origin);
      clearSessionCookies(ctx, reply);
      const { client_id: clientId, redirect_uri: redirectUri } = body;
      const location = clientId && redirectUri ? await findSignOutLocation(ctx, clientId, redirectUri) : undefined;
      return ok(location === undefined ? undefined : { location });
    },
  });
}

function registerPasswordConfirmation(app: App): void {
  const limits = createSignInLimits(app.ctx.clock);
  route(app, {
    method: 'POST',
    path: '/password-confirmation',
    access: 'signed-in',
    onlyInPerson: true,
    serves: ['mfa'],
    summary: 'Confirms the password in this session; the call that answered 423 passes for ten minutes then.',
    tag,
    body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, body }) {
      await confirmPassword(ctx, limits, { actor, origin }, body.password);
      return ok();
    },
  });
}

function registerAccessTokens(app: App): void {
  listRoute(app, {
    path: '/account/access-tokens',
    access: { permission: 'view_access_tokens' },
    summary: 'Own personal access tokens.',
    tag,
    rules: listRulesOf('access-tokens'),
    list: listAccessTokens,
  });
  route(app, {
    method: 'GET',
    path: '/account/access-tokens/:id',
    access: { permission: 'view_access_tokens' },
    summary: 'One own personal access token, without its secret.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getAccessToken(ctx, actor, params.id)),
  });
  formRoute(
    app,
    'access-tokens/new',
    async ({ ctx, actor, origin, body }) => created(await createAccessToken(ctx, { actor, origin }, body)),
    { proof: 'sudo' },
  );
  formRoute(
    app,
    'access-tokens/remove',
    async ({ ctx, actor, origin, params }) => {
      await removeAccessToken(ctx, { actor, origin }, params.id);
      return ok();
    },
    { onlyInPerson: true },
  );
  listRoute(app, {
    path: '/account/permissions',
    access: 'signed-in',
    tokens: 'all',
    summary: 'The permissions that the caller holds.',
    tag,
    rules: permissionRules,
    list: async (_ctx, actor, query) =>
      pagePermissions(
        allPermissions.filter((permission) => can(actor, permission.name)),
        query,
      ),
  });
}

/** What an access token of the caller may be made for, in words for programs: `devices:write`. */
function registerScopes(app: App): void {
  listRoute(app, {
    path: '/account/scopes',
    access: 'signed-in',
    tokens: 'all',
    summary: 'The scopes that an access token of the caller can have, with their permissions.',
    tag,
    rules: scopeRules,
    list: async (_ctx, actor, query) => pageScopes(actor, query),
  });
}

/** Registers the account room: the session, personal access tokens, and what people change of their own account. */
export function registerAccount(app: App): void {
  registerSession(app);
  registerPasswordConfirmation(app);
  registerAccessTokens(app);
  registerScopes(app);
  registerOwnAccount(app);
  registerApplications(app);
  registerSingleSignOn(app);
}
