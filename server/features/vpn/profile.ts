import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { addressText } from './addresses.ts';
import { changeClient, revoke } from './clients.ts';
import { issueClient, openVpnProfile } from './pki.ts';
import { networksReachedBy } from './reach.ts';
import { pkiOf, readReachable, requireClient, type ClientRow, type HubRow } from './store.ts';
import { clientProfile, etherOf, makeKeys } from './wireguard.ts';

export interface Profile {
  name: string;
  text: string;
}

/** A name that any file system takes. */
const fileName = (hub: HubRow, client: ClientRow): string =>
  `${hub.name}-${client.name}`
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || `canopy-client-${client.id}`;

/** Makes new keys for a client and answers its profile; the private key is kept nowhere, and the profile before stops to work. Throws NOT_FOUND. */
export async function makeProfile(ctx: Context, caller: Caller, id: number): Promise<Profile> {
  return inTransaction(ctx.db, async (trx) => {
    const found = await requireClient(trx, caller.actor, id);
    const { client, hub } = found;
    if (hub.vpn_type !== 'wireguard') {
      const pki = pkiOf(ctx, hub);
      const issued = await issueClient(pki, id, ctx.clock.now());
      await revoke(ctx, trx, hub, client);
      const values = { serial: issued.serial, expires_at: issued.expiresAt, device_certificate: null, sync_state: null, synced_as: null };
      await changeClient(ctx, trx, caller, found, 'vpn-clients.profile', values);
      const about = { endpoint: hub.endpoint, port: hub.port, vpn_type: hub.vpn_type };
      const { certificate, key } = issued;
      const text = openVpnProfile({ hub: about, pki, certificate, key, ether: etherOf(client.address) });
      return { name: `${fileName(hub, client)}.ovpn`, text };
    }
    const { privateKey, publicKey } = makeKeys();
    await changeClient(ctx, trx, caller, found, 'vpn-clients.profile', { public_key: publicKey, sync_state: null, synced_as: null });
    const networks = networksReachedBy(await readReachable(trx, hub), id);
    const dns = await readDns(trx, hub.id);
    return { name: `${fileName(hub, client)}.conf`, text: clientProfile({ hub, address: client.address, privateKey, networks, dns }) };
  });
}

/** The name servers that clients of a hub are given. */
export async function readDns(trx: Trx | Context['reads'], hubId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('vpn_dhcp_options')
    .select('address')
    .where('vpn_hub_id', '=', hubId)
    .where('type', '=', 'DNS')
    .orderBy('id')
    .execute();
  return rows.map(({ address }) => addressText(Number(address)));
}
