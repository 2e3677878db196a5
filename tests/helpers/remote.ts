import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { RemoteProtocol } from '../../server/db/remote-tables.ts';
import type { Caller } from './as.ts';
import type { World } from './world.ts';

/** A TCP service on loopback that answers what it gets. */
export interface Service extends AsyncDisposable {
  port: number;
  /** Connections that are open now. */
  open(): number;
}

export async function startService(onConnection: (socket: Socket) => void = (socket) => socket.pipe(socket)): Promise<Service> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A port of loopback at which nobody answers. */
export async function closedPort(): Promise<number> {
  const service = await startService();
  await service[Symbol.asyncDispose]();
  return service.port;
}

let counter = 0;

/** An entry of a device; answers its number. */
export async function makeEntry(
  caller: Caller,
  given: { device_id: number; port: number; protocol?: RemoteProtocol; host?: string; name?: string },
): Promise<number> {
  counter += 1;
  const { device_id, port, protocol = 'telnet', host = '127.0.0.1', name = `entry-${counter}` } = given;
  const answer = await caller.post('/devices/remote-access', {
    data: [{ device_id, name, destination_ip: host, destination_port: port, protocol }],
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.errors));
  return answer.data.id[0];
}

/** A browser's socket, with what came and how it ended. */
export interface TestSocket {
  socket: WebSocket;
  /** Resolves with all that came, once `text` is in it; rejects with how the socket ended when it ends before. */
  until(text: string): Promise<string>;
  closed: Promise<{ code: number; reason: string }>;
}

/** Opens the socket of a session as a page of the console would. Rejects with the HTTP status of a refusal. */
export async function openSocket(world: World, caller: Caller, url: string, headers: Record<string, string> = {}): Promise<TestSocket> {
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}${url}`, {
    headers: { cookie: caller.headers['cookie'] ?? '', origin: world.ctx.publicUrl(), ...headers },
  });
  let received = '';
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    received += String(data);
    for (const look of waiting) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    socket.on('unexpected-response', (_request, response) => {
      reject(new Error(`status ${response.statusCode}`));
      socket.terminate();
    });
    socket.on('error', reject);
  });
  return {
    socket,
    closed,
    until: (text) =>
      new Promise((resolve, reject) => {
        void closed.then(({ code, reason }) => reject(new Error(`closed with ${code} ${reason}, without ${text}`)));
        const look = (): void => {
          if (!received.includes(text)) return;
          waiting.delete(look);
          resolve(received);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** A kind whose handler joins the socket to a stream, byte for byte. */
export function registerPipe(world: World, kind: RemoteProtocol): void {
  world.ctx.remote.registerKind(
    kind,
    async (session, socket) => {
      // What is sent before the connection is open waits for it.
      socket.pause();
      const stream = await session.openStream();
      socket.resume();
      stream.on('data', (chunk: Buffer) => {
        session.recording?.write('o', chunk);
        socket.send(chunk);
      });
      stream.on('close', () => session.end('ended'));
      socket.on('message', (data: Buffer) => stream.write(data));
    },
    { hello: 'none', replaces: true },
  );
}

export { connect };
