/** IPv4 addresses as numbers, and networks as their first address with the bits of their prefix. */

const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const BITS = 32;

export interface Network {
  network: number;
  prefix: number;
}

const sizeOf = (prefix: number): number => 2 ** (BITS - prefix);

/** undefined for a text that is no address in dotted form. */
export function readAddress(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => OCTET.test(part) && Number(part) < 256)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** An address in dotted form. */
export function addressText(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** Bits of a mask such as 255.255.255.0; undefined for one with gaps, or that is no mask. */
export function readMask(text: string): number | undefined {
  const mask = readAddress(text);
  if (mask === undefined) return undefined;
  const prefix = BITS - Math.log2(2 ** BITS - mask);
  return Number.isInteger(prefix) ? prefix : undefined;
}

export function maskText(prefix: number): string {
  return addressText(2 ** BITS - sizeOf(prefix));
}

export function networkText({ network, prefix }: Network): string {
  return `${addressText(network)}/${prefix}`;
}

/** Whether the address is the first one of a network with this prefix. */
export function isFirst({ network, prefix }: Network): boolean {
  return network % sizeOf(prefix) === 0;
}

export function lastOf({ network, prefix }: Network): number {
  return network + sizeOf(prefix) - 1;
}

export function isInside(address: number, network: Network): boolean {
  return address >= network.network && address <= lastOf(network);
}

export function overlaps(one: Network, other: Network): boolean {
  return one.network <= lastOf(other) && other.network <= lastOf(one);
}
