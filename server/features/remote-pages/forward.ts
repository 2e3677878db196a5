import { Agent, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { RemoteSession } from '../../domain/remote/types.ts';
import { RemoteError } from '../../domain/remote/types.ts';
import { answerPage } from './answer-page.ts';
import { answerHeaders, deviceCookies, requestHeaders, shownCookie, shownLocation, type Places } from './headers.ts';

const MOST_CONNECTIONS = 16;
const DEVICE_ANSWERS_WITHIN_MS = 60_000;
const MAX_HEADER_BYTES = 64 * 1024;
const MOST_COOKIES = 100;

/** A page of a device that is open in a browser. */
export interface Page {
  session: RemoteSession;
  places: Places;
  agent: Agent;
  /** What the browser proves itself with. */
  secret: string;
  /** Cookies that are kept here, where several pages share one host; undefined where the browser keeps them. */
  jar: Map<string, string> | undefined;
  /** The device asked for them with HTTP Basic, and the entry has them. */
  authorization: string | undefined;
}

async function openConnection(session: RemoteSession): Promise<Duplex> {
  const stream = await session.openStream();
  if (session.kind !== 'https') return stream;
  const { host } = session.entry;
  // Devices have certificates of their own making, and old ones know nothing newer.
  const secure = connectTls({
    socket: stream,
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
    ...(isIP(host) ? {} : { servername: host }),
  });
  await new Promise<void>((resolve, reject) => {
    secure.once('secureConnect', () => resolve());
    secure.once('error', (cause) => reject(new RemoteError('refused', { cause })));
  });
  return secure;
}

type ConnectionDone = (error: Error | null, stream: Duplex) => void;

/** Opens a connection for Node's agent, which takes its failure by the same callback. */
async function connectTo(session: RemoteSession, done: ConnectionDone | undefined): Promise<void> {
  let stream: Duplex;
  try {
    stream = await openConnection(session);
  } catch (error) {
    // The callback's type knows no call without a stream, Node itself makes one.
    done?.(error instanceof Error ? error : new Error(String(error)), undefined as unknown as Duplex);
    return;
  }
  done?.(null, stream);
}

/** Connections of a page through its session, several requests in each. */
export function makeAgent(session: RemoteSession): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS, maxFreeSockets: 4, timeout: DEVICE_ANSWERS_WITHIN_MS });
  agent.createConnection = (_options, done) => {
    void connectTo(session, done);
    return undefined;
  };
  return agent;
}

export const cookiesFor = ({ jar }: Page, header: string | undefined): string =>
  jar ? [...jar].map(([name, value]) => `${name}=${value}`).join('; ') : deviceCookies(header);

function keepCookies({ jar, places }: Page, lines: readonly string[]): string[] {
  const shown = lines.flatMap((line) => shownCookie(line, places) ?? []);
  if (!jar) return shown;
  for (const line of shown) {
    const [pair = '', ...attributes] = line.split('; ');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const isOver =
      value === '' ||
      attributes.some((part) => /^max-age=(?:0|-)/i.test(part) || Date.parse(/^expires=(.*)$/i.exec(part)?.[1] ?? '') < Date.now());
    if (isOver) jar.delete(name);
    else if (jar.size < MOST_COOKIES || jar.has(name)) jar.set(name, value);
  }
  return [];
}

async function basicOf(page: Page): Promise<string | undefined> {
  const stored = await page.session.credentials();
  if (stored?.password === undefined) return undefined;
  return `Basic ${Buffer.from(`${stored.username ?? ''}:${stored.password}`).toString('base64')}`;
}

const canRepeat = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

function giveAnswer(page: Page, answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  const headers = answerHeaders(answer.headers, page.places);
  const cookies = keepCookies(page, answer.headers['set-cookie'] ?? []);
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  const { location } = answer.headers;
  if (location !== undefined) {
    const target = shownLocation(location, request.url ?? '/', page.places);
    if ('elsewhere' in target) {
      answer.resume();
      return answerPage(response, 502, 'elsewhere', target.elsewhere);
    }
    headers['location'] = target.path;
  }
  response.writeHead(answer.statusCode ?? 502, headers);
  answer.pipe(response);
  answer.on('error', () => response.destroy());
  return undefined;
}

/** Passes a request on to the device, and its answer back. */
export function forward(page: Page, request: IncomingMessage, response: ServerResponse, isRepeated = false): void {
  const headers = requestHeaders(request.headers, page.places, cookiesFor(page, request.headers.cookie));
  if (page.authorization !== undefined && headers['authorization'] === undefined) headers['authorization'] = page.authorization;
  const outgoing = sendRequest({
    agent: page.agent,
    host: page.session.entry.host,
    port: page.session.entry.port,
    method: request.method,
    path: request.url,
    headers,
    setHost: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    timeout: DEVICE_ANSWERS_WITHIN_MS,
  });
  outgoing.on('response', (answer) => {
    const asksForBasic = answer.statusCode === 401 && /^basic\b/i.test(String(answer.headers['www-authenticate'] ?? ''));
    if (!asksForBasic || isRepeated || !canRepeat(request) || headers['authorization'] !== undefined)
      return giveAnswer(page, answer, request, response);
    answer.resume();
    basicOf(page).then(
      (authorization) => {
        page.authorization = authorization;
        if (authorization !== undefined) return forward(page, request, response, true);
        response.writeHead(401, answerHeaders(answer.headers, page.places));
        return response.end();
      },
      () => response.destroy(),
    );
    return undefined;
  });
  outgoing.on('timeout', () => outgoing.destroy(new RemoteError('too-slow')));
  outgoing.on('error', (error) => {
    if (response.headersSent) return response.destroy();
    return answerPage(response, 502, error instanceof RemoteError ? error.reason : 'closed');
  });
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  if (isRepeated || canRepeat(request)) outgoing.end();
  else request.pipe(outgoing);
}

/** Joins a WebSocket of a page with the one of the device, byte for byte. */
export async function forwardUpgrade(page: Page, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const device = await openConnection(page.session);
  const lines = {
    ...requestHeaders(request.headers, page.places, cookiesFor(page, request.headers.cookie)),
    connection: 'Upgrade',
    upgrade: String(request.headers.upgrade ?? 'websocket'),
  };
  const text = Object.entries(lines).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  device.write(`GET ${request.url ?? '/'} HTTP/1.1\r\n${text.join('')}\r\n`);
  if (head.length > 0) device.write(head);
  const end = (): void => {
    device.destroy();
    socket.destroy();
  };
  for (const side of [device, socket]) side.on('error', end).on('close', end);
  device.pipe(socket);
  socket.pipe(device);
}
