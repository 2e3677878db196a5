import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import type { AnswerMeta, Envelope, ErrorItem } from '../../../schemas/kit/form/types.ts';
import { readLocal } from '../local.ts';
import { network } from '../network.ts';
import { ApiError } from './api-error.ts';
import { findBehaviour, type FailureScreen } from './error-policy.ts';
import { createPendingCalls, type PendingCalls } from './pending-calls.ts';
import { createAnswering, type Prompts } from './prompts.ts';
import { type Query, serializeQuery } from './query.ts';
import { loadTexts } from '../i18n/index.ts';

/** The auth calls' patience (docs/behaviour.md section 9). Other calls have none. */
export const AUTH_TIMEOUT_MS = 30_000;

export interface CallOptions {
  query?: Query;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Goes on when the user opens another page. Only reads are ever cancelled then: a write happens anyway, and its answer would be lost. */
  survivesRouteChange?: boolean;
  /** How many bytes of a body are on their way, of how many. */
  onUpload?(sent: number, total: number): void;
}

/** A good answer. `errors` is filled on a partial success (207) only. */
export interface Answer<T> {
  data: T;
  meta: AnswerMeta;
  errors: ErrorItem[];
  status: number;
  requestId: string | undefined;
}
export interface FileAnswer {
  blob: Blob;
  fileName: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
interface Call {
  method: Method;
  path: string;
  body?: unknown;
  options: CallOptions;
  responseType: 'json' | 'blob';
}
interface Link {
  instance: AxiosInstance;
  pending: PendingCalls;
}
type Read<R> = (response: AxiosResponse) => R;

export interface HttpClientInit {
  baseUrl: string;
  /** Renews the session after a 401; answers whether the call may be tried again. `sentAt` is when the refused call was sent. */
  renew(sentAt: number): Promise<boolean>;
  onScreen(screen: FailureScreen, error: ApiError): void;
  /** A write to this path is over, also when it was refused or unanswered: some of it may have happened. */
  onWrite?(path: string): void;
  /** Whom to ask for a code or the password in the middle of a call; without one such a refusal goes to the caller. */
  prompts?(): Prompts | undefined;
}

/** The one HTTP client: cookies, forgery protection, one renewal per 401, codes and passwords asked for, cancel on route change. */
export function createHttpClient(init: HttpClientInit) {
  const pending = createPendingCalls();
  const instance = axios.create({
    baseURL: init.baseUrl,
    withCredentials: true,
    // Every address is below the base, whatever the path says; so the token cannot leave.
    allowAbsoluteUrls: false,
    withXSRFToken: true,
    xsrfCookieName: 'XSRF-TOKEN',
    xsrfHeaderName: 'X-XSRF-TOKEN',
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
    paramsSerializer: { serialize: (params) => serializeQuery(params) },
  });
  instance.interceptors.request.use((config) => {
    const version = readLocal('client_version');
    if (version) config.headers.set('X-Client-Version', version);
    return config;
  });

  const link: Link = { instance, pending };
  const sendAnswering = createAnswering({
    prompts: () => init.prompts?.(),
    confirmPassword: (password) => {
      const call: Call = { method: 'POST', path: '/password-confirmation', body: { password }, options: {}, responseType: 'json' };
      return sendRenewing(init, link, call, undefined, readEnvelope);
    },
  });

  async function run<R>(call: Call, read: Read<R>): Promise<R> {
    const write = call.method !== 'GET';
    // Refused, not queued in silence: nobody expects a reboot an hour after the click.
    if (write && !navigator.onLine) throw new ApiError({ kind: 'offline' });
    return sendAnswering(call, (next) => sendRenewing(init, link, next, call.options.signal, read))
      .catch(throwWithTexts)
      .finally(() => write && init.onWrite?.(call.path));
  }

  const json = <T>(method: Method, path: string, body: unknown, options: CallOptions): Promise<Answer<T>> =>
    run({ method, path, body, options, responseType: 'json' }, readEnvelope<T>);

  return {
    get: <T>(path: string, options: CallOptions = {}) => json<T>('GET', path, undefined, options),
    post: <T>(path: string, body?: unknown, options: CallOptions = {}) => json<T>('POST', path, body, options),
    put: <T>(path: string, body?: unknown, options: CallOptions = {}) => json<T>('PUT', path, body, options),
    delete: <T>(path: string, body?: unknown, options: CallOptions = {}) => json<T>('DELETE', path, body, options),
    /** A file; its name is the server's (`content-disposition`). */
    download: (path: string, options: CallOptions = {}): Promise<FileAnswer> =>
      run({ method: 'GET', path, options, responseType: 'blob' }, readFile),
    /** A file that a body describes. */
    downloadBy: (path: string, body: unknown, options: CallOptions = {}): Promise<FileAnswer> =>
      run({ method: 'POST', path, body, options, responseType: 'blob' }, readFile),
    /** Ends every pending read that is not flagged to survive. */
    cancelPending(reason: string): void {
      pending.cancelAll(reason);
    },
  };
}

async function sendRenewing<R>(init: HttpClientInit, link: Link, call: Call, signal: AbortSignal | undefined, read: Read<R>): Promise<R> {
  const sentAt = Date.now();
  try {
    return await send(link, call, signal, read);
  } catch (failure) {
    const error = await toApiError(failure);
    const behaviour = findBehaviour(error);
    if (behaviour.kind === 'screen') init.onScreen(behaviour.screen, error);
    if (behaviour.kind !== 'refresh-once' || !isRenewable(call.path)) throw error;
    if (!(await init.renew(sentAt))) throw error;
  }
  try {
    return await send(link, call, signal, read);
  } catch (failure) {
    throw await toApiError(failure);
  }
}

const SESSION_CALLS = ['/account/login', '/account/token/', '/user/cancel-impersonation', '/set-up'];
// A 401 of the calls that make or end a session is their own answer (docs/behaviour.md section 8, Request-level).
function isRenewable(path: string): boolean {
  // The windows of shells start with who is signed in, and their page for signing in is the answer to nobody.
  if (path === '/user' && /rms-connect\/(ssh|telnet)/.test(location.pathname)) return false;
  return !SESSION_CALLS.some((start) => path.startsWith(start));
}

async function send<R>(link: Link, call: Call, signal: AbortSignal | undefined, read: Read<R>): Promise<R> {
  const { options } = call;
  const survives = call.method !== 'GET' || options.survivesRouteChange === true;
  const handle = link.pending.open(signal, survives);
  try {
    const response = await link.instance.request({
      method: call.method,
      url: call.path,
      ...encodeBody(call.body, options.headers),
      params: options.query,
      timeout: options.timeoutMs ?? 0,
      signal: handle.signal,
      responseType: call.responseType,
      onUploadProgress: options.onUpload && (({ loaded, total }) => options.onUpload?.(loaded, total ?? loaded)),
    });
    network.reportAnswer();
    return read(response);
  } catch (failure) {
    if (axios.isCancel(failure)) throw new ApiError({ kind: 'cancelled', message: handle.reason() });
    throw failure;
  } finally {
    handle.close();
  }
}

/** axios sends whatever is no object as text, but a form may be of one field alone. */
function encodeBody(body: unknown, headers: CallOptions['headers']): Pick<AxiosRequestConfig, 'data' | 'headers'> {
  if (body === undefined || (typeof body === 'object' && body !== null)) return { data: body, headers };
  return { data: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
}

function readEnvelope<T>(response: AxiosResponse): Answer<T> {
  const envelope = asEnvelope<T>(response.data);
  if (!envelope?.success) throw answerError(response.status, response.data, requestIdOf(response));
  return {
    // The contract test holds the server to the type that the caller names.
    data: envelope.data as T,
    meta: envelope.meta ?? {},
    errors: envelope.errors ?? [],
    status: response.status,
    requestId: requestIdOf(response),
  };
}

function readFile(response: AxiosResponse): FileAnswer {
  return { blob: response.data as Blob, fileName: fileNameOf(String(response.headers['content-disposition'] ?? '')) };
}

/** The file name of a `content-disposition` header; `filename*` (RFC 5987) comes first. */
export function fileNameOf(header: string): string {
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Falls through to the plain name.
    }
  }
  return /filename\s*=\s*"?([^";]+)"?/i.exec(header)?.[1] ?? 'download';
}

