import type { App } from '../../kernel/route.ts';

/** Registers desktops; their code is loaded with the first session. */
export function registerRemoteDesktop(app: App): void {
  const { ctx } = app;
  ctx.remote.registerKind('vnc', async (session, socket) => (await import('./vnc-relay.ts')).relayVnc(ctx, session, socket));
}
