import { ok } from '../../kernel/answer.ts';
import { refreshTokenOf } from '../../kernel/auth/authenticate.ts';
import { answerSignedIn } from '../../domain/users/answer-signed-in.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { Unauthorized } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { listOwnRequests, startImpersonation, stopImpersonation } from './impersonate.ts';
import { allowAccess, askForConsent, confirmRequest, lookAtRequest, revokeAccess } from './consent.ts';
import { logExpired } from './log-expired.ts';
import { endByAdministrator, listLogs } from './logs.ts';

const tag = 'impersonation';
const ASKED_PER_MINUTE = 10;
const TRIES_PER_MINUTE = 120;
const LONGEST_HOURS = 72;
const token = Type.String({ minLength: 1, maxLength: 200 });

function registerConsent(app: App): void {
  formRoute(
    app,
    'impersonation/ask',
    async ({ ctx, actor, origin, params, body, request }) => {
      await askForConsent(ctx, { actor, origin }, params.id, body.reason, languageOfCall(request.headers));
      return ok();
    },
    { onlyInPerson: true, ratePerMinute: ASKED_PER_MINUTE },
  );
  route(app, {
    method: 'POST',
    path: '/user/impersonation-request',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Who asks, by the token of a link, to impersonate the caller.',
    tag,
    ratePerMinute: TRIES_PER_MINUTE,
    body: Type.Object({ token }, { additionalProperties: false }),
    handler: async ({ ctx, actor, body }) => ok(await lookAtRequest(ctx, actor.userId, body.token)),
  });
  route(app, {
    method: 'POST',
    path: '/user/confirm-impersonation-access',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Lets the person who asked by this token impersonate the caller, for some hours.',
    tag,
    ratePerMinute: TRIES_PER_MINUTE,
    body: Type.Object({ token, hours: Type.Integer({ minimum: 1, maximum: LONGEST_HOURS }) }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, body }) {
      await confirmRequest(ctx, { actor, origin }, body);
      return ok();
    },
  });
  formRoute(
    app,
    'impersonation/allow',
    async ({ ctx, actor, origin, body }) => {
      await allowAccess(ctx, { actor, origin }, body.hours);
      return ok();
    },
    { onlyInPerson: true },
  );
  formRoute(
    app,
    'impersonation/revoke',
    async ({ ctx, actor, origin }) => {
      await revokeAccess(ctx, { actor, origin });
      return ok();
    },
    { onlyInPerson: true },
  );
}

/** Registers impersonation: asking, agreeing, starting, ending, and the log. */
export function registerImpersonation(app: App): void {
  const stopNoting = app.ctx.clock.every(MINUTE, () => logExpired(app.ctx.db, app.ctx.clock.now()));
  app.fastify.addHook('onClose', async () => stopNoting());
  registerConsent(app);
  listRoute(app, {
    path: '/users/impersonation',
    access: { permission: 'execute_impersonation' },
    summary: 'Users on whose behalf the caller may act, or has asked to.',
    tag,
    rules: listRulesOf('impersonation'),
    list: listOwnRequests,
  });
  listRoute(app, {
    path: '/users/impersonation-logs',
    access: { permission: 'view_impersonation_logs' },
    summary: 'Impersonations in companies that the caller sees.',
    tag,
    rules: listRulesOf('impersonation-logs'),
    list: listLogs,
  });
  route(app, {
    method: 'POST',
    path: '/users/impersonation/:id/start',
    access: { permission: 'execute_impersonation' },
    onlyInPerson: true,
    summary: 'Starts impersonating a user who has agreed.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, origin, params, reply }) =>
      answerSignedIn(ctx, reply, await startImpersonation(ctx, { actor, origin }, params.id)),
  });
  route(app, {
    method: 'POST',
    path: '/user/cancel-impersonation',
    // A person whose impersonation was ended has no other proof than the refresh cookie.
    access: 'public',
    summary: 'Ends the impersonation and goes back to the own session, also when it has ended already.',
    tag,
    ratePerMinute: TRIES_PER_MINUTE,
    async handler({ ctx, origin, request, reply }) {
      const token = refreshTokenOf(ctx, request.headers);
      if (token === undefined) throw new Unauthorized({});
      return answerSignedIn(ctx, reply, await stopImpersonation(ctx, token, origin));
    },
  });
  formRoute(
    app,
    'impersonation/end',
    async ({ ctx, actor, origin, params }) => {
      await endByAdministrator(ctx, { actor, origin }, params.id);
      return ok();
    },
    { onlyInPerson: true },
  );
}
