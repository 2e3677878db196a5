import type { Context } from '../../context.ts';
import { ITSELF } from '../../domain/remote/guard.ts';
import { ANSWER_WITHIN_MS, RemoteError, type Carrier } from '../../domain/remote/types.ts';
import type { HubRunner } from './hub-runner.ts';
import { isOfHub } from './store.ts';

/** The hubs that a device is connected to as a client now. */
async function findPlaces(ctx: Context, deviceId: number) {
  return ctx.reads
    .selectFrom('vpn_clients')
    .innerJoin('vpn_hubs', 'vpn_hubs.id', 'vpn_clients.vpn_hub_id')
    .innerJoin('companies', 'companies.id', 'vpn_hubs.company_id')
    .select(['vpn_clients.id as client', 'vpn_hubs.id as hub', 'vpn_hubs.zone'])
    .where('vpn_clients.device_id', '=', deviceId)
    .where('vpn_clients.enabled', '=', 1)
    .where('vpn_hubs.enabled', '=', 1)
    .where('vpn_hubs.run_state', '=', 'running')
    .where('companies.path', '>=', '/')
    .where(isOfHub, '=', 1)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('vpn_sessions')
          .select('vpn_sessions.id')
          .whereRef('vpn_sessions.vpn_client_id', '=', 'vpn_clients.id')
          .where('vpn_sessions.ended_at', 'is', null),
      ),
    )
    .orderBy('vpn_clients.id')
    .execute();
}

/**
 * The way to a device by the address that it has in a VPN hub. The connection comes from the hub's own network namespace, and the helper takes the
 * address from the specification in force: no other client, no network behind one, and nothing of the server's is reached this way.
 */
export function vpnCarrier(ctx: Context, runner: Pick<HubRunner, 'helperOf'>): Carrier {
  return {
    name: 'vpn',
    comesLast: true,
    withinMs: ANSWER_WITHIN_MS,
    async open(device, target, signal) {
      if (target.host !== ITSELF) return undefined;
      for (const { hub, client, zone } of await findPlaces(ctx, device.id)) {
        const helper = runner.helperOf(zone);
        if (!helper) continue;
        try {
          return await helper.connect(hub, client, target.port, signal);
        } catch (cause) {
          throw new RemoteError(signal.aborted ? 'too-slow' : 'refused', { cause });
        }
      }
      return undefined;
    },
  };
}
