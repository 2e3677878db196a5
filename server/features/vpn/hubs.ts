import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { personOf } from '../../kernel/actor.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { withUniqueName } from '../../kernel/unique-conflicts.ts';
import { isFirst, isInside, lastOf, overlaps, readAddress, readMask, type Network } from './addresses.ts';
import { expiryOf, makePki, revokedList } from './pki.ts';
import { fault, readReachable, record, requireHub, requireTags, VPN_HUB_PURPOSE, VPN_PKI_PURPOSE, type HubRow } from './store.ts';
import { hubAddress, hubConfiguration, makeKeys } from './wireguard.ts';
import { freeNetwork, freePort, hostOfZone, requireZone } from './zones.ts';

/** "This" network, loopback, link-local with the metadata of clouds, protocol assignments, multicast and the rest above: nobody's LAN, and no client may be led there. */
const CLOSED: readonly Network[] = [
  { network: 0, prefix: 8 },
  { network: 0x7f00_0000, prefix: 8 },
  { network: 0xa9fe_0000, prefix: 16 },
  { network: 0xc000_0000, prefix: 24 },
  { network: 0xe000_0000, prefix: 3 },
];

/** A network as people write it. Throws INVALID_FIELD at `ip_address`/`ip` or `netmask`. */
export function readNetwork(source: string, ip: string, netmask: string): Network {
  const network = readAddress(ip);
  const prefix = readMask(netmask);
  if (network === undefined) throw fault(source, 'This is no IPv4 address.', 'no_address');
  if (prefix === undefined || prefix === 0) throw fault('netmask', 'This is no mask of a network.', 'no_mask');
  if (!isFirst({ network, prefix })) throw fault(source, 'The address is not the first one of such a network.', 'not_first');
  if (CLOSED.some((closed) => overlaps(closed, { network, prefix })))
    throw fault(source, 'Loopback, link-local, multicast and protocol addresses are closed.', 'closed_network');
  return { network, prefix };
}

const HUB_BITS = { largest: 16, smallest: 29 };
const HOST = /^(?:(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!-)[a-z\d-]{1,63}(?<!-))*|[\da-f:.]*:[\da-f:.]*)$/i;

function hostOf(endpoint: string): string {
  if (!HOST.test(endpoint)) throw fault('endpoint', 'This is no host name or address.', 'no_host');
  return endpoint;
}

function hubNetwork(input: { ip: string; netmask: string }): Network {
  const found = readNetwork('ip', input.ip, input.netmask);
  if (found.prefix < HUB_BITS.largest || found.prefix > HUB_BITS.smallest)
    throw fault('netmask', 'A hub has 8 to 65,536 addresses.', 'hub_size');
  return found;
}

/** A port that a hub of a zone may have: a helper listens on those of its own only. Throws INVALID_FIELD at `port`. */
async function portOf(ctx: Context, trx: Trx, zoneName: string, wanted: number | undefined, own = 0): Promise<number> {
  const zone = requireZone(ctx, zoneName);
  if (wanted === undefined) return freePort(trx, zone);
  if (zone.helper === undefined) return wanted;
  if (wanted < zone.ports.first || wanted > zone.ports.last)
    throw fault('port', `Choose a port from ${zone.ports.first} to ${zone.ports.last}.`, 'port_outside', {
      first: String(zone.ports.first),
      last: String(zone.ports.last),
    });
  const other = await trx
    .selectFrom('vpn_hubs')
    .select('id')
    .where('zone', '=', zoneName)
    .where('port', '=', wanted)
    .where('id', '<>', own)
    .executeTakeFirst();
  if (other) throw fault('port', 'Another hub has this port.', 'port_taken');
  return wanted;
}

async function putTags(trx: Trx, caller: Caller, hubId: number, tags: readonly number[] | undefined): Promise<void> {
  if (tags === undefined) return;
  await requireTags(trx, caller.actor, tags, 'tag_id');
  await trx.deleteFrom('vpn_hub_tags').where('vpn_hub_id', '=', hubId).execute();
  const rows = [...new Set(tags)].map((tag_id) => ({ vpn_hub_id: hubId, tag_id }));
  if (rows.length > 0) await trx.insertInto('vpn_hub_tags').values(rows).execute();
}

