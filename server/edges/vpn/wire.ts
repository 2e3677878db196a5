import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ClientSpec, HubSpec } from './types.ts';

/** What the server asks the helper, one JSON object a line on a Unix socket; the helper answers in order, `{ "result" }` or `{ "error" }`. */
export type HelperCall = { method: 'apply'; hub: HubSpec } | { method: 'remove'; id: number } | { method: 'state'; after: number };

/**
 * A helper that is reached from another machine is asked first whether it is the right one, and asks the same: the server sends `{ nonce }`, the helper
 * answers `{ nonce, proof }`, and the server sends `{ proof }`. The key itself is never sent.
 */
export const proofOf = (key: string, side: 'server' | 'helper', nonce: string): string =>
  createHmac('sha256', key).update(`${side} ${nonce}`).digest('base64url');

/** Whether what the other side sent is its proof. */
export function isProof(given: unknown, key: string, side: 'server' | 'helper', nonce: string): boolean {
  const expected = Buffer.from(proofOf(key, side, nonce));
  const sent = Buffer.from(typeof given === 'string' ? given : '');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** The only call on a socket of its own: after the answer the socket is the connection. */
export interface ConnectCall {
  method: 'connect';
  hub: number;
  client: number;
  port: number;
}

/** Throws Error for a call that names something else than numbers in their range. */
export function readConnectCall(value: unknown): ConnectCall {
  const call = membersOf(value, 'a connection');
  return {
    method: 'connect',
    hub: numberOf(call['hub'], 1, 99_999_999_999, 'the id of a hub'),
    client: numberOf(call['client'], 1, Number.MAX_SAFE_INTEGER, 'the id of a client'),
    port: numberOf(call['port'], 1, 65_535, 'the port'),
  };
}

/** Longer lines end the connection. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const MAX_CLIENTS = 70_000;
const MAX_NETWORKS = 1000;
const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/; // 10.77.0.2
const NETWORK = /^[\d.]{7,15}\/(?:[1-9]|[12]\d|3[0-2])$/; // 192.168.8.0/24
const WG_KEY = /^[A-Za-z0-9+/]{43}=$/;
const SERIAL = /^[\da-f]{2,40}$/;
const PEM = /^[-A-Za-z0-9+/=\n ]{20,200000}$/;
const STATIC_KEY = /^(?:#[^\n<>]*\n)*[-A-Za-z0-9\n ]{600,1000}$/;

/** A hub as text, by which the server sees whether the helper runs what it should. */
export function revisionOf(hub: HubSpec): string {
  return createHash('sha256').update(JSON.stringify(hub)).digest('base64url').slice(0, 22);
}

class BadCall extends Error {
  override name = 'BadCall';
}

type Members = Record<string, unknown>;

export function membersOf(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadCall(`${what} is no object`);
  return value as Members;
}

export function textOf(value: unknown, shape: RegExp, what: string): string {
  if (typeof value !== 'string' || !shape.test(value)) throw new BadCall(`${what} has a wrong shape`);
  return value;
}

export function numberOf(value: unknown, least: number, most: number, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) throw new BadCall(`${what} is out of range`);
  return value;
}

export function listOf<T>(value: unknown, most: number, what: string, read: (item: unknown) => T): T[] {
  if (!Array.isArray(value) || value.length > most) throw new BadCall(`${what} is no list of at most ${most}`);
  return value.map(read);
}

const networkOf = (value: unknown): string => {
  const text = textOf(value, NETWORK, 'a network');
  textOf(text.slice(0, text.indexOf('/')), ADDRESS, 'a network');
  return text;
};
const networksOf = (value: unknown): string[] => listOf(value, MAX_NETWORKS, 'networks', networkOf);

function readClient(value: unknown): ClientSpec {
  const client = membersOf(value, 'a client');
  return {
    id: numberOf(client['id'], 1, Number.MAX_SAFE_INTEGER, 'the id of a client'),
    address: textOf(client['address'], ADDRESS, 'the address of a client'),
    ...(client['publicKey'] === undefined ? {} : { publicKey: textOf(client['publicKey'], WG_KEY, 'a public key') }),
    ...(client['serial'] === undefined ? {} : { serial: textOf(client['serial'], SERIAL, 'a serial number') }),
    networks: networksOf(client['networks']),
    routes: networksOf(client['routes']),
  };
}

function readPki(value: unknown): HubSpec['pki'] {
  const pki = membersOf(value, 'pki');
  const pem = (name: string): string => textOf(pki[name], PEM, name);
  return {
    ca: pem('ca'),
    certificate: pem('certificate'),
    key: pem('key'),
    tlsCrypt: textOf(pki['tlsCrypt'], STATIC_KEY, 'tlsCrypt'),
    revoked: textOf(pki['revoked'], /^[-A-Za-z0-9+/=\n ]{20,8000000}$/, 'revoked'),
  };
}

/**
 * A hub of which every member is checked, in the order that `revisionOf` expects: the helper has more rights than the server that asks it, so
 * nothing passes that could be read as another line of a configuration. Throws Error.
 */
export function readHubSpec(value: unknown): HubSpec {
  const hub = membersOf(value, 'a hub');
  const kind = hub['kind'];
  if (kind !== 'wireguard' && kind !== 'tun' && kind !== 'tap') throw new BadCall('the kind of a hub is unknown');
  return {
    id: numberOf(hub['id'], 1, 99_999_999_999, 'the id of a hub'),
    kind,
    port: numberOf(hub['port'], 1, 65_535, 'the port'),
    address: textOf(hub['address'], ADDRESS, 'the address of a hub'),
    prefix: numberOf(hub['prefix'], 8, 30, 'the prefix'),
    ...(kind === 'wireguard' ? { privateKey: textOf(hub['privateKey'], WG_KEY, 'the private key') } : { pki: readPki(hub['pki']) }),
    clients: listOf(hub['clients'], MAX_CLIENTS, 'clients', readClient),
    reach: listOf(hub['reach'], MAX_CLIENTS, 'reach', (item) => {
      const { from, to } = membersOf(item, 'a reach');
      return { from: networkOf(from), to: networksOf(to) };
    }),
    dhcp: listOf(hub['dhcp'], 16, 'dhcp', (item) => {
      const { type, address } = membersOf(item, 'a DHCP option');
      if (type !== 'DNS' && type !== 'WINS') throw new BadCall('the type of a DHCP option is unknown');
      return { type, address: textOf(address, ADDRESS, 'the address of a DHCP option') };
    }),
  };
}

/** Splits what arrives on a socket into lines. Throws Error for a line that is too long. */
export function lineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  let kept: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...kept, chunk.subarray(start, end)]).toString('utf8');
      [kept, size, start] = [[], 0, end + 1];
      onLine(line);
    }
    const rest = chunk.subarray(start);
    if (rest.length === 0) return;
    size += rest.length;
    if (size > MAX_LINE_BYTES) throw new Error('a line is too long');
    kept.push(rest);
  };
}
