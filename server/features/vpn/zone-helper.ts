import type { Context } from '../../context.ts';
import type { VpnHelper } from '../../edges/vpn/types.ts';
import { ITSELF } from '../../domain/remote/guard.ts';
import { RemoteError } from '../../domain/remote/types.ts';
import type { VpnZone, ZoneAgent } from '../../vpn-zones.ts';

/** The device that a hub agent joined as, wherever it is in the tree; undefined when it is gone. */
function findAgentDevice(ctx: Context, { device }: ZoneAgent) {
  return ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.id', 'devices.name', 'devices.company_id', 'devices.device_key', 'devices.wan_ip', 'devices.lan_ip'])
    .where('devices.device_key', '=', device)
    .where('companies.path', '>=', '/')
    .executeTakeFirst();
}

/**
 * What runs the hubs of a zone: a helper behind a socket of this machine, or one on another machine, which the tunnel of the device agent beside it leads
 * to. Both are asked the same. undefined where hubs are configurations only.
 */
export function helperOfZone(ctx: Context, { helper, agent }: VpnZone): VpnHelper | undefined {
  if (helper !== undefined) return ctx.openVpnHelper(helper);
  if (!agent) return undefined;
  return ctx.openVpnHelper({
    key: agent.key,
    async connect() {
      const device = await findAgentDevice(ctx, agent);
      if (!device) throw new RemoteError('offline');
      return ctx.remote.openStream(device, { host: ITSELF, port: agent.port, way: 'tunnel' });
    },
  });
}