/** Makes the certificates of an OpenVPN hub. */
async function putCertificates(ctx: Context, trx: Trx, hubId: number): Promise<void> {
  const at = ctx.clock.now();
  const pki = await makePki(hubId, at);
  const values = {
    sealed_pki: sealText(ctx.secretKey, VPN_PKI_PURPOSE, JSON.stringify(pki)),
    ca_expires_at: expiryOf(pki.ca),
    server_expires_at: expiryOf(pki.certificate),
    revoked_list: await revokedList(pki, [], at),
    revoked_list_at: at,
  };
  await trx.updateTable('vpn_hubs').set(values).where('id', '=', hubId).execute();
}

export type NewHub = FormData['vpn/new-hub'] & { quick?: { minutes: number } };

/** Adds a hub with keys of its own, inside a transaction. Throws NOT_FOUND at `company_id`, INVALID_FIELD. */
export async function insertHub(ctx: Context, trx: Trx, caller: Caller, input: NewHub): Promise<HubRow> {
  const at = ctx.clock.now();
  const company = await requireCompany(trx, caller.actor, input.company_id ?? caller.actor.companyId, 'company_id');
  const zone = requireZone(ctx, input.hub_zone);
  const kind = input.vpn_type ?? 'wireguard';
  const keys = kind === 'wireguard' ? makeKeys() : undefined;
  const { ip, netmask = '255.255.255.0' } = input;
  const { id } = await trx
    .insertInto('vpn_hubs')
    .values({
      company_id: company.id,
      name: input.name,
      description: input.description ?? '',
      endpoint: hostOf(input.endpoint ?? hostOfZone(ctx, zone)),
      port: await portOf(ctx, trx, zone.name, input.port),
      ...(ip === undefined ? await freeNetwork(trx) : hubNetwork({ ip, netmask })),
      enabled: 1,
      zone: zone.name,
      vpn_type: kind,
      public_key: keys?.publicKey ?? '',
      sealed_key: keys ? sealText(ctx.secretKey, VPN_HUB_PURPOSE, keys.privateKey) : '',
      ...(input.quick ? { quick_hub: 1 as const, starts_at: at, ends_at: at + input.quick.minutes * MINUTE } : {}),
      created_by: personOf(caller.actor),
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (!keys) await putCertificates(ctx, trx, id);
  await putTags(trx, caller, id, input.tag_id);
  const hub = await requireHub(trx, caller.actor, id);
  await record(ctx, trx, caller, { action: 'vpn-hubs.new', hub, before: null, after: hub });
  return hub;
}

/** Adds a hub. Throws NOT_FOUND at `company_id`, NAME_TAKEN, INVALID_FIELD. */
export function addHub(ctx: Context, caller: Caller, input: FormData['vpn/new-hub']): Promise<number> {
  return withUniqueName({ name: input.name, source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => (await insertHub(ctx, trx, caller, input)).id),
  );
}

type Changeable = Partial<
  Pick<
    HubRow,
    'name' | 'description' | 'endpoint' | 'port' | 'enabled' | 'network' | 'prefix' | 'ends_at' | 'starts_at' | 'disabled_reason'
  >
>;

async function change(ctx: Context, trx: Trx, caller: Caller, before: HubRow, action: string, values: Changeable): Promise<void> {
  const hub = await trx
    .updateTable('vpn_hubs')
    .set({ ...values, updated_at: ctx.clock.now() })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(ctx, trx, caller, { action, hub, before, after: hub });
}

/** Changes what is given of a hub. Throws NOT_FOUND, NAME_TAKEN, INVALID_FIELD. */
export async function editHub(ctx: Context, caller: Caller, id: number, input: Partial<FormData['vpn/edit-hub']>): Promise<void> {
  const { name, description, endpoint, port, tag_id } = input;
  await withUniqueName({ name: name ?? '', source: 'name' }, () =>
    inTransaction(ctx.db, async (trx) => {
      const hub = await requireHub(trx, caller.actor, id);
      await putTags(trx, caller, id, tag_id);
      await change(ctx, trx, caller, hub, 'vpn-hubs.edit', {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(endpoint === undefined ? {} : { endpoint: hostOf(endpoint) }),
        ...(port === undefined || port === hub.port ? {} : { port: await portOf(ctx, trx, hub.zone, port, id) }),
      });
    }),
  );
}

/** Turns a hub on or off, and says how long a quick hub lasts from now on. Throws NOT_FOUND. */
export async function toggleHub(
  ctx: Context,
  caller: Caller,
  id: number,
  { enabled = true, duration }: { enabled?: boolean; duration?: number },
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const hub = await requireHub(trx, caller.actor, id);
    const lasts = hub.quick_hub === 1 && enabled ? { starts_at: at, ends_at: at + (duration ?? 60) * MINUTE } : {};
    const values = { enabled: enabled ? (1 as const) : (0 as const), disabled_reason: null, ...lasts };
    await change(ctx, trx, caller, hub, enabled ? 'vpn-hubs.enable' : 'vpn-hubs.disable', values);
  });
}

