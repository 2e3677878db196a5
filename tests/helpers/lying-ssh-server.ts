import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import ssh2, { type ServerChannel } from 'ssh2';

/** A device whose SSH server says of every file that it is this long, and sends what it likes. */
export interface LyingDevice extends AsyncDisposable {
  port: number;
  /** What it sends in place of a file; resolves when it is done. The channel ends then. */
  send: (channel: Pick<ServerChannel, 'write'>) => Promise<void>;
}

/** Starts one that lets everybody in; it has no SFTP, so that files go by `ls` and `tail`. */
export async function startLyingDevice(size: number): Promise<LyingDevice> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const clients = new Set<{ end(): unknown }>();
  const device = { send: async (): Promise<void> => undefined } as Pick<LyingDevice, 'send'>;
  const run = async (command: string, channel: ServerChannel): Promise<void> => {
    if (command.includes('tail -c')) await device.send(channel);
    else channel.write(command.includes('ls ') ? `-rw-r--r-- 1 root root ${size} 2026-11-24 08:15:20 +0000 file\n` : '/\n');
    channel.exit(0);
    channel.end();
  };
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client)).on('error', () => undefined);
    client.on('authentication', (attempt) => attempt.accept());
    client.on('session', (accept) => {
      const session = accept();
      session.on('exec', (acceptExec, _reject, { command }) => void run(command, acceptExec()));
      session.on('sftp', (_accept, reject) => reject());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return Object.assign(device, {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end();
      server.close();
      await once(server, 'close');
    },
  });
}
