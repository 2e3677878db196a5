import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isProof, lineReader, proofOf, type ConnectCall, type HelperCall } from '../edges/vpn/wire.ts';
import { runConnector } from './connectors.ts';
import { createHelper, type Helper } from './helper.ts';
import { joinServer } from './join-server.ts';
import { run } from './network.ts';

const USAGE = `Runs VPN hubs for the Canopy server, with rights over the network that the server itself does not need.

  node server/vpn-helper/main.ts [--socket PATH] [--group NAME]
  node server/vpn-helper/main.ts --join URL --code CODE [--name NAME] [--dir PATH] [--port NUMBER]

  --socket  where it listens (default /run/canopy-vpn/helper.sock); the setting VPN_HELPER of the server names it
  --group   group whose members may talk to it (default: root alone)
  --join    address of a server on another machine: the device agent joins it with the code, and its tunnel leads to this helper;
            prints what the setting VPN_ZONES of the server names
  --code    an enrolment code; not needed again once it has joined
  --name    name of the device (default: host name)
  --dir     where keys are kept (default /var/lib/canopy-vpn)
  --port    of loopback (default 4790)
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

/** Answers what is asked on a connection; with a key, once the other side has proved that it has it too. */
function serve(helper: Helper, socket: Socket, key?: string): void {
  let queue: Promise<void> = Promise.resolve();
  let isTrusted = key === undefined;
  let nonce: string | undefined;
  const prove = (line: string): void => {
    const said = JSON.parse(line) as { nonce?: unknown; proof?: unknown };
    if (key === undefined || (nonce !== undefined && !isProof(said.proof, key, 'server', nonce))) return void socket.destroy();
    if (nonce !== undefined) return void (isTrusted = true);
    nonce = randomBytes(16).toString('base64url');
    socket.write(`${JSON.stringify({ nonce, proof: proofOf(key, 'helper', String(said.nonce)) })}\n`);
  };
  const read = lineReader((line) => {
    if (!isTrusted) return prove(line);
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
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ socket: text, group: text, connector: text, join: text, code: text, name: text, dir: text, port: text },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  if (values.connector !== undefined) return runConnector(values.connector);
  const sockets = new Set<Socket>();
  const stops: (() => Promise<void> | void)[] = [];
  const take = (helper: Helper, key?: string) =>
    createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serve(helper, socket, key);
    });
  if (values.join === undefined) stops.push(await listenHere(values, take));
  else stops.push(await listenForServer({ ...values, join: values.join }, take));
  const stop = async (): Promise<void> => {
    for (const end of stops) await end();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());

  /** At a Unix socket, for the server of this machine. */
  async function listenHere({ socket, group }: { socket?: string; group?: string }, serverOf: typeof take): Promise<() => Promise<void>> {
    const path = socket ?? '/run/canopy-vpn/helper.sock';
    const dir = dirname(path);
    mkdirSync(dir, { recursive: true, mode: 0o711 });
    const helper = await createHelper(join(dir, 'hubs'));
    if (existsSync(path) && statSync(path).isSocket()) rmSync(path);
    const server = serverOf(helper);
    process.umask(0o177);
    await listening(server, path);
    process.umask(0o077);
    if (group !== undefined) {
      chownSync(path, 0, await groupId(group));
      chmodSync(path, 0o660);
    }
    process.stdout.write(`The VPN helper is ready at ${path}\n`);
    return () => close(server, helper);
  }

  /** At a port of loopback, for a server on another machine, which the tunnel of the agent leads here. */
  async function listenForServer(given: JoinOptions, serverOf: typeof take): Promise<() => Promise<void>> {
    const dir = given.dir ?? '/var/lib/canopy-vpn';
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    process.umask(0o077);
    const helper = await createHelper(join(dir, 'hubs'));
    const joined = await joinServer(dir, given);
    const port = Number(given.port ?? DEFAULT_PORT);
    const server = serverOf(helper, joined.key);
    await listening(server, { host: '127.0.0.1', port });
    const agent = { device: joined.device, port, key: joined.key };
    process.stdout.write(`The VPN helper is ready; VPN_ZONES of the server: ${JSON.stringify({ zone: { host: hostname(), agent } })}\n`);
    return async () => {
      await joined.stop();
      await close(server, helper);
    };
  }

  async function close(server: Server, helper: Helper): Promise<void> {
    server.close();
    for (const socket of sockets) socket.destroy();
    await helper[Symbol.asyncDispose]();
  }
}

const DEFAULT_PORT = '4790';

interface JoinOptions {
  join: string;
  code?: string;
  name?: string;
  dir?: string;
  port?: string;
}

const listening = (server: Server, place: string | { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, resolve);
  });

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
