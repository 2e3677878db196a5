import { timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import ssh2, { type AuthContext, type Connection } from 'ssh2';
import type { ExpectedForward, Forward, OpenTunnelHub, TunnelHubOptions } from './types.ts';

const SIGN_IN_WITHIN_MS = 40_000;
const MOST_CONNECTIONS = 10_000;
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

/**
 * The SSH server that devices come to when they are instructed to: it lets in only those that it waits for, by their key, takes from each only the forward
 * that it was sent, and runs nothing.
 */
export const openTunnelHub: OpenTunnelHub = async ({ host, port, hostKey, now, onFault }: TunnelHubOptions) => {
  const waiting = new Map<string, Waiting>();
  const clients = new Set<Connection>();
  const server = new ssh2.Server(
    { hostKeys: [hostKey], ident: 'canopy', keepaliveInterval: KEEPALIVE_MS, keepaliveCountMax: KEEPALIVE_MISSES },
    (client) => {
      clients.add(client);
      let name = '';
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
      // @NOTE Without it small writes wait for the peer's acknowledgement; the types leave it out.
      (client as unknown as { setNoDelay(on: boolean): void }).setNoDelay(true);
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
  server.maxConnections = MOST_CONNECTIONS;
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
      await closed;
    },
  };
};
