import { createHash } from 'node:crypto';
import { createServer as createHttp, request as sendRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the device got of one request. */
export interface Got {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The web page of a device as devices make them: absolute addresses, strict cookies, a check of the origin, a WebSocket. */
export interface DevicePage extends AsyncDisposable {
  port: number;
  got: Got[];
}

function answer(own: () => string, got: Got, response: ServerResponse): void {
  const path = got.url.split('?')[0];
  if (path === '/') {
    response.writeHead(302, { location: `${own()}/home`, 'strict-transport-security': 'max-age=99', 'clear-site-data': '"*"' }).end();
  } else if (path === '/home') {
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'x-frame-options': 'DENY',
        'content-security-policy': `default-src 'self' ${own()}; upgrade-insecure-requests`,
        'referrer-policy': 'no-referrer',
        'set-cookie': ['sid=42; Path=/; Secure; HttpOnly; SameSite=Strict; Domain=192.168.1.1', 'canopy_remote=stolen; Path=/'],
      })
      .end('<h1>router</h1>');
  } else if (path === '/login') {
    // As devices do against forged forms.
    const isOwn = got.headers.origin === own() && (got.headers.referer ?? '').startsWith(own());
    response.writeHead(isOwn ? 200 : 403).end(isOwn ? `welcome ${got.body}` : 'forged');
  } else if (path === '/away') {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
  } else if (path === '/basic') {
    const isKnown = got.headers.authorization === `Basic ${Buffer.from('admin:quay side').toString('base64')}`;
    response.writeHead(isKnown ? 200 : 401, isKnown ? {} : { 'www-authenticate': 'Basic realm="router"' }).end(isKnown ? 'in' : 'who?');
  } else {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`${got.headers.host} ${got.headers.cookie ?? '-'}`);
  }
}

function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-page-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const args = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2', '-subj', '/CN=router'];
  execFileSync('openssl', [...args, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const made = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return made;
}

export async function startDevicePage({ isSecure = false, host = '127.0.0.1' } = {}): Promise<DevicePage> {
  const got: Got[] = [];
  let port = 0;
  const own = (): string => `${isSecure ? 'https' : 'http'}://${host}:${port}`;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      got.push(one);
      answer(own, one, response);
    });
  };
  const server: Server = isSecure ? createHttps(makeCertificate(), handle) : createHttp(handle);
  server.on('upgrade', (request, socket) => {
    got.push({ method: 'UPGRADE', url: request.url ?? '', headers: request.headers, body: '' });
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    // One text frame without a mask.
    socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from('hello')]));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  port = (server.address() as AddressInfo).port;
  return {
    port,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A browser at the host of one page: it keeps cookies and sends what browsers send. */
export interface PageBrowser {
  /** Where the page is shown. */
  origin: string;
  cookies: Map<string, string>;
  send(path: string, more?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<PageAnswer>;
}

export interface PageAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Sends to the host of an address, which is reached on loopback whatever it is called. */
export async function sendTo(
  url: URL,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      { host: '127.0.0.1', port: url.port, path: url.pathname + url.search, method, headers: { host: url.host, ...headers }, agent: false },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Comes with a ticket, as the tab that the console opens. */
export async function enterPage(address: string): Promise<PageBrowser> {
  const url = new URL(address);
  const cookies = new Map<string, string>();
  const send: PageBrowser['send'] = async (path, { method, headers = {}, body } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answered = await sendTo(new URL(path, url.origin), {
      ...(method === undefined ? {} : { method }),
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answered.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answered;
  };
  const entered = await send(url.pathname + url.search);
  if (entered.status !== 302) throw new Error(`not let in: ${entered.status} ${entered.text}`);
  return { origin: url.origin, cookies, send };
}
