import type { Context } from '../../context.ts';
import type { ClientSpec, HubSpec } from '../../edges/vpn/types.ts';
import { openSealed } from '../../kernel/seal.ts';
import { addressText, networkText } from './addresses.ts';
import { listReach, networksReachedBy } from './reach.ts';
import { pkiOf, readReachable, VPN_HUB_PURPOSE, type HubRow } from './store.ts';
import { hubAddress } from './wireguard.ts';

/** What the helper needs of a hub: those who may connect now, and what passes between them. Secrets are opened for it. */
export async function hubSpecOf(ctx: Context, hub: HubRow): Promise<HubSpec> {
  const db = ctx.db;
  const now = ctx.clock.now();
  const reachable = await readReachable(db, hub);
  const rows = await db
    .selectFrom('vpn_clients')
    .select(['id', 'address', 'public_key', 'serial', 'expires_at'])
    .where('vpn_hub_id', '=', hub.id)
    .orderBy('id')
    .execute();
  const active = new Set(reachable.clients.filter(({ isActive }) => isActive).map(({ id }) => id));
  const options = await db
    .selectFrom('vpn_dhcp_options')
    .select(['type', 'address'])
    .where('vpn_hub_id', '=', hub.id)
    .orderBy('id')
    .execute();
  const isWireGuard = hub.vpn_type === 'wireguard';
  const clients = rows.flatMap((row): ClientSpec[] => {
    const hasKey = isWireGuard ? row.public_key !== null : row.serial !== null && (row.expires_at ?? 0) > now;
    if (!active.has(row.id) || !hasKey) return [];
    return [
      {
        id: row.id,
        address: addressText(row.address),
        ...(isWireGuard ? { publicKey: row.public_key ?? '' } : { serial: row.serial ?? '' }),
        networks: reachable.routes.filter(({ vpn_client_id }) => vpn_client_id === row.id).map(networkText),
        routes: networksReachedBy(reachable, row.id).map(networkText),
      },
    ];
  });
  const secret = (): Pick<HubSpec, 'privateKey' | 'pki'> => {
    if (isWireGuard) return { privateKey: openSealed(ctx.secretKey, VPN_HUB_PURPOSE, hub.sealed_key) };
    const { ca, certificate, key, tlsCrypt } = pkiOf(ctx, hub);
    return { pki: { ca, certificate, key, tlsCrypt, revoked: hub.revoked_list ?? '' } };
  };
  return {
    id: hub.id,
    kind: hub.vpn_type,
    port: hub.port,
    address: addressText(hubAddress(hub)),
    prefix: hub.prefix,
    ...secret(),
    clients,
    reach: listReach(reachable).map(({ from, to }) => ({ from: `${addressText(from)}/32`, to: to.map(networkText) })),
    dhcp: options.map(({ type, address }) => ({ type, address: addressText(Number(address)) })),
  };
}
