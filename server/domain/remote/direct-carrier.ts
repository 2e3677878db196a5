import { connect } from 'node:net';
import type { RemoteConfig } from '../../remote-config.ts';
import { guardTarget, ITSELF } from './guard.ts';
import { ANSWER_WITHIN_MS, RemoteError, type Carrier, type RemoteDevice } from './types.ts';

/** Where the server itself would find the device: the address that it reports, its LAN's before the one of its uplink. Devices report what they like, so the guard decides. */
function ownAddressOf(
  config: Pick<RemoteConfig, 'refused'>,
  { lan_ip, wan_ip }: Pick<RemoteDevice, 'wan_ip' | 'lan_ip'>,
  port: number,
): string | undefined {
  for (const reported of [lan_ip, wan_ip]) {
    if (reported === null) continue;
    try {
      const { host } = guardTarget(config, { host: reported, port });
      if (host !== ITSELF) return host;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
    }
  }
  return undefined;
}

/** Connections that this server makes itself, where REMOTE_DIRECT allows it: to the address that a device reports, and to what its entries name. */
export function directCarrier(config: Pick<RemoteConfig, 'direct' | 'refused'>): Carrier {
  const { direct } = config;
  return {
    name: 'direct',
    withinMs: ANSWER_WITHIN_MS,
    async open(device, target, signal) {
      if (direct === 'off') return undefined;
      const isOwn = target.host === ITSELF;
      const host = isOwn && direct !== 'loopback' ? ownAddressOf(config, device, target.port) : target.host;
      if (host === undefined) return undefined;
      return new Promise((resolve, reject) => {
        const socket = connect({ host, port: target.port, noDelay: true });
        const give = (): void => {
          socket.destroy();
          reject(new RemoteError('too-slow'));
        };
        signal.addEventListener('abort', give, { once: true });
        socket.once('connect', () => {
          signal.removeEventListener('abort', give);
          socket.removeAllListeners('error');
          resolve(socket);
        });
        socket.once('error', (cause) => {
          signal.removeEventListener('abort', give);
          reject(new RemoteError('refused', { cause }));
        });
      });
    },
  };
}
