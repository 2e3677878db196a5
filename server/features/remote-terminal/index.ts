import { isHeld } from './held-shell.ts';
import type { App } from '../../kernel/route.ts';

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
}
