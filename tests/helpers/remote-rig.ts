import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { ClientMessage, RemoteAnswer, RemoteQuestion, ServerMessage } from '../../schemas/kit/devices/remote-wire.ts';
import type { Recording, RemoteKind, RemoteSession } from '../../server/domain/remote/types.ts';
import { makeUser } from './factories.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** An administrator of a company, as a session knows them. */
export async function actorOf(world: World, company: { id: number; path: string }): Promise<RemoteSession['actor']> {
  const user = await makeUser(world, { role: 'admin', company });
  return {
    userId: user.id,
    name: 'Kari',
    email: user.email,
    companyId: company.id,
    companyPath: company.path,
    roleId: user.role_id,
    scope: 'tree',
    permissions: new Set(['super_admin']),
    via: 'session',
    sessionId: undefined,
    tokenId: undefined,
    tokenName: null,
    expiresAt: Number.MAX_SAFE_INTEGER,
    onBehalfOf: null,
  };
}

type Relay = (ctx: World['ctx'], session: RemoteSession, socket: WebSocket, hello: unknown) => void | Promise<void>;

/** A console's end of a remote session: what it hears, and what it answers. */
export class RemoteConsole {
  readonly messages: ServerMessage[] = [];
  readonly socket: WebSocket;
  bytes: Buffer[] = [];
  received = 0;
  acknowledges = true;
  answer: (question: RemoteQuestion) => RemoteAnswer = () => null;

  constructor(url: string, hello: object, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(url, { headers });
    this.socket.on('open', () => this.socket.send(JSON.stringify(hello)));
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return this.#takeBytes(data);
      const message = JSON.parse(data.toString()) as ServerMessage;
      this.messages.push(message);
      if (message.type === 'ask') this.send({ type: 'answer', id: message.id, answer: this.answer(message.question) });
    });
    this.socket.on('error', () => undefined);
  }

  #takeBytes(data: Buffer): void {
    this.bytes.push(data);
    this.received += data.length;
    if (this.acknowledges) this.send({ type: 'ack', bytes: data.length });
  }

  send(message: ClientMessage): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  /** All that was shown so far. */
  text(): string {
    return Buffer.concat(this.bytes).toString('utf8');
  }

  find<T extends ServerMessage['type']>(type: T): Extract<ServerMessage, { type: T }> | undefined {
    return this.messages.find((message): message is Extract<ServerMessage, { type: T }> => message.type === type);
  }

  async hear<T extends ServerMessage['type']>(type: T): Promise<Extract<ServerMessage, { type: T }>> {
    return until(`message ${type}; heard ${JSON.stringify(this.messages).slice(0, 500)}`, () => this.find(type));
  }

  async see(pattern: RegExp): Promise<string> {
    return until(`${pattern} in ${JSON.stringify(this.text().slice(-400))}`, () =>
      pattern.test(this.text().slice(-20_000)) ? this.text() : undefined,
    );
  }

  #calls = 0;

  /** One call to the files of a session. */
  async call(call: Extract<ClientMessage, { type: 'call' }>['call']): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    this.send({ type: 'call', id, call });
    const message = await until(`an answer to ${call.op}`, () =>
      this.messages.find((one) => (one.type === 'result' || one.type === 'fault') && one.id === id),
    );
    if (message.type === 'fault') throw Object.assign(new Error(message.message), { code: message.code });
    return message.type === 'result' ? message.result : undefined;
  }

  get lastCall(): number {
    return this.#calls;
  }
}

export interface RigOptions {
  kind: RemoteKind;
  entryId?: number;
  port: number;
  device: { id: number; name: string; company_id: number };
  actor: RemoteSession['actor'];
  credentials?: { username?: string; password?: string };
  hasClipboard?: boolean;
  /** In the place of `recorded`. */
  recording?: Recording;
}

/** A socket server that hands its connections to a relay, with sessions that go straight to a port of loopback. */
export async function makeRig(world: World, relay: Relay, options: RigOptions) {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  const ends: string[] = [];
  const recorded: string[] = [];
  const open = new Set<RemoteConsole>();
  const sessions: (RemoteSession & { cut(reason: string): void })[] = [];
  sockets.on('connection', (socket) => {
    const listeners: ((reason: string) => void)[] = [];
    const session = {
      id: sessions.length + 1,
      kind: options.kind,
      actor: options.actor,
      device: options.device,
      expiresAt: Number.MAX_SAFE_INTEGER,
      hasClipboard: options.hasClipboard ?? true,
      touch: () => undefined,
      entry: { id: options.entryId ?? 1, name: 'entry', host: '127.0.0.1', port: options.port },
      async openStream() {
        const stream = connect(options.port, '127.0.0.1');
        await once(stream, 'connect');
        stream.setNoDelay(true);
        return stream;
      },
      credentials: async () => options.credentials,
      onEnd: (listener: (reason: string) => void) => void listeners.push(listener),
      end(reason: string) {
        ends.push(reason);
        socket.close();
      },
      cut: (reason: string) => listeners.forEach((listener) => listener(reason)),
      recording: options.recording ?? {
        write: (direction: string, data: Buffer | string) => void (direction === 'o' && recorded.push(data.toString())),
      },
    };
    sessions.push(session);
    socket.once('message', (data: Buffer) => void relay(world.ctx, session, socket, JSON.parse(data.toString())));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  const url = `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    ends,
    recorded,
    sessions,
    open(hello: object = { cols: 80, rows: 24 }): RemoteConsole {
      const console = new RemoteConsole(url, hello);
      open.add(console);
      return console;
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.cut('test');
      for (const { socket } of open) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
