import type { App } from '../../kernel/route.ts';

/** Registers desktops; their code is loaded with the first session. */
export function registerRemoteDesktop(app: App): void {
  const { ctx, fastify } = app;
  ctx.remote.registerKind('vnc', async (session, socket) => (await import('./vnc-relay.ts')).relayVnc(ctx, session, socket));
  let endDesktops: (() => Promise<void>) | undefined;
  ctx.remote.registerKind('rdp', async (session, socket, hello) => {
    const relay = await import('./rdp-relay.ts');
    endDesktops = relay.endDesktops;
    await relay.relayRdp(ctx, session, socket, hello);
  });
  fastify.addHook('onClose', async () => endDesktops?.());
}
