import { networkInterfaces } from 'node:os';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { RemoteConfig } from '../../remote-config.ts';
import { RemoteError, type RemoteTarget } from './types.ts';

/** The device itself, as the device sees it. */
export const ITSELF = '127.0.0.1';

const CLOSED_V4 = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/3'];
/** All but global and unique local addresses; those that hold an IPv4 address lead where nobody sees it. */
const OPEN_V6 = ['2000::/3', 'fc00::/7'];
// fd00:ec2::254 gives the secrets of a virtual machine away, as 169.254.169.254 does.
const CLOSED_V6 = ['2001::/23', '2002::/16', 'fd00:ec2::/32'];

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    const family = isIP(net) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(net, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}

const closedV4 = listOf(CLOSED_V4);
const openV6 = listOf(OPEN_V6);
const closedV6 = listOf(CLOSED_V6);

/** An address as it is kept, `192.168.1.20`; undefined for what is none in the usual way of writing: no octal, hex or short forms, no zones. */
export function canonicalAddress(text: string): string | undefined {
  if (isIP(text) === 4) return text;
  if (isIP(text) !== 6 || text.includes('%')) return undefined;
  return ipaddr.IPv6.parse(text).toString();
}

/** Whether a device may be asked to connect to this address: itself, or a host that is no loopback, link-local, metadata or multicast one. */
export function isReachable(address: string, refused: readonly string[] = []): boolean {
  const canonical = canonicalAddress(address);
  if (canonical === undefined) return false;
  if (canonical === ITSELF) return true;
  const family = isIP(canonical);
  if (refused.length > 0 && listOf(refused).check(canonical, family === 4 ? 'ipv4' : 'ipv6')) return false;
  if (family === 4) return !closedV4.check(canonical, 'ipv4');
  return openV6.check(canonical, 'ipv6') && !closedV6.check(canonical, 'ipv6');
}

/** Addresses of this server, which no device leads back to. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
  );
}

/**
 * The one guard of remote access: every target passes here, whatever carries it. Throws RemoteError `refused-address` for what is no plain address,
 * for loopback (but for the device itself), link-local, metadata and multicast addresses, for this server and for what `REMOTE_REFUSED` names.
 */
export function guardTarget(config: Pick<RemoteConfig, 'refused'>, { host, port }: RemoteTarget): RemoteTarget {
  const address = canonicalAddress(host);
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535;
  if (
    address === undefined ||
    !isPort ||
    !isReachable(address, [...config.refused, ...ownAddresses().flatMap((own) => canonicalAddress(own) ?? [])])
  )
    throw new RemoteError('refused-address');
  return { host: address, port };
}
