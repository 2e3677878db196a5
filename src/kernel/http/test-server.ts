import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  method: string;
  path: string;
  search: string;
  headers: IncomingMessage['headers'];
  body: string;
}
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** An object goes as JSON, a text as it is; without one an empty success. */
  body?: unknown;
}
export type Handler = (request: Seen) => Reply | Promise<Reply>;

/** A real HTTP server on a free port, with the page of the test at its origin, so that cookies and forgery protection are as in a browser. */
export async function startTestServer(handler: Handler) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // jsdom keeps the origin that its window was made with, so to it this server is a foreign one.
    const foreign = {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-expose-headers': 'x-request-id, content-disposition',
    };
    if (request.method === 'OPTIONS') {
      response.writeHead(204, foreign).end();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://localhost');
    let body = '';
    for await (const part of request) body += String(part);
    const entry = { method: request.method ?? '', path: url.pathname, search: url.search, headers: request.headers, body };
    seen.push(entry);
    const reply = await handler(entry);
    const isText = typeof reply.body === 'string';
    response.writeHead(reply.status ?? 200, { 'content-type': isText ? 'text/plain' : 'application/json', ...foreign, ...reply.headers });
    response.end(isText ? reply.body : JSON.stringify(reply.body ?? { success: true, data: null }));
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${address.port}`;
  // vitest's jsdom gives its own handle to the page.
  (globalThis as unknown as { jsdom: { reconfigure(options: { url: string }): void } }).jsdom.reconfigure({ url: `${origin}/` });
  return {
    origin,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** A promise and the key to it. */
export function makeGate<T = void>(): { wait: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => undefined;
  const wait = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { wait, open };
}
