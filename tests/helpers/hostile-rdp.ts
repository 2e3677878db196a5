import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { makeFolder } from './remote-counterparts.ts';

/** What it does once the client has spoken over TLS; the console, which only looks at the certificate, says nothing there. */
export type RdpAttack = 'silence' | 'garbage' | 'a message that never ends' | 'a flood';

/** It takes connections by TLS, with sign-in in the picture (MS-RDPBCGR 2.2.1.2). */
const CONFIRM_TLS = Buffer.from([3, 0, 0, 19, 14, 0xd0, 0, 0, 0x12, 0x34, 0, 2, 0, 8, 0, 1, 0, 0, 0]);

function attackOn(socket: TLSSocket, attack: RdpAttack): void {
  if (attack === 'silence') return;
  if (attack === 'garbage') return void socket.write(randomBytes(4096));
  // The length of what comes is 65,535 bytes; less follows.
  if (attack === 'a message that never ends')
    return void socket.write(Buffer.concat([Buffer.from([3, 0, 0xff, 0xff]), Buffer.alloc(1000)]));
  const flood = (): void => {
    while (!socket.destroyed && socket.write(Buffer.alloc(16_384, 3)));
  };
  socket.on('drain', flood);
  flood();
}

/** An RDP server that means harm. */
export async function startHostileRdp(attack: RdpAttack) {
  const folder = makeFolder();
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const args = ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-days', '2', '-subj', '/CN=till', '-keyout', key, '-out', cert];
  execFileSync('openssl', args, { stdio: 'ignore' });
  const certificate = { key: readFileSync(key), cert: readFileSync(cert) };
  const sockets = new Set<Socket>();
  let attacks = 0;
  const server = createServer((raw) => {
    sockets.add(raw);
    raw.on('error', () => undefined);
    raw.once('data', () => {
      raw.write(CONFIRM_TLS);
      const socket = new TLSSocket(raw, { isServer: true, ...certificate });
      socket.on('error', () => undefined);
      socket.once('data', () => {
        attacks += 1;
        attackOn(socket, attack);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    attacks: () => attacks,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
