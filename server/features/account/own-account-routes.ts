import { ok, stream } from '../../kernel/answer.ts';
import { answerSignedIn } from '../../domain/users/answer-signed-in.ts';
import { TermsNotAccepted } from '../../kernel/auth/errors.ts';
import { siteOf } from '../../kernel/auth/passkeys.ts';
import { requireOwnSecondFactor } from '../../kernel/auth/proof.ts';
import { createSignInLimits } from '../../kernel/auth/sign-in-limits.ts';
import { HOUR } from '../../kernel/clock.ts';
import { formRoute, publicFormRoute } from '../../kernel/form-route.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { requireUpload } from '../../kernel/http/uploads.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { getAvatar, MAX_AVATAR_BYTES, removeAvatar, setAvatar } from './avatars.ts';
import { askForEmail, confirmEmail } from './change-email.ts';
import { askForPassword, changePassword, createMailCounter, setPasswordByLink } from './change-password.ts';
import { acceptTerms, getTerms, resendVerification } from './required-actions.ts';
import { endOtherSessions, endOwnSession, listSessions } from './own-sessions.ts';
import { changeNames } from './own-user.ts';

/** Asking for mails, from one address of the network. */
const MAILS_PER_MINUTE = 20;
/** Tokens of links cannot be guessed; this only keeps the server from being kept busy. */
const LINKS_PER_MINUTE = 120;
const tag = 'account';

function registerPassword(app: App): void {
  const limits = createSignInLimits(app.ctx.clock);
  const mayMail = createMailCounter(app.ctx, HOUR);
  formRoute(
    app,
    'account/password',
    async ({ ctx, actor, origin, body, request, reply }) => {
      await requireOwnSecondFactor(ctx, request);
      return answerSignedIn(ctx, reply, await changePassword(ctx, limits, { actor, origin }, body));
    },
    { proof: 'sign-in', onlyInPerson: true },
  );
  publicFormRoute(
    app,
    'account/forgotten-password',
    async ({ ctx, body, request }) => {
      const email = body.email.trim().toLowerCase();
      await askForPassword(ctx, { email, language: languageOfCall(request.headers), mayMail: mayMail(email) });
      return ok({ is_kept: ctx.mail === undefined });
    },
    { ratePerMinute: MAILS_PER_MINUTE },
  );
  publicFormRoute(
    app,
    'account/new-password',
    async ({ ctx, body, origin }) => {
      await setPasswordByLink(ctx, body, origin);
      return ok();
    },
    { ratePerMinute: LINKS_PER_MINUTE },
  );
}

function registerEmail(app: App): void {
  formRoute(
    app,
    'account/email',
    async ({ ctx, actor, origin, body, request }) => {
      await askForEmail(ctx, { actor, origin }, { email: body.email, language: languageOfCall(request.headers) });
      return ok();
    },
    { proof: 'sudo' },
  );
  route(app, {
    method: 'POST',
    path: '/account/email/confirm',
    access: 'public',
    summary: 'Confirms a new e-mail address by the link that was mailed to it.',
    tag,
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
    ratePerMinute: LINKS_PER_MINUTE,
    async handler({ ctx, body, origin, request }) {
      await confirmEmail(ctx, { token: body.token, language: languageOfCall(request.headers) }, origin);
      return ok();
    },
  });
}

