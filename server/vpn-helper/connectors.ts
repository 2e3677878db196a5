import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { lineReader } from '../edges/vpn/wire.ts';
import { startChild, waitUntil, type Child } from './child.ts';
import { nameOf } from './network.ts';

/** A program that nobody has asked for a connection for so long ends. */
const IDLE_MS = 60_000;
const CONNECT_MS = 20_000;

interface Connector {
  child: Child;
  path: string;
  ready: Promise<void>;
}

/** Makes connections from the namespaces of hubs: one program in each that needs some, which runs while it is used. */
export function createConnectors(runDir: string) {
  const running = new Map<number, Connector>();
  let count = 0;

  const forget = (hub: number, connector: Connector): void => {
    if (running.get(hub) === connector) running.delete(hub);
  };
  function start(hub: number): Connector {
    count += 1;
    const path = join(runDir, `connect-${hub}-${count}.sock`);
    rmSync(path, { force: true });
    const program = [process.execPath, process.argv[1] ?? '', '--connector', path];
    const child = startChild('ip', ['netns', 'exec', nameOf(hub), ...program], { onEnd: () => forget(hub, connector) });
    const connector = { child, path, ready: waitUntil(() => existsSync(path), child) };
    connector.ready.catch(() => child.stop());
    running.set(hub, connector);
    return connector;
  }
  return {
    /** A socket whose first line says whether the address answered; after it, it is the connection. Throws Error. */
    async open(hub: number, address: string, port: number): Promise<Socket> {
      const connector = running.get(hub) ?? start(hub);
      try {
        await connector.ready;
        const socket = connect(connector.path);
        await once(socket, 'connect');
        socket.write(`${address} ${port}\n`);
        return socket;
      } catch (error) {
        forget(hub, connector);
        throw error;
      }
    },
    async stop(hub: number): Promise<void> {
      const connector = running.get(hub);
      running.delete(hub);
      await connector?.child.stop();
    },
  };
}

function serve(asked: Socket): void {
  const read = lineReader((line) => {
    asked.off('data', read);
    asked.pause();
    const [host = '', port = '0'] = line.split(' ');
    const way = connect({ host, port: Number(port), noDelay: true, timeout: CONNECT_MS });
    way.once('timeout', () => way.destroy(new Error('the client does not answer')));
    way.once('error', (error) => asked.end(`${JSON.stringify({ error: error.message })}\n`));
    way.once('connect', () => {
      way.setTimeout(0);
      way.removeAllListeners('error');
      way.on('error', () => asked.destroy());
      asked.write(`${JSON.stringify({ result: null })}\n`);
      asked.pipe(way);
      way.pipe(asked);
    });
    asked.once('close', () => way.destroy());
    way.once('close', () => asked.destroySoon());
  });
  asked.on('data', read);
  asked.on('error', () => asked.destroy());
}

/** The program inside a namespace: listens at a Unix socket, which is reached from outside, and ends when it is not used. */
export function runConnector(path: string): void {
  let open = 0;
  let idle: NodeJS.Timeout | undefined;
  const rest = (): void => {
    clearTimeout(idle);
    if (open === 0) idle = setTimeout(() => process.exit(0), IDLE_MS);
  };
  const server = createServer((asked) => {
    open += 1;
    rest();
    asked.once('close', () => {
      open -= 1;
      rest();
    });
    serve(asked);
  });
  process.umask(0o177);
  // Not there before it answers.
  const hidden = `${path}.new`;
  server.listen(hidden, () => {
    renameSync(hidden, path);
    rest();
  });
  process.once('exit', () => rmSync(path, { force: true }));
  process.once('SIGTERM', () => process.exit(0));
}
