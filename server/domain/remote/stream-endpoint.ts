import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../../context.ts';
import { authenticateUpgrade } from '../../kernel/auth/authenticate.ts';
import { SECOND } from '../../kernel/clock.ts';
import type { KindOptions, Remote, RemoteHandler, RemoteKind, RemoteSession } from './types.ts';

export const STREAM_PATH = '/remote/stream';
/** Of one message of a browser: a piece of a file that is sent is smaller. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_HELLO_BYTES = 16 * 1024;
const HELLO_WITHIN_MS = 10 * SECOND;
const PING_EVERY_MS = 20 * SECOND;
/** Messages without a byte for the device, such as pings: a browser sends some a minute. */
const MOST_PINGS = 100;
/** Application codes of WebSocket closings: 4000 an end with its reason as text, 4001 a hello that never came or was none. */
const CLOSE_ENDED = 4000;
const CLOSE_HELLO = 4001;

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function parseHello(data: unknown): { hello: unknown } | undefined {
  try {
    const text = String(data);
    return text.length > MAX_HELLO_BYTES ? undefined : { hello: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The ends of a session and of its socket are one, a peer that answers no ping is gone, and one that sends pings without end is cut off. */
function bind(ctx: Context, session: RemoteSession, socket: WebSocket, { outlives }: KindOptions): void {
  let isAlive = true;
  let pings = 0;
  const stop = ctx.clock.every(PING_EVERY_MS, () => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    pings = 0;
    socket.ping();
    return undefined;
  });
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('message', () => {
    isAlive = true;
  });
  socket.on('ping', () => {
    pings += 1;
    if (pings > MOST_PINGS) socket.terminate();
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    stop();
    if (outlives?.(session) !== true) session.end('left');
  });
  session.onEnd((reason) => {
    stop();
    // One that is paused would not hear the browser agree to the closing.
    socket.resume();
    socket.close(CLOSE_ENDED, reason.slice(0, 100));
  });
}

async function serve(
  ctx: Context,
  { session, socket }: { session: RemoteSession; socket: WebSocket },
  { handler, options }: { handler: RemoteHandler; options: KindOptions },
): Promise<void> {
  bind(ctx, session, socket, options);
  const begin = async (hello: unknown): Promise<void> => {
    try {
      await handler(session, socket, hello);
    } catch (error) {
      ctx.log.warn({ err: error, session: session.id }, 'a remote session ended with an error');
      session.end('failed');
    }
  };
  if (options.hello === 'none') return begin(undefined);
  const cancel = ctx.clock.after(HELLO_WITHIN_MS, () => socket.close(CLOSE_HELLO, 'no hello'));
  socket.once('close', cancel);
  socket.once('message', (data) => {
    cancel();
    const parsed = parseHello(data);
    if (parsed) void begin(parsed.hello);
    else socket.close(CLOSE_HELLO, 'no JSON');
  });
}

/**
 * `/remote/stream?ticket=…`: one WebSocket for each session, for pages of ours only and the very person who was given the ticket. Everything else
 * that wants to be upgraded, but for the live channel, is refused.
 */
export function attachStreams(
  ctx: Context,
  http: Server,
  remote: Pick<Remote, 'enter'>,
  { handlers, livePath }: { handlers: ReadonlyMap<RemoteKind, { handler: RemoteHandler; options: KindOptions }>; livePath: string },
): { stop(): void } {
  let wss: WebSocketServer | undefined;

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, ticket: string): Promise<void> {
    const actor = await authenticateUpgrade(ctx, request.headers);
    if (!actor) return refuse(socket, '401 Unauthorized');
    const session = await remote.enter(ticket, actor);
    const kind = session && handlers.get(session.kind);
    if (!session || !kind) return refuse(socket, '403 Forbidden');
    if (socket.destroyed) return session.end('left');
    // Loaded with the first session: nobody else needs it.
    const { WebSocketServer: Wss } = await import('ws');
    wss ??= new Wss({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
    wss.handleUpgrade(request, socket, head, (opened) => void serve(ctx, { session, socket: opened }, kind));
    return undefined;
  }

  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const url = URL.parse(request.url ?? '', 'http://server');
    const path = url?.pathname ?? '';
    if (path.startsWith(livePath)) return;
    socket.on('error', () => socket.destroy());
    const ticket = url?.searchParams.get('ticket');
    if (path !== STREAM_PATH || !ticket) return refuse(socket, '404 Not Found');
    upgrade(request, socket, head, ticket).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'a remote session could not be opened');
      socket.destroy();
    });
  };
  http.on('upgrade', listener);
  return {
    stop() {
      http.off('upgrade', listener);
      for (const client of wss?.clients ?? []) client.terminate();
      wss?.close();
    },
  };
}
