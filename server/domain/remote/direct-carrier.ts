import { connect } from 'node:net';
import type { RemoteConfig } from '../../remote-config.ts';
import { canonicalAddress, isReachable, ITSELF } from './guard.ts';
import { RemoteError, type Carrier, type RemoteDevice } from './types.ts';

/** Where the server itself would find the device: the address that it reports, its LAN's before the one of its uplink. */
function ownAddressOf(device: Pick<RemoteDevice, 'wan_ip' | 'lan_ip'>): string | undefined {
  const addresses = [device.lan_ip, device.wan_ip].flatMap((address) => (address === null ? [] : (canonicalAddress(address) ?? [])));
  return addresses.find((address) => address !== ITSELF && isReachable(address));
}

/** Connections that this server makes itself, where REMOTE_DIRECT allows it: to the address that a device reports, and to what its entries name. */
export function directCarrier({ direct }: Pick<RemoteConfig, 'direct'>): Carrier {
  return {
    name: 'direct',
    async open(device, target, signal) {
      if (direct === 'off') return undefined;
      const isOwn = target.host === ITSELF;
      const host = isOwn && direct !== 'loopback' ? ownAddressOf(device) : target.host;
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
