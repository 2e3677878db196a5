import { randomBytes } from 'node:crypto';
import { Agent, request as sendRequest, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { pipeline, type Duplex, type Transform } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { RemoteSession } from '../../domain/remote/types.ts';
import { RemoteError } from '../../domain/remote/types.ts';
import { exactLength } from '../../kernel/exact-length.ts';
import { addTag, allowScript, asksForDocument, decoded, isDocument, LOGIN_SCRIPT } from './add-script.ts';
import { answerPage } from './answer-page.ts';
import type { CookieJar } from './cookie-jar.ts';
import { answerHeaders, requestHeaders, shownLocation, type Places } from './headers.ts';
import type { LoginFill } from './login-fill.ts';
import { isOdd, OddAnswer } from './odd-answer.ts';

const MOST_CONNECTIONS = 16;
export const DEVICE_ANSWERS_WITHIN_MS = 60_000;
export const MAX_HEADER_BYTES = 64 * 1024;
const MAX_INFORMATIONAL = 20;
/** Statuses of answers that end with their headers. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);
/** Sign-in forms are short. */
const MOST_OF_FORM = 64 * 1024;

/** A page of a device that is open in a browser. */
export interface Page {
  session: RemoteSession;
  places: Places;
  agent: Agent;
  /** What the browser proves itself with. */
  secret: string;
  jar: CookieJar;
  /** The device asked for them with HTTP Basic, and the entry has them. */
  authorization: string | undefined;
  /** Writes down that the device answered with a status that cannot be passed on; 0: with none that can be read. */
  noteOddAnswer(status: number): void;
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

/** A connection to the device's page, with TLS where it has that. Throws RemoteError. */
export async function openConnection(session: PageSession): Promise<Duplex> {
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
    const hasBody = request.method !== 'HEAD' && !BODILESS.has(status);
    if (!hasBody && request.method !== 'HEAD') delete headers['content-length'];
    const length = headers['content-length'];
    response.writeHead(status, headers);
    pipeline(hasBody && length !== undefined ? exactLength(answer, Number(length)) : answer, response, () => undefined);
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

/** Passes on what the device answered; an answer that no server may give becomes a page that says so. */
export function giveAnswer(page: Page, answer: IncomingMessage, passing: Passing): void {
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 599) return refuseAnswer(page, answer, passing.response);
  try {
    return giveCheckedAnswer(page, answer, passing);
  } catch {
    return refuseAnswer(page, answer, passing.response);
  }
}

/** Says that the device answered what cannot be passed on, and notes it. */
export function refuseAnswer(page: Page, answer: IncomingMessage, response: ServerResponse): void {
  answer.destroy();
  page.noteOddAnswer(answer.statusCode ?? 0);
  if (response.headersSent) response.destroy();
  else answerPage(response, 502, 'odd');
}

function giveCheckedAnswer(page: Page, answer: IncomingMessage, passing: Passing): void {
  const { request, response } = passing;
  const headers = answerHeaders(answer.headers, page.places);
  const cookies = page.jar.keep(answer.headers['set-cookie'] ?? [], request.url ?? '/');
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  const { location } = answer.headers;
  if (location !== undefined) {
    const target = shownLocation(location, request.url ?? '/', page.places);
    if ('elsewhere' in target) {
      answer.destroy();
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

/** What a request that gets no answer ends with. `repeat` may send one again whose kept connection the device has ended. */
export function endWithPage(page: Page, outgoing: ClientRequest, response: ServerResponse, repeat: () => boolean = () => false): void {
  let informational = 0;
  outgoing.on('information', ({ statusCode }) => {
    informational += 1;
    if (statusCode === 101 || informational > MAX_INFORMATIONAL) outgoing.destroy(new OddAnswer(statusCode));
  });
  outgoing.on('timeout', () => outgoing.destroy(new RemoteError('too-slow')));
  outgoing.on('error', (error) => {
    if (response.headersSent) return response.destroy();
    if ('code' in error && error.code === 'ECONNRESET' && repeat()) return undefined;
    if (!isOdd(error)) return answerPage(response, 502, error instanceof RemoteError ? error.reason : 'closed');
    page.noteOddAnswer(error instanceof OddAnswer ? error.status : 0);
    return answerPage(response, 502, 'odd');
  });
}

function send(page: Page, passing: Passing): void {
  const { request, response, body, isRepeated } = passing;
  const headers = requestHeaders(request.headers, page.places, page.jar.headerFor(request.url ?? '/', request.headers.cookie));
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
  // Nobody asked for another protocol.
  outgoing.on('upgrade', (answer) => refuseAnswer(page, answer, response));
  endWithPage(page, outgoing, response, () => {
    // The device ended a connection that was kept in the moment in which it was used again: the next is another.
    if (!outgoing.reusedSocket || !canRepeat(request)) return false;
    send(page, passing);
    return true;
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
