import { timingSafeEqual } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import ipaddr from 'ipaddr.js';
import ssh2, { type AuthContext, type Connection } from 'ssh2';
import type { ExpectedForward, Forward, OpenTunnelHub, TunnelHubOptions } from './types.ts';

const SIGN_IN_WITHIN_MS = 40_000;
const MAX_CONNECTIONS = 10_000;
/** Devices behind one address that sign in at the same moment; those that have signed in do not count. */
const MAX_UNSIGNED_PER_ADDRESS = 100;
const KEEPALIVE_MS = 15_000;
const KEEPALIVE_MISSES = 3;

interface Waiting extends ExpectedForward {
  opened(forward: Forward): void;
}

const isSame = (left: Buffer, right: Buffer): boolean => left.length === right.length && timingSafeEqual(left, right);

/** Whether this is a proof of holding a key that one of the tunnels waits for; without a signature, whether such a proof would count. */
function isKeyOf(context: AuthContext, wanted: Iterable<Waiting>): boolean {
  if (context.method !== 'publickey') return false;
  const known = [...wanted].some(
    ({ deviceKey, publicKey }) => deviceKey === context.username && isSame(Buffer.from(publicKey, 'base64'), context.key.data),
  );
  if (!known || context.key.algo !== 'ssh-ed25519') return false;
  if (!context.signature) return true;
  const key = ssh2.utils.parseKey(`ssh-ed25519 ${context.key.data.toString('base64')}`);
  return !(key instanceof Error) && context.blob !== undefined && key.verify(context.blob, context.signature) === true;
}

function forwardOf(client: Connection, { bind, port }: { bind: string; port: number }, now: () => number): Forward {
  const listeners = new Set<() => void>();
  let count = 0;
  let lastUsedAt = now();
  let isClosed = false;
  client.on('close', () => {
    isClosed = true;
    for (const listener of listeners) listener();
  });
  return {
    open: () =>
      new Promise<Duplex>((resolve, reject) => {
        if (isClosed) return reject(new Error('the tunnel is closed'));
        // @NOTE The address must be the very text that the device asked for.
        client.forwardOut(bind, port, '127.0.0.1', 0, (error, channel) => {
          if (error) return reject(error);
          count += 1;
          lastUsedAt = now();
          channel.once('close', () => {
            count -= 1;
            lastUsedAt = now();
          });
          return resolve(channel);
        });
        return undefined;
      }),
    count: () => count,
    lastUsedAt: () => lastUsedAt,
    onClose: (listener) => void (isClosed ? listener() : listeners.add(listener)),
    close: () => void client.end(),
  };
}

/** An IPv4 address, or the network of an IPv6 one: a customer has 2^64 of those. */
function callerOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' ? ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString() : parsed.toString();
}

/** The connections that have not signed in, so many from one caller at most and each for so long. */
class UnsignedConnections {
  readonly #sockets = new Map<string, { socket: Socket; caller: string; late: NodeJS.Timeout }>();
  readonly #counts = new Map<string, number>();

  /** Whether the connection may go on; one too many is cut off. */
  add(socket: Socket): boolean {
    const { remoteAddress = '', remotePort = 0 } = socket;
    const caller = callerOf(remoteAddress);
    const count = this.#counts.get(caller) ?? 0;
    if (count >= MAX_UNSIGNED_PER_ADDRESS) {
      socket.destroy();
      return false;
    }
    const key = `${remoteAddress} ${remotePort}`;
    const late = setTimeout(() => socket.destroy(), SIGN_IN_WITHIN_MS);
    this.#counts.set(caller, count + 1);
    this.#sockets.set(key, { socket, caller, late });
    socket.on('close', () => this.take(key, socket));
    return true;
  }

  /** The connection of this key has signed in, or is over. */
  take(key: string, socket?: Socket): void {
    const unsigned = this.#sockets.get(key);
    if (!unsigned || (socket && unsigned.socket !== socket)) return;
    clearTimeout(unsigned.late);
    this.#sockets.delete(key);
    const left = (this.#counts.get(unsigned.caller) ?? 1) - 1;
    if (left === 0) this.#counts.delete(unsigned.caller);
    else this.#counts.set(unsigned.caller, left);
  }
}

/**
 * The SSH server that devices come to when they are instructed to: it lets in only those that it waits for, by their key, takes from each only the forward
 * that it was sent, and runs nothing.
 */
export const openTunnelHub: OpenTunnelHub = async ({ host, port, hostKey, now, onFault }: TunnelHubOptions) => {
  const waiting = new Map<string, Waiting>();
  const clients = new Set<Connection>();
  const sockets = new Set<Socket>();
  const unsigned = new UnsignedConnections();
  const ssh = new ssh2.Server(
    { hostKeys: [hostKey], ident: 'canopy', keepaliveInterval: KEEPALIVE_MS, keepaliveCountMax: KEEPALIVE_MISSES },
    (client, { ip, port: callerPort }) => {
      clients.add(client);
      let name = '';
      // Signed in without a forward is no more than a connection that has not.
      const late = setTimeout(() => client.end(), SIGN_IN_WITHIN_MS);
      client.on('error', () => client.end());
      client.on('close', () => {
        clearTimeout(late);
        clients.delete(client);
      });
      client.on('authentication', (context) => {
        if (!isKeyOf(context, waiting.values())) return context.reject(['publickey']);
        name = context.username;
        return context.accept();
      });
      client.on('ready', () => unsigned.take(`${ip} ${callerPort}`));
      client.on('session', (_accept, reject) => reject());
      client.on('tcpip', (_accept, reject) => reject());
      client.on('request', (accept, reject, kind, info) => {
        if (kind !== 'tcpip-forward') return reject?.();
        const { bindAddr, bindPort } = info;
        const wanted = waiting.get(bindAddr);
        if (wanted?.deviceKey !== name || bindPort === 0) return reject?.();
        waiting.delete(bindAddr);
        clearTimeout(late);
        accept?.();
        return wanted.opened(forwardOf(client, { bind: bindAddr, port: bindPort }, now));
      });
    },
  );
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    // Without it small writes wait for the peer's acknowledgement.
    socket.setNoDelay(true);
    if (unsigned.add(socket)) ssh.injectSocket(socket);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      server.on('error', onFault);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    expect: (wanted, signal) =>
      new Promise<Forward>((resolve, reject) => {
        const give = (): void => {
          waiting.delete(wanted.bind);
          reject(new Error('nobody opened the tunnel in time'));
        };
        if (signal.aborted) return give();
        signal.addEventListener('abort', give, { once: true });
        waiting.set(wanted.bind, {
          ...wanted,
          opened(forward) {
            signal.removeEventListener('abort', give);
            resolve(forward);
          },
        });
        return undefined;
      }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const client of clients) client.end();
      for (const socket of sockets) socket.destroySoon();
      await closed;
    },
  };
};
