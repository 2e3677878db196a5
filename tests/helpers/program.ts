import { permissionNames } from '../../schemas/_generated/contract.ts';
import type { Row } from '../../server/db/schema.ts';
import { send, type Answer } from './as.ts';
import { makeUser, type RoleChoice } from './factories.ts';
import { makeAccessToken } from './token-factories.ts';
import type { World } from './world.ts';

type Query = Parameters<typeof send>[3] extends { query?: infer Q } | undefined ? Q : never;

/** A program of the public API: calls with a personal access token, as those that others wrote do. */
export interface Program {
  user: Row<'users'>;
  token: Row<'access_tokens'> & { secret: string };
  headers: Record<string, string>;
  /** Paths are below `/api`, or below the root when they start with `//`. */
  get(path: string, query?: Query): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Calls with a token of an existing user; it has all that the user may do unless scopes are named. */
export async function programOf(
  world: World,
  user: Row<'users'>,
  scopes: string[] = ['super_admin', ...permissionNames],
): Promise<Program> {
  const token = await makeAccessToken(world, { user, scopes });
  const headers = { authorization: `Bearer ${token.secret}` };
  const change =
    (method: 'POST' | 'PUT' | 'DELETE') =>
    (path: string, body?: unknown, more: Record<string, string> = {}) =>
      send(world, method, path, { body, headers: { ...headers, ...more } });
  return {
    user,
    token,
    headers,
    get: (path, query) => send(world, 'GET', path, { headers, ...(query ? { query } : {}) }),
    post: change('POST'),
    put: change('PUT'),
    delete: change('DELETE'),
  };
}

/** Calls as the program of a new user with this role. */
export async function asProgram(
  world: World,
  role: RoleChoice,
  { company, scopes }: { company?: { id: number }; scopes?: string[] } = {},
): Promise<Program> {
  return programOf(world, await makeUser(world, { role, ...(company ? { company } : {}) }), scopes);
}