function registerDuties(app: App): void {
  const mayMail = createMailCounter(app.ctx, HOUR);
  route(app, {
    method: 'POST',
    path: '/account/user/activation/resend',
    access: 'signed-in',
    onlyInPerson: true,
    serves: ['email'],
    summary: 'Mails the link that confirms the own address again.',
    tag,
    async handler({ ctx, actor, request }) {
      await resendVerification(ctx, actor, { language: languageOfCall(request.headers), mayMail });
      return ok();
    },
  });
  route(app, {
    method: 'GET',
    path: '/account/terms',
    access: 'signed-in',
    tokens: 'none',
    serves: ['terms'],
    summary: 'The terms of service.',
    tag,
    handler: async ({ ctx }) => ok(getTerms(ctx)),
  });
  route(app, {
    method: 'PUT',
    path: '/account/user',
    access: 'signed-in',
    onlyInPerson: true,
    serves: ['terms'],
    summary: 'Accepts the terms of service, in the version that was read.',
    tag,
    body: Type.Object(
      { tos_accepted: Type.Boolean(), version: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, origin, body }) {
      if (!body.tos_accepted) throw new TermsNotAccepted({});
      await acceptTerms(ctx, { actor, origin }, body.version);
      return ok();
    },
  });
}

function registerAvatar(app: App): void {
  route(app, {
    method: 'PUT',
    path: '/account/avatar',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Sets the own picture: PNG, JPEG or WebP.',
    tag,
    body: Type.Object({ file: Type.String({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false }),
    maxFileBytes: MAX_AVATAR_BYTES,
    async handler({ ctx, actor, origin, body, request }) {
      await setAvatar(ctx, { actor, origin }, requireUpload(request, 'file', body.file).path);
      return ok();
    },
  });
  route(app, {
    method: 'DELETE',
    path: '/account/avatar',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Takes the own picture away.',
    tag,
    async handler({ ctx, actor, origin }) {
      await removeAvatar(ctx, { actor, origin });
      return ok();
    },
  });
  route(app, {
    method: 'GET',
    path: '/avatars/:key',
    access: 'signed-in',
    tokens: 'all',
    summary: 'The picture of a person.',
    mediaType: 'image/*',
    tag,
    params: Type.Object({ key: Type.String({ maxLength: 100 }) }),
    async handler({ ctx, actor, params }) {
      const { type, bytes } = await getAvatar(ctx, actor, params.key);
      return stream(bytes, {
        'content-type': type,
        'cache-control': 'private, max-age=86400, immutable',
        // Whatever the bytes are, opened by themselves they do nothing.
        'content-security-policy': "default-src 'none'; sandbox",
        'content-disposition': 'inline',
      });
    },
  });
}

function registerSessions(app: App): void {
  route(app, {
    method: 'GET',
    path: '/account/sessions',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Where the caller is signed in.',
    tag,
    handler: async ({ ctx, actor }) => ok(await listSessions(ctx, actor)),
  });
  route(app, {
    method: 'DELETE',
    path: '/account/sessions/:id',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Ends one session of the caller.',
    tag,
    params: idParams,
    async handler({ ctx, actor, origin, params }) {
      await endOwnSession(ctx, { actor, origin }, params.id);
      return ok();
    },
  });
  route(app, {
    method: 'DELETE',
    path: '/account/sessions',
    access: 'signed-in',
    onlyInPerson: true,
    summary: 'Ends all sessions of the caller but this one.',
    tag,
    async handler({ ctx, actor, origin }) {
      await endOtherSessions(ctx, { actor, origin });
      return ok();
    },
  });
}

/** Registers what people change of their own account: names, picture, password, address, sessions. */
export function registerOwnAccount(app: App): void {
  formRoute(
    app,
    'account/profile',
    async ({ ctx, actor, origin, body }) => {
      await changeNames(ctx, { actor, origin }, body);
      return ok();
    },
    { onlyInPerson: true },
  );
  registerPassword(app);
  registerEmail(app);
  registerDuties(app);
  registerAvatar(app);
  registerSessions(app);
  route(app, {
    method: 'GET',
    path: '/account/ways-in',
    access: 'public',
    summary: 'What the sign-in page offers beside the password.',
    tag,
    handler: async ({ ctx, request }) =>
      ok({
        forgotten_password: true,
        passkey: siteOf(ctx, request.headers) !== undefined,
        external: ctx.config.oidc?.label ?? null,
      }),
  });
}
