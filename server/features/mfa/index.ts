import { ok } from '../../kernel/answer.ts';
import { resendCode } from '../../kernel/auth/challenges.ts';
import { siteOf } from '../../kernel/auth/passkeys.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { getDemand, setDemand } from './company-requirement.ts';
import { registerPasskeys } from './passkey-routes.ts';
import { beginEnrolment, confirmEnrolment, getMfa, newRecoveryCodes, turnOff } from './service.ts';

const tag = 'mfa';
const RESENDS_PER_MINUTE = 20;

const code = Type.String({ minLength: 1, maxLength: 40 });
const codeBody = Type.Object({ code }, { additionalProperties: false });
const challengeText = Type.String({ minLength: 1, maxLength: 200 });
const resendBody = Type.Object({ session_id: challengeText, session_uuid: challengeText }, { additionalProperties: false });

/** Registers the room of second factors. */
export function registerMfa(app: App): void {
  registerPasskeys(app);
  route(app, {
    method: 'GET',
    path: '/mfa',
    access: 'signed-in',
    tokens: 'none',
    serves: ['mfa'],
    summary: 'The second factor of the caller, and what can be set up.',
    tag,
    handler: async ({ ctx, actor, request }) => ok(await getMfa(ctx, actor, siteOf(ctx, request.headers))),
  });
  formRoute(
    app,
    'mfa/enrol',
    async ({ ctx, actor, body, request }) => ok(await beginEnrolment(ctx, actor, body.method, languageOfCall(request.headers))),
    { proof: 'sudo', serves: ['mfa'] },
  );
  route(app, {
    method: 'POST',
    path: '/mfa',
    access: 'signed-in',
    onlyInPerson: true,
    serves: ['mfa'],
    summary: 'Confirms the second factor that is being set up, with a code of it; answers the recovery codes.',
    tag,
    body: codeBody,
    handler: async ({ ctx, actor, origin, body }) => ok({ recovery_codes: await confirmEnrolment(ctx, { actor, origin }, body.code) }),
  });
  formRoute(
    app,
    'mfa/remove',
    async ({ ctx, actor, origin }) => {
      await turnOff(ctx, { actor, origin });
      return ok();
    },
    { proof: 'sudo' },
  );
  formRoute(
    app,
    'mfa/recovery-codes',
    async ({ ctx, actor, origin }) => ok({ recovery_codes: await newRecoveryCodes(ctx, { actor, origin }) }),
    { proof: 'sudo' },
  );
  route(app, {
    method: 'GET',
    path: '/companies/:id/second-factor',
    access: { permission: 'update_companies' },
    summary: 'Whether a company requires a second factor of its people.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getDemand(ctx, actor, params.id)),
  });
  formRoute(
    app,
    'companies/second-factor',
    async ({ ctx, actor, origin, params, body }) => {
      await setDemand(ctx, { actor, origin }, params.id, body.requires_mfa);
      return ok();
    },
    { proof: 'sudo' },
  );
  route(app, {
    method: 'POST',
    path: '/mfa/resend',
    access: 'public',
    summary: 'Sends the code of an open challenge by mail again.',
    tag,
    body: resendBody,
    ratePerMinute: RESENDS_PER_MINUTE,
    async handler({ ctx, body, request }) {
      await resendCode(ctx, { id: body.session_id, uuid: body.session_uuid, language: languageOfCall(request.headers) });
      return ok();
    },
  });
}
