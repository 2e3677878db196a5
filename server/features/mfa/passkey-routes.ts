import { created, ok } from '../../kernel/answer.ts';
import { siteOf } from '../../kernel/auth/passkeys.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { deviceOf } from '../../kernel/http/user-agent.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys.ts';

const tag = 'mfa';
const responseBody = Type.Object({ response: Type.String({ minLength: 2, maxLength: 16_384 }) }, { additionalProperties: false });

/** Registers how people add, rename and remove their passkeys. */
export function registerPasskeys(app: App): void {
  route(app, {
    method: 'POST',
    path: '/mfa/passkeys/options',
    access: 'signed-in',
    serves: ['mfa'],
    proof: 'sudo',
    summary: 'What the browser needs to make a passkey.',
    tag,
    body: Type.Object({}, { additionalProperties: false }),
    handler: async ({ ctx, actor, request }) => ok(await beginPasskey(ctx, actor, siteOf(ctx, request.headers))),
  });
  route(app, {
    method: 'POST',
    path: '/mfa/passkeys',
    access: 'signed-in',
    onlyInPerson: true,
    serves: ['mfa'],
    summary: 'Keeps a passkey that the browser has made; answers recovery codes with the first factor.',
    tag,
    body: responseBody,
    async handler({ ctx, actor, origin, body, request }) {
      const name = deviceOf(origin.userAgent) || 'Passkey';
      return created(await addPasskey(ctx, { actor, origin }, { response: body.response, name, site: siteOf(ctx, request.headers) }));
    },
  });
  formRoute(
    app,
    'mfa/rename-passkey',
    async ({ ctx, actor, origin, params, body }) => {
      await renamePasskey(ctx, { actor, origin }, params.id, body.name);
      return ok();
    },
    { onlyInPerson: true },
  );
  formRoute(
    app,
    'mfa/remove-passkey',
    async ({ ctx, actor, origin, params }) => {
      await removePasskey(ctx, { actor, origin }, params.id);
      return ok();
    },
    { proof: 'sudo' },
  );
}
