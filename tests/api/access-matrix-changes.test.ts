import { expect, test } from 'vitest';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import type { RouteInfo } from '../../server/kernel/route.ts';
import { as, send, type Answer, type Caller } from '../helpers/as.ts';
import { makeCompany, makeRole, makeTree } from '../helpers/factories.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import { bodyFor } from '../helpers/route-bodies.ts';
import { makeRecords, pathWithId, UNKNOWN_ID } from '../helpers/route-samples.ts';
import { makeWorld } from '../helpers/world.ts';

type Change = 'POST' | 'PUT' | 'DELETE';

const nameOf = (info: RouteInfo): string => `${info.method} ${info.path}`;
/** Own records only, for every caller. */
const OWN_ONLY = [
  '/api/account/',
  '/api/notifications/',
  '/api/mfa/',
  '/api/users/impersonation/',
  '/api/tasks/:id/download/',
  '/api/devices/connect/sessions/:id/file',
];
/** Works on a removed company or device only, waits for a device, or names a second record beside its own; its own tests have them. */
const NEEDS_MORE = new Set([
  'POST /api/companies/:id/restore',
  'POST /api/devices/:id/restore',
  'POST /api/remote/entries/:id/check',
  'DELETE /api/vpn/hubs/:id/dhcp',
  'POST /api/devices/:id/remote-access/:action',
  'POST /api/remote/shared/:id/connect',
  'POST /api/remote/consents/:id/allow',
  'POST /api/remote/consents/:id/refuse',
  'POST /api/vpn/hubs/:id/devices/:device_id/rules',
  'POST /api/vpn/hubs/:id/devices/:device_id/sync',
  'DELETE /api/tags/:id/rule',
  'DELETE /api/devices/configurator/change-sets/:id/edits/:number',
]);

const isOfInstallation = ({ access }: RouteInfo): boolean =>
  typeof access === 'object' && 'permission' in access && access.permission === 'super_admin';
const isOfCompanies = (info: RouteInfo): boolean =>
  info.path.includes('/:id') &&
  !OWN_ONLY.some((start) => info.path.startsWith(start)) &&
  !NEEDS_MORE.has(nameOf(info)) &&
  !isOfInstallation(info);

function changeRecord(caller: Caller, info: RouteInfo, path: string): Promise<Answer> {
  const below = path.slice('/api'.length);
  const change = { POST: caller.post, PUT: caller.put, DELETE: caller.delete }[info.method as Change];
  return change(below, bodyFor(info));
}

test('routes that change a record find it for administrators of its company, of the one above it, and of the installation [AC1]', async () => {
  await using world = await makeWorld();
  const { top, foreign } = await makeTree(world);
  const inside = {
    'system administrator elsewhere': () => as(world, 'super_admin', { company: foreign }),
    'administrator of the parent company': () => as(world, 'admin', { company: top }),
    'administrator of the company': (company: { id: number }) => as(world, 'admin', { company }),
  };
  const changing = world.app.routes.filter((info) => info.method !== 'GET' && isOfCompanies(info));
  expect(changing.length).toBeGreaterThan(15);
  const lost: [string, string, string[]][] = [];
  const places = new Map<string, { records: Record<string, number>; caller: Caller }>();
  for (const info of changing) {
    for (const [who, makeCaller] of Object.entries(inside)) {
      const company = places.has(who) ? undefined : await makeCompany(world, { parent: top });
      const place = places.get(who) ?? { records: await makeRecords(world, company ?? top), caller: await makeCaller(company ?? top) };
      const answer = await changeRecord(place.caller, info, pathWithId(info, place.records) ?? '');
      // What was let in may have removed a record, or signed somebody out: the next call gets a company of its own.
      if (answer.status < 400 || answer.status === 401) places.delete(who);
      else places.set(who, place);
      const isLost = answer.status >= 500 || (answer.status === 404 && answer.errors[0]?.source === undefined);
      if (isLost) lost.push([nameOf(info), who, answer.codes]);
    }
  }
  expect(lost).toEqual([]);
});

test('a role of the own company with every permission reaches its own company only, by session and by token [AC1]', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const permissions = permissionNames.filter((name) => name !== 'super_admin');
  const caller = await as(world, await makeRole(world, { company: top, scope: 'company', permissions }), { company: top });
  const { secret } = await makeAccessToken(world, { user: caller.user, scopes: permissions });
  const below = await makeRecords(world, middle);
  const own = await makeRecords(world, top, 'own');
  const reading = world.app.routes.filter((info) => info.method === 'GET' && !info.forPrograms && isOfCompanies(info));
  for (const info of reading) {
    const read = async (records: Record<string, number>) => {
      const path = (pathWithId(info, records) ?? '').slice('/api'.length);
      const byToken = await send(world, 'GET', path, { headers: { authorization: `Bearer ${secret}` } });
      return [(await caller.get(path)).status, byToken.status];
    };
    expect([nameOf(info), await read(own), await read(below)]).toEqual([nameOf(info), [200, 200], [404, 404]]);
  }
});

test('a foreign role in a body is as unknown as none [AC2]', async () => {
  await using world = await makeWorld();
  const { middle, sibling, bottom, foreign } = await makeTree(world);
  const records = await makeRecords(world, middle);
  const infos = world.app.routes.filter((info) => info.body && info.access !== 'public' && 'role_id' in (bodyFor(info) ?? {}));
  expect(infos.length).toBeGreaterThan(3);
  for (const company of [sibling, bottom, foreign]) {
    const caller = await as(world, 'admin', { company });
    const mine = await makeRecords(world, company, 'mine');
    for (const info of infos) {
      const sample = { ...bodyFor(info), ...('company_id' in (bodyFor(info) ?? {}) ? { company_id: company.id } : {}) };
      const call = (role: number) =>
        send(world, info.method as Change, (pathWithId(info, mine) ?? info.path).slice('/api'.length), {
          body: { ...sample, role_id: Array.isArray(bodyFor(info)?.['role_id']) ? [role] : role },
          headers: caller.headers,
        });
      const theirs = await call(records['roles'] ?? 0);
      const missing = await call(UNKNOWN_ID);
      expect([nameOf(info), theirs.status, theirs.text, theirs.codes.length]).toEqual([nameOf(info), missing.status, missing.text, 1]);
    }
  }
});
