import type { Context } from '../../../context.ts';
import type { Origin } from '../../../kernel/actor.ts';
import { created, ok, type Answer } from '../../../kernel/answer.ts';
import { formRoute } from '../../../kernel/form-route.ts';
import { idParams } from '../../../kernel/ids.ts';
import { listRoute } from '../../../kernel/list-route.ts';
import { listRulesOf } from '../../../kernel/resources.ts';
import { route, type App } from '../../../kernel/route.ts';
import { Type } from '../../../kernel/type.ts';
import { decide, readConsent } from './authorize.ts';
import { listApplications } from './repo.ts';
import { createApplication, editApplication, getApplication, removeApplication, renewSecret } from './service.ts';
import { authenticateClient, GrantRefused, issueToken, NO_CLIENT, revokeTokenOf, type TokenRefusal, type TokenRequest } from './tokens.ts';

const tag = 'applications';
const access = { permission: 'view_applications' } as const;
const TOKENS_PER_MINUTE = 120;

const text = (maxLength: number) => Type.String({ maxLength });
const optional = (maxLength: number) => Type.Optional(text(maxLength));
const asked = {
  response_type: text(40),
  client_id: text(100),
  redirect_uri: text(1000),
  scope: optional(4000),
  state: optional(2000),
  code_challenge: optional(200),
  code_challenge_method: optional(20),
};

/** RFC 6749, 5.2: 401 answers a header that names the application wrongly. */
function refused({ error, reason }: TokenRefusal, header?: string): Answer {
  const { items } = new GrantRefused({ reason });
  return {
    status: error === 'invalid_client' && header !== undefined ? 401 : 400,
    body: { success: false, error, error_description: reason, errors: items },
  };
}

/** Answers an application that ends one of its tokens; it learns nothing of those of others. */
export async function revokeForApplication(
  ctx: Context,
  header: string | undefined,
  request: TokenRequest & { token: string },
  origin: Origin,
): Promise<Answer> {
  const application = await authenticateClient(ctx, header, request);
  if (!application) return refused(NO_CLIENT, header);
  await revokeTokenOf(ctx, application, request.token, origin);
  return ok();
}

/** Tokens for applications, at the address that programs know and below `/api`. */
function registerTokens(app: App): void {
  for (const atRoot of [false, true])
    route(app, {
      method: 'POST',
      path: '/account/token',
      atRoot,
      access: 'public',
      summary: 'A token for an application, by code or refresh token (OAuth 2).',
      tag,
      ratePerMinute: TOKENS_PER_MINUTE,
      takesForm: true,
      body: Type.Object(
        {
          grant_type: optional(40),
          code: optional(200),
          redirect_uri: optional(1000),
          client_id: optional(100),
          client_secret: optional(200),
          code_verifier: optional(200),
          refresh_token: optional(200),
          scope: optional(4000),
        },
        { additionalProperties: false },
      ),
      async handler({ ctx, body, origin, request, reply }) {
        const answer = await issueToken(ctx, { header: request.headers.authorization, request: body, origin });
        reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
        return 'error' in answer ? refused(answer, request.headers.authorization) : { status: 200, body: { success: true, ...answer } };
      },
    });
}

/** Registers the applications room: programs of others, what people let them do, and their tokens. */
export function registerApplications(app: App): void {
  listRoute(app, {
    path: '/applications',
    access,
    summary: 'Third-party applications that people can authorize.',
    tag,
    rules: listRulesOf('applications', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listApplications(ctx.reads, actor, query, ctx.clock.now()),
  });
  route(app, {
    method: 'GET',
    path: '/applications/:id',
    access,
    summary: 'One application, without its secret.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getApplication(ctx, actor, params.id)),
  });
  formRoute(
    app,
    'applications/new',
    async ({ ctx, actor, origin, body }) => created(await createApplication(ctx, { actor, origin }, body)),
    { proof: 'sudo' },
  );
  formRoute(app, 'applications/edit', async ({ ctx, actor, origin, params, body }) =>
    ok(await editApplication(ctx, { actor, origin }, params.id, body)),
  );
  formRoute(
    app,
    'applications/new-secret',
    async ({ ctx, actor, origin, params }) => ok(await renewSecret(ctx, { actor, origin }, params.id)),
    { proof: 'sudo' },
  );
  formRoute(app, 'applications/remove', async ({ ctx, actor, origin, params }) => {
    await removeApplication(ctx, { actor, origin }, params.id);
    return ok();
  });
  route(app, {
    method: 'GET',
    path: '/account/authorize',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'What an application asks the caller to let it do.',
    tag,
    query: Type.Object(asked, { additionalProperties: false }),
    handler: async ({ ctx, actor, query }) => ok(await readConsent(ctx, actor, query)),
  });
  route(app, {
    method: 'POST',
    path: '/account/authorize',
    access: 'signed-in',
    proof: 'sudo',
    summary: 'Authorizes an application for the caller, or not.',
    tag,
    body: Type.Object({ ...asked, is_allowed: Type.Boolean() }, { additionalProperties: false }),
    handler: async ({ ctx, actor, origin, body }) => ok(await decide(ctx, { actor, origin }, body)),
  });
  registerTokens(app);
}
