import { created, ok } from '../../kernel/answer.ts';
import { answerSignedIn } from '../../domain/users/answer-signed-in.ts';
import { formRoute, publicFormRoute } from '../../kernel/form-route.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { acceptInvitation, lookAtInvitation } from './accept-invitation.ts';
import { listInvitations } from './invitation-repo.ts';
import { inviteDistributor, inviteUser, resendInvitation, withdrawInvitation } from './invitations.ts';
import { joinCompany } from './join-company.ts';
import { registerSuppressed, removeSuppressedEmail } from './suppressed.ts';

const TRIES_PER_MINUTE = 20;
/** Each may send a mail to somebody who did not ask for one. */
const INVITATIONS_PER_MINUTE = 30;

/** Registers invitations: making them, accepting them, and addresses that refused our mail. */
export function registerInvitations(app: App): void {
  formRoute(
    app,
    'users/invite',
    async ({ ctx, actor, origin, body, request }) =>
      created(await inviteUser(ctx, { actor, origin }, body, languageOfCall(request.headers))),
    { ratePerMinute: INVITATIONS_PER_MINUTE },
  );
  formRoute(
    app,
    'companies/invite',
    async ({ ctx, actor, origin, body, request }) =>
      created(await inviteDistributor(ctx, { actor, origin }, body, languageOfCall(request.headers))),
    { ratePerMinute: INVITATIONS_PER_MINUTE },
  );
  listRoute(app, {
    path: '/users/invitations',
    access: { permission: 'view_user_invitations' },
    summary: 'Invitations that nobody has accepted yet.',
    tag: 'users',
    rules: listRulesOf('invitations', { filters: { role: { kind: 'text', isNegatable: false } }, isSearchable: true }),
    list: listInvitations,
  });
  formRoute(
    app,
    'users/resend-invitation',
    async ({ ctx, actor, origin, params, request }) =>
      ok(await resendInvitation(ctx, { actor, origin }, params.id, languageOfCall(request.headers))),
    { ratePerMinute: INVITATIONS_PER_MINUTE },
  );
  formRoute(app, 'users/withdraw-invitation', async ({ ctx, actor, origin, params }) => {
    await withdrawInvitation(ctx, { actor, origin }, params.id);
    return ok();
  });
  route(app, {
    method: 'POST',
    path: '/invitations/look',
    access: 'public',
    summary: 'What an invitation is for.',
    tag: 'users',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
    ratePerMinute: TRIES_PER_MINUTE,
    handler: async ({ ctx, body }) => ok(await lookAtInvitation(ctx, body.token)),
  });
  route(app, {
    method: 'POST',
    path: '/invitations/join',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Accepts an invitation with an account that exists.',
    tag: 'users',
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 200 }),
        company_name: Type.Optional(Type.String({ minLength: 3, maxLength: 200 })),
      },
      { additionalProperties: false },
    ),
    ratePerMinute: TRIES_PER_MINUTE,
    async handler({ ctx, actor, origin, body }) {
      await joinCompany(ctx, { actor, origin }, body);
      return ok();
    },
  });
  publicFormRoute(
    app,
    'users/accept-invitation',
    async ({ ctx, body, origin, reply }) => answerSignedIn(ctx, reply, await acceptInvitation(ctx, body, origin)),
    { ratePerMinute: TRIES_PER_MINUTE },
  );
  registerSuppressed(app);
  formRoute(app, 'users/remove-suppressed', async ({ ctx, actor, origin, body }) => {
    await removeSuppressedEmail(ctx, { actor, origin }, body.email);
    return ok();
  });
  route(app, {
    method: 'DELETE',
    path: '/suppressed-emails/:email',
    access: { permission: 'update_users' },
    summary: 'Takes an address off the suppression list.',
    tag: 'users',
    params: Type.Object({ email: Type.String({ minLength: 3, maxLength: 254 }) }),
    async handler({ ctx, actor, origin, params }) {
      await removeSuppressedEmail(ctx, { actor, origin }, params.email);
      return ok();
    },
  });
}
