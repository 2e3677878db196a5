import { randomBytes } from 'node:crypto';
import { Agent, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { pipeline, type Duplex, type Transform } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { RemoteSession } from '../../domain/remote/types.ts';
import { RemoteError } from '../../domain/remote/types.ts';
import { addTag, allowScript, asksForDocument, decoded, isDocument, LOGIN_SCRIPT } from './add-script.ts';
import { answerPage } from './answer-page.ts';
import { answerHeaders, deviceCookies, requestHeaders, shownCookie, shownLocation, type Places } from './headers.ts';
import type { LoginFill } from './login-fill.ts';

const MOST_CONNECTIONS = 16;
const DEVICE_ANSWERS_WITHIN_MS = 60_000;
const MAX_HEADER_BYTES = 64 * 1024;
const MOST_COOKIES = 100;
/** Sign-in forms are short. */
const MOST_OF_FORM = 64 * 1024;

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
  /** Fills its sign-in form; undefined where nothing is stored or nothing is to be filled. */
  fill: LoginFill | undefined;
}

/** A request on its way to the device. */
interface Passing {
  request: IncomingMessage;
  response: ServerResponse;
  /** Where it was read, because placeholders may be in it. */
  body?: Buffer;
  /** The stored password is in its body. */
  hasPassword?: true;
  /** Sent again, with what the device asked for by HTTP Basic. */
  isRepeated?: true;
}

type PageSession = Pick<RemoteSession, 'kind' | 'entry' | 'openStream'>;

async function openConnection(session: PageSession): Promise<Duplex> {
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
async function connectTo(session: PageSession, done: ConnectionDone | undefined): Promise<void> {
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
export function makeAgent(session: PageSession): Agent {
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

type Headers = ReturnType<typeof answerHeaders>;

/** Adds the script to a document; its headers allow it then. */
function scriptFor({ places }: Page, headers: Headers): Transform {
  const nonce = randomBytes(16).toString('base64');
  const policy = headers['content-security-policy'];
  const allow = (one: string): string => allowScript(one, places.shown + LOGIN_SCRIPT, nonce);
  if (policy !== undefined) headers['content-security-policy'] = Array.isArray(policy) ? policy.map(allow) : allow(policy);
  return addTag(`<script src="${LOGIN_SCRIPT}" nonce="${nonce}"></script>`);
}

/** Passes an answer on, changed where the page's sign-in form is filled. */
function giveBody(page: Page, answer: IncomingMessage, { request, response, hasPassword }: Passing, headers: Headers): void {
  const { fill } = page;
  const status = answer.statusCode ?? 502;
  const isFilled = fill !== undefined && request.method !== 'HEAD' && asksForDocument(request.headers) && isDocument(answer);
  const body = isFilled || hasPassword ? decoded(answer) : undefined;
  if (!fill || !body) {
    response.writeHead(status, headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
    return;
  }
  delete headers['content-length'];
  delete headers['content-encoding'];
  if (hasPassword)
    for (const [name, value] of Object.entries(headers)) if ([value].flat().some((one) => fill.isIn(one))) delete headers[name];
  const steps = [...(hasPassword ? [fill.hide()] : []), ...(isFilled ? [scriptFor(page, headers)] : [])];
  response.writeHead(status, headers);
  pipeline([body, ...steps, response], () => undefined);
}

function giveAnswer(page: Page, answer: IncomingMessage, passing: Passing): void {
  const { request, response } = passing;
  const headers = answerHeaders(answer.headers, page.places);
  const cookies = keepCookies(page, answer.headers['set-cookie'] ?? []);
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  const { location } = answer.headers;
  if (location !== undefined) {
    const target = shownLocation(location, request.url ?? '/', page.places);
    if ('elsewhere' in target) {
      answer.resume();
      return answerPage(response, 502, 'elsewhere', passing.hasPassword ? '' : target.elsewhere);
    }
    headers['location'] = target.path;
  }
  return giveBody(page, answer, passing, headers);
}

/** A request with what is stored in place of placeholders. Only bodies are read, and only those of the size and kind of a sign-in form. */
async function filled({ fill }: Page, { request, response }: Passing): Promise<Passing> {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  const length = Number(request.headers['content-length'] ?? Infinity);
  const isForm = /^application\/(?:x-www-form-urlencoded|(?:[a-z.]+\+)?json)\b/.test(type);
  if (!fill || canRepeat(request) || !isForm || length > MOST_OF_FORM || request.headers['content-encoding'] !== undefined)
    return { request, response };
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const replaced = fill.replaceIn(body, type);
  return replaced ? { request, response, body: replaced, hasPassword: true } : { request, response, body };
}

function send(page: Page, passing: Passing): void {
  const { request, response, body, isRepeated } = passing;
  const headers = requestHeaders(request.headers, page.places, cookiesFor(page, request.headers.cookie));
  if (page.authorization !== undefined && headers['authorization'] === undefined) headers['authorization'] = page.authorization;
  if (body) headers['content-length'] = String(body.length);
  // What is changed on the way has to be read.
  if (page.fill && (passing.hasPassword || asksForDocument(request.headers))) headers['accept-encoding'] = 'gzip';
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
      return giveAnswer(page, answer, passing);
    answer.resume();
    basicOf(page).then(
      (authorization) => {
        page.authorization = authorization;
        if (authorization !== undefined) return send(page, { ...passing, isRepeated: true });
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
    // The device ended a connection that was kept in the moment in which it was used again: the next is another.
    if (outgoing.reusedSocket && canRepeat(request) && 'code' in error && error.code === 'ECONNRESET') return send(page, passing);
    return answerPage(response, 502, error instanceof RemoteError ? error.reason : 'closed');
  });
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  if (body) outgoing.end(body);
  else if (isRepeated || canRepeat(request)) outgoing.end();
  else request.pipe(outgoing);
}

/** Passes a request on to the device, and its answer back. */
export async function forward(page: Page, request: IncomingMessage, response: ServerResponse): Promise<void> {
  send(page, await filled(page, { request, response }));
}

/** The script that fills the sign-in form of a page. */
export function answerScript({ fill }: Page, response: ServerResponse): void {
  const headers = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  response.writeHead(fill ? 200 : 404, { ...headers, 'cross-origin-resource-policy': 'same-origin' });
  response.end(fill?.script() ?? '');
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