/** Gives a hub another network; clients keep their place in it where there is room. Throws NOT_FOUND, INVALID_FIELD. */
export async function moveHub(ctx: Context, caller: Caller, id: number, input: FormData['vpn/settings']): Promise<void> {
  const next = hubNetwork(input);
  await inTransaction(ctx.db, async (trx) => {
    const hub = await requireHub(trx, caller.actor, id);
    const routes = await trx.selectFrom('vpn_routes').select(['network', 'prefix']).where('vpn_hub_id', '=', id).execute();
    if (routes.some((route) => overlaps(route, next)))
      throw fault('ip', 'This overlaps with a network behind a client.', 'overlaps_client');
    const clients = await trx.selectFrom('vpn_clients').select(['id', 'address']).where('vpn_hub_id', '=', id).orderBy('address').execute();
    const moved = clients.map((client) => ({ id: client.id, address: client.address - hub.network + next.network }));
    const isRoom = moved.every(({ address }) => isInside(address, next) && address < lastOf(next) && address > hubAddress(next));
    if (!isRoom) throw fault('netmask', 'The clients have no room in such a network.', 'clients_outside');
    // Two steps: no client may have an address for a moment that another one still has.
    for (const client of moved) await trx.updateTable('vpn_clients').set({ address: -client.id }).where('id', '=', client.id).execute();
    for (const client of moved)
      await trx
        .updateTable('vpn_clients')
        .set({ address: client.address, ...(hub.vpn_type === 'wireguard' ? { public_key: null } : {}) })
        .where('id', '=', client.id)
        .execute();
    await change(ctx, trx, caller, hub, 'vpn-hubs.settings', next);
  });
}

/** Removes hubs with their clients, networks and rules, all or none of them. Throws NOT_FOUND. */
export async function removeHubs(ctx: Context, caller: Caller, ids: readonly number[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    for (const id of new Set(ids)) {
      const hub = await requireHub(trx, caller.actor, id);
      await trx.deleteFrom('vpn_hubs').where('id', '=', id).execute();
      await record(ctx, trx, caller, { action: 'vpn-hubs.remove', hub, before: hub, after: null });
    }
  });
}

/** The text for `wg-quick` on the machine that is the hub, its private key included. Throws NOT_FOUND, INVALID_FIELD for a hub of OpenVPN. */
export async function takeConfiguration(ctx: Context, caller: Caller, id: number): Promise<string> {
  return inTransaction(ctx.db, async (trx) => {
    const hub = await requireHub(trx, caller.actor, id);
    if (hub.vpn_type !== 'wireguard') throw fault('', 'Hubs of OpenVPN run with the helper only.', 'no_configuration');
    const peers = await trx.selectFrom('vpn_clients').select(['id', 'public_key']).where('vpn_hub_id', '=', id).execute();
    await record(ctx, trx, caller, { action: 'vpn-hubs.configuration', hub, before: null, after: null });
    const privateKey = openSealed(ctx.secretKey, VPN_HUB_PURPOSE, hub.sealed_key);
    return hubConfiguration({ id, port: hub.port, privateKey, reachable: await readReachable(trx, hub), peers });
  });
}
