import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that are no place of the public internet (IANA special-purpose registry). */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Within 2000::/3, where all public addresses are: those that hold an IPv4 address (Teredo, 6to4) or are for tests and documents. */
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const PUBLIC_V6 = '2000::/3';

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix = ''] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

const closedV4 = listOf(CLOSED_V4, 'ipv4');
const closedV6 = listOf(CLOSED_V6, 'ipv6');
const publicV6 = listOf([PUBLIC_V6], 'ipv6');

/**
 * Whether an address is one of the public internet. Loopback, link-local (cloud metadata among them), private and test ranges are not, and neither is
 * any IPv6 address that stands for an IPv4 one (`::ffff:…`, NAT64, 6to4, Teredo): what it leads to cannot be seen. A text that is no address is not either.
 */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  if (family === 4) return !closedV4.check(plain, 'ipv4');
  // A zone belongs to link-local addresses only.
  return family === 6 && plain === address && publicV6.check(plain, 'ipv6') && !closedV6.check(plain, 'ipv6');
}
