import type { Answer } from './as.ts';
import { send } from './as.ts';
import type { World } from './world.ts';

export const ORIGIN = { origin: 'http://127.0.0.1:8080' };

/** Name and value of each cookie that an answer sets. */
export function cookiesOf(answer: Answer): Record<string, string> {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1, line.indexOf(';'))]));
}

/** Signs in as the page does. */
export function login(world: World, email: string, password: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send(world, 'POST', '/account/login', { body: { email, password }, headers: { ...ORIGIN, ...headers } });
}

export const refresh = (world: World, token: string) =>
  send(world, 'POST', '/account/token/refresh', { headers: { ...ORIGIN, cookie: `canopy_refresh=${token}` } });
export const whoAmI = (world: World, access: string | undefined) =>
  send(world, 'GET', '/user', { headers: { cookie: `canopy_access=${access}` } });
