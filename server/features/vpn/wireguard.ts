import { generateKeyPairSync } from 'node:crypto';
import { addressText, networkText, type Network } from './addresses.ts';
import { listReach, type Reachable } from './reach.ts';

/** Keys as `wg genkey` and `wg pubkey` print them. */
export function makeKeys(): { privateKey: string; publicKey: string } {
  const { privateKey } = generateKeyPairSync('x25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const plain = (part: string): string => Buffer.from(part, 'base64url').toString('base64');
  return { privateKey: plain(d), publicKey: plain(x) };
}

/** The hub's own address: the first one of its network that a machine may have. */
export const hubAddress = ({ network }: Network): number => network + 1;

/** The Ethernet address that a client of a `tap` hub has to use, so that nobody takes that of another. */
export function etherOf(address: number): string {
  return [
    '02',
    '0c',
    ...addressText(address)
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0')),
  ].join(':');
}

const KEEP_ALIVE_SECONDS = 25;

/** The profile of a client, for `wg-quick` and the apps of WireGuard. What passes is the hub's to decide. */
export function clientProfile(given: {
  hub: Network & { endpoint: string; port: number; public_key: string };
  address: number;
  /** Left out where the device has its own. */
  privateKey?: string;
  /** Networks behind other clients that it may reach. */
  networks: readonly Network[];
  dns?: readonly string[];
}): string {
  const { hub, address, privateKey, networks, dns = [] } = given;
  const allowed = [{ network: hub.network, prefix: hub.prefix }, ...networks].map(networkText).join(', ');
  const host = hub.endpoint.includes(':') ? `[${hub.endpoint}]` : hub.endpoint;
  return [
    '[Interface]',
    ...(privateKey === undefined ? [] : [`PrivateKey = ${privateKey}`]),
    `Address = ${addressText(address)}/32`,
    ...(dns.length > 0 ? [`DNS = ${dns.join(', ')}`] : []),
    '',
    '[Peer]',
    `PublicKey = ${hub.public_key}`,
    `Endpoint = ${host}:${hub.port}`,
    `AllowedIPs = ${allowed}`,
    `PersistentKeepalive = ${KEEP_ALIVE_SECONDS}`,
    '',
  ].join('\n');
}

/** Commands of nftables, before and after: only what the rules allow goes from client to client, and nothing to the machine itself. */
function filterLines(hubId: number, reachable: Reachable): string[] {
  const table = `inet canopy_vpn_${hubId}`;
  const chains = [
    `add table ${table}`,
    `add chain ${table} input { type filter hook input priority -10 ; }`,
    `add chain ${table} forward { type filter hook forward priority -10 ; }`,
    `add rule ${table} input iifname %i drop`,
    `add rule ${table} forward iifname %i oifname %i ct state established,related accept`,
  ];
  const allowed = listReach(reachable).map(
    ({ from, to }) =>
      `add rule ${table} forward iifname %i oifname %i ip saddr ${addressText(from)} ip daddr { ${to.map(networkText).join(', ')} } accept`,
  );
  const rest = [`add rule ${table} forward iifname %i drop`, `add rule ${table} forward oifname %i drop`];
  return [
    ...[...chains, ...allowed, ...rest].map((command) => `PreUp = nft '${command}'`),
    'PostUp = sysctl -q -w net.ipv4.ip_forward=1',
    `PostDown = nft 'delete table ${table}'`,
  ];
}

/** The configuration of the machine that is the hub, for `wg-quick`. Clients without a profile are not in it. */
export function hubConfiguration(given: {
  id: number;
  port: number;
  privateKey: string;
  reachable: Reachable;
  peers: readonly { id: number; public_key: string | null }[];
}): string {
  const { id, port, privateKey, reachable, peers } = given;
  const { hub, clients, routes } = reachable;
  const lines = clients.flatMap((client) => {
    const key = peers.find((peer) => peer.id === client.id)?.public_key;
    if (!client.isActive || !hub.enabled || !key) return [];
    const behind = routes.filter(({ vpn_client_id }) => vpn_client_id === client.id);
    const allowed = [{ network: client.address, prefix: 32 }, ...behind].map(networkText).join(', ');
    return ['', '[Peer]', `PublicKey = ${key}`, `AllowedIPs = ${allowed}`];
  });
  return [
    '[Interface]',
    `PrivateKey = ${privateKey}`,
    `ListenPort = ${port}`,
    `Address = ${addressText(hubAddress(hub))}/${hub.prefix}`,
    ...filterLines(id, reachable),
    ...lines,
    '',
  ].join('\n');
}