function asEnvelope<T>(body: unknown): Envelope<T> | undefined {
  return typeof body === 'object' && body !== null && 'success' in body ? (body as Envelope<T>) : undefined;
}

function requestIdOf(response: AxiosResponse): string | undefined {
  const id: unknown = response.headers['x-request-id'];
  return typeof id === 'string' ? id : undefined;
}

function answerError(status: number, body: unknown, requestId: string | undefined): ApiError {
  const envelope = asEnvelope(body);
  const items = Array.isArray(envelope?.errors) ? envelope.errors : [];
  return new ApiError({ kind: 'answer', status, items, meta: envelope?.meta, requestId });
}

async function toApiError(failure: unknown): Promise<ApiError> {
  if (failure instanceof ApiError) return failure;
  if (!axios.isAxiosError(failure)) throw failure;
  if (failure.response) {
    network.reportAnswer();
    const { status, data } = failure.response;
    return answerError(status, data instanceof Blob ? await parseBlob(data) : data, requestIdOf(failure.response));
  }
  if (failure.code === 'ECONNABORTED' || failure.code === 'ETIMEDOUT') return new ApiError({ kind: 'timeout', status: 408 });
  network.reportSilence();
  return new ApiError({ kind: 'offline' });
}

async function parseBlob(blob: Blob): Promise<unknown> {
  try {
    return JSON.parse(await blob.text());
  } catch {
    return undefined;
  }
}

/** Throws an error when its words are there. Refusals are rare, so the texts of them come with the first one. */
export async function throwWithTexts(error: unknown): Promise<never> {
  const isAnswer = error instanceof ApiError && error.kind === 'answer';
  // Without them the server's own words are shown.
  if (isAnswer) await loadTexts('errors', 'permissions', 'history').catch(() => undefined);
  throw error;
}
