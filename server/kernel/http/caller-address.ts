import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function trustedAddresses(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    // Fastify also knows names of networks and masks with dots; their addresses count as callers here.
    if (isIP(net) === 0 || Number.isNaN(Number(prefix ?? 0))) continue;
    if (prefix === undefined) list.addAddress(net, familyOf(net));
    else list.addSubnet(net, Number(prefix), familyOf(net));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/**
 * Finds the address of a caller where there is no route, as at the opening of a live connection: of the chain that X-Forwarded-For reports, the nearest
 * one that is no proxy of ours. `proxies`: addresses and networks, as TRUST_PROXY has them.
 */
export function callerAddress(proxies: readonly string[]): (request: IncomingMessage) => string {
  const isProxy = trustedAddresses(proxies);
  return ({ headers, socket }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    const chain = [...forwarded.map((part) => part.trim()).filter(Boolean), socket.remoteAddress ?? ''];
    let address = chain.pop() ?? '';
    while (isProxy(address) && chain.length > 0) address = chain.pop() ?? '';
    return address;
  };
}
