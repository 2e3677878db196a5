import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { lineReader, type ConnectCall, type HelperCall } from '../edges/vpn/wire.ts';
import { runConnector } from './connectors.ts';
import { createHelper, type Helper } from './helper.ts';
import { run } from './network.ts';

const USAGE = `Runs VPN hubs for the Canopy server, with rights over the network that the server itself does not need.

  node server/vpn-helper/main.ts [--socket PATH] [--group NAME]

  --socket  where it listens (default /run/canopy-vpn/helper.sock); the setting VPN_HELPER of the server names it
  --group   group whose members may talk to it (default: root alone)
`;

async function answer(helper: Helper, call: HelperCall): Promise<unknown> {
  if (call.method === 'apply') return helper.apply(call.hub);
  if (call.method === 'remove') return helper.remove(Number(call.id));
  if (call.method === 'state') return helper.state(Number(call.after) || 0);
  throw new Error('unknown method');
}

/** Gives a socket over to a connection from a hub; the first line of that is the answer. */
async function handOver(helper: Helper, socket: Socket, call: unknown): Promise<void> {
  const way = await helper.connect(call);
  way.on('error', () => socket.destroy());
  way.once('close', () => socket.destroySoon());
  socket.once('close', () => way.destroy());
  socket.pipe(way);
  way.pipe(socket);
}

function serve(helper: Helper, socket: Socket): void {
  let queue: Promise<void> = Promise.resolve();
  const read = lineReader((line) => {
    queue = queue.then(async () => {
      try {
        const call = JSON.parse(line) as HelperCall | ConnectCall;
        if (call.method === 'connect') {
          socket.removeAllListeners('data');
          return await handOver(helper, socket, call);
        }
        const result = await answer(helper, call);
        socket.write(`${JSON.stringify({ result: result ?? null })}\n`);
      } catch (error) {
        socket.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
      }
    });
  });
  socket.on('data', (chunk) => {
    try {
      read(chunk);
    } catch {
      socket.destroy();
    }
  });
  socket.on('error', () => undefined);
}

async function groupId(name: string): Promise<number> {
  const line = await run('getent', ['group', name]);
  return Number(line.split(':')[2]);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { socket: { type: 'string' }, group: { type: 'string' }, connector: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(USAGE);
  if (values.connector !== undefined) return runConnector(values.connector);
  const path = values.socket ?? '/run/canopy-vpn/helper.sock';
  const dir = dirname(path);
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  const helper = await createHelper(join(dir, 'hubs'));
  if (existsSync(path) && statSync(path).isSocket()) rmSync(path);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(helper, socket);
  });
  process.umask(0o177);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  process.umask(0o077);
  if (values.group !== undefined) {
    chownSync(path, 0, await groupId(values.group));
    chmodSync(path, 0o660);
  }
  process.stdout.write(`The VPN helper is ready at ${path}\n`);
  const stop = async (): Promise<void> => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await helper[Symbol.asyncDispose]();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
