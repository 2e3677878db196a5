import { isHeld } from './held-shell.ts';
import { ok } from '../../kernel/answer.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { setLegacy } from './legacy.ts';

/** Registers terminals over SSH and Telnet; their code is loaded with the first session. */
export function registerRemoteTerminal(app: App): void {
  const { ctx } = app;
  for (const kind of ['ssh', 'telnet'] as const)
    ctx.remote.registerKind(
      kind,
      async (session, socket, hello) => (await import('./relay.ts')).relayTerminal(ctx, session, socket, hello),
      {
        outlives: ({ id }) => isHeld(id),
      },
    );
  route(app, {
    method: 'PUT',
    path: '/devices/remote-access/:id/outdated-algorithms',
    access: { permission: 'update_device_remote_access' },
    summary: 'Lets an SSH entry use algorithms that are broken by now, for old devices, or no longer.',
    tag: 'device access',
    params: idParams,
    body: Type.Object({ allowed: Type.Boolean() }, { additionalProperties: false }),
    async handler({ ctx: context, actor, origin, params, body }) {
      await setLegacy(context, { actor, origin }, params.id, body.allowed);
      return ok();
    },
  });
}
