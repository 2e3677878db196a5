import type { InjectOptions } from 'fastify';
import type { Envelope, JsonValue } from '../../schemas/kit/form/types.ts';
import type { Row } from '../../server/db/schema.ts';
import { cookieNames, FORGERY_COOKIE } from '../../server/kernel/auth/cookies.ts';
import { forgeryToken } from '../../server/kernel/auth/forgery.ts';
import { createSession, type SessionTokens } from '../../server/kernel/auth/sessions.ts';
import { makeUser, type RoleChoice } from './factories.ts';
import type { World } from './world.ts';

/** An answer as a test reads it. `data` is untyped on purpose: tests state what they expect. */
export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests read members that they then compare.
  data: any;
  meta: Record<string, JsonValue | undefined>;
  errors: { code: string; message: string; source?: string; params?: Record<string, JsonValue> }[];
  /** The codes of `errors`. */
  codes: string[];
  headers: Record<string, string | string[] | number | undefined>;
  /** The body as text, byte for byte. */
  text: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Members without a value are left out. */
type Query = Record<string, string | number | boolean | undefined>;

export interface Caller {
  user: Row<'users'> & { role_id?: number };
  session: SessionTokens;
  /** Cookies and forgery header of this session, for calls that a test makes by hand. */
  headers: Record<string, string>;
  /** Paths are below `/api`. */
  get(path: string, query?: Query): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Sends a call to the server without a network. `path` is below `/api` unless it starts with `//`, which stands for the root. */
export async function send(
  world: Pick<World, 'app'>,
  method: Method | 'HEAD' | 'OPTIONS',
  path: string,
  { body, query, headers = {} }: { body?: unknown; query?: Query; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const options: InjectOptions = {
    method,
    url: path.startsWith('//') ? path.slice(1) : `/api${path}`,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    ...(query === undefined ? {} : { query: textsOf(query) }),
  };
  const response = await world.app.fastify.inject(options);
  return readAnswer({ status: response.statusCode, headers: response.headers, text: response.body });
}

function textsOf(query: Query): Record<string, string> {
  return Object.fromEntries(Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])));
}

function readAnswer({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>): Answer {
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
  const envelope: Envelope = isJson && text !== '' ? JSON.parse(text) : { success: status < 400 };
  const errors = envelope.errors ?? [];
  return { status, headers, text, data: envelope.data, meta: envelope.meta ?? {}, errors, codes: errors.map((error) => error.code) };
}

/** Calls as an existing user, in a new session. */
export async function asUser(world: World, user: Caller['user']): Promise<Caller> {
  const { ctx } = world;
  const session = await createSession(ctx, ctx.db, {
    userId: user.id,
    now: ctx.clock.now(),
    origin: { ip: '127.0.0.1', requestId: 'test', userAgent: 'test' },
  });
  const forgery = forgeryToken(ctx, session.sessionId);
  const names = cookieNames(ctx);
  const headers = {
    cookie: `${names.access}=${session.access}; ${names.refresh}=${session.refresh}; ${FORGERY_COOKIE}=${forgery}`,
    'x-xsrf-token': forgery,
    'x-requested-with': 'XMLHttpRequest',
    origin: ctx.publicUrl(),
  };
  const change =
    (method: Method) =>
    (path: string, body?: unknown, more: Record<string, string> = {}) =>
      send(world, method, path, { body, headers: { ...headers, ...more } });
  return {
    user,
    session,
    headers,
    get: (path, query) => send(world, 'GET', path, { headers, ...(query ? { query } : {}) }),
    post: change('POST'),
    put: change('PUT'),
    delete: change('DELETE'),
  };
}

/** Calls as a new user with this role, in this company or one of its own. */
export async function as(world: World, role: RoleChoice, { company }: { company?: { id: number } } = {}): Promise<Caller> {
  return asUser(world, await makeUser(world, { role, ...(company ? { company } : {}) }));
}
