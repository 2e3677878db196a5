import { MINUTE } from '../../kernel/clock.ts';
import type { App } from '../../kernel/route.ts';
import { createHubRunner } from './hub-runner.ts';
import { registerClients } from './client-routes.ts';
import { registerHubs } from './hub-routes.ts';
import { registerNetworks } from './network-routes.ts';
import { vpnKind } from './sync.ts';
import { maintainHubs } from './hub-maintenance.ts';
import { vpnCarrier } from './vpn-carrier.ts';

/** Registers the room of VPN hubs: runs those that this server has a helper for, from the start to the stop of the server. */
export function registerVpn(app: App): void {
  const { ctx, fastify } = app;
  ctx.jobs.register(vpnKind(ctx));
  const runner = createHubRunner(ctx);
  ctx.remote.addCarrier(vpnCarrier(ctx, runner));
  registerHubs(app, runner);
  registerClients(app);
  registerNetworks(app);
  let stop: (() => void) | undefined;
  let running = Promise.resolve();
  fastify.addHook('onReady', async () => {
    runner.start();
    stop = ctx.clock.every(MINUTE, () => (running = maintainHubs(ctx)));
  });
  fastify.addHook('onClose', async () => {
    stop?.();
    await running.catch(() => undefined);
    await runner[Symbol.asyncDispose]();
  });
}
