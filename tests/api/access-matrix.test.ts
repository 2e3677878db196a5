import { describe, expect, test } from 'vitest';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import permissionsFile from '../../schemas/permissions.json' with { type: 'json' };
import type { RouteInfo } from '../../server/kernel/route.ts';
import type { Access } from '../../server/kernel/actor.ts';
import { route } from '../../server/kernel/route.ts';
import { ok } from '../../server/kernel/answer.ts';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, send, type Answer, type Caller } from '../helpers/as.ts';
import { changeMember, makeCompany, makeRole, makeTree } from '../helpers/factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { bodyFor } from '../helpers/route-bodies.ts';
import { anyPath, makeRecords, pathWithId, UNKNOWN_ID } from '../helpers/route-samples.ts';
import { roundsOf } from '../helpers/test-database.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Outcome = '401' | '403' | 'in person' | 'let in';

const BUILT_IN = permissionsFile.roles.map((role) => role.key as 'super_admin');

function permissionsOfRole(key: string): Set<string> {
  const held = permissionsFile.permissions.filter((permission) => permission.roles.includes(key)).map((permission) => permission.name);
  return new Set(held.includes('super_admin') ? permissionNames : held);
}

function expectedOutcome(access: Access, held: ReadonlySet<string> | undefined): Outcome {
  if (access === 'public') return 'let in';
  if (!held) return '401';
  if (access === 'signed-in') return 'let in';
  const needed = 'permission' in access ? [access.permission] : access.anyOf;
  return needed.some((name) => held.has(name)) ? 'let in' : '403';
}

function outcomeOf(answer: Answer): Outcome {
  if (answer.status === 401) return '401';
  if (answer.codes[0] === 'ONLY_IN_PERSON') return 'in person';
  return answer.codes[0] === 'FORBIDDEN' ? '403' : 'let in';
}

/** Routes that answer 401 by themselves, to say that there is no session to renew. */
const OWN_401 = new Set(['POST /api/account/token/refresh', 'POST /api/user/cancel-impersonation']);
/** What changes the caller itself is left to its own tests. */
const ENDS_SESSION = new Set(['POST /api/account/token/revoke', 'POST /api/user/cancel-impersonation']);

const nameOf = (info: RouteInfo): string => `${info.method} ${info.path}`;

function callAs(world: World, info: RouteInfo, headers: Record<string, string>): Promise<Answer> {
  const path = anyPath(info);
  return send(world, info.method as 'GET', path.startsWith('/api') ? path.slice(4) : `/${path}`, {
    headers,
    // An empty object: the access check comes before the body's rules, and no call that is let in can change anything.
    ...(info.method === 'GET' ? {} : { body: {} }),
  });
}

async function matrixOf(world: World, headers: Record<string, string>): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {};
  for (const info of world.app.routes) {
    if (ENDS_SESSION.has(nameOf(info))) continue;
    const answer = await callAs(world, info, headers);
    outcomes[nameOf(info)] = OWN_401.has(nameOf(info)) ? 'let in' : outcomeOf(answer);
  }
  return outcomes;
}

function expectedMatrix(world: World, held: ReadonlySet<string> | undefined): Record<string, Outcome> {
  const infos = world.app.routes.filter((info) => !ENDS_SESSION.has(nameOf(info)));
  // All callers here have sessions.
  const refused = (info: RouteInfo, outcome: Outcome): Outcome => (info.forPrograms && outcome === 'let in' ? '403' : outcome);
  return Object.fromEntries(infos.map((info) => [nameOf(info), refused(info, expectedOutcome(info.access, held))]));
}

describe('who may call what', () => {
  test('a route that does not say who may call it does not start [AC1]', async () => {
    await using world = await makeWorld();
    const undeclared = { method: 'GET', path: '/anything', summary: '', tag: '', handler: async () => ok() };
    const register = route as unknown as (app: unknown, spec: unknown) => void;
    expect(() => register(world.app, undeclared)).toThrow('Route GET /api/anything declares no permission');
  });

  test('every route of the server is in the registry [AC1]', async () => {
    await using world = await makeWorld();
    const printed = world.app.fastify.printRoutes({ commonPrefix: false });
    const methods = [...printed.matchAll(/\((GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS|TRACE)(?:, [A-Z]+)*\)/g)].flatMap((match) =>
      match[0].slice(1, -1).split(', '),
    );
    const own = methods.filter((method) => method !== 'HEAD');
    expect(own).toHaveLength(world.app.routes.length);
  });

  test('nobody gets in but where it is public [AC1]', async () => {
    await using world = await makeWorld();
    expect(await matrixOf(world, { origin: world.ctx.publicUrl() })).toEqual(expectedMatrix(world, undefined));
  });

  test.each(BUILT_IN.slice(0, roundsOf(BUILT_IN.length)))('%s gets in exactly where its permissions say [AC1]', async (role) => {
    await using world = await makeWorld();
    const caller = await as(world, role);
    expect(await matrixOf(world, caller.headers)).toEqual(expectedMatrix(world, permissionsOfRole(role)));
  });

  test('a role without any permission gets in only where signing in is enough [AC1]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, await makeRole(world));
    expect(await matrixOf(world, caller.headers)).toEqual(expectedMatrix(world, new Set()));
  });

  test('who impersonates somebody gets in where that one does, but not where only the person itself may [AC1 AC7]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'super_admin', { company });
    const { headers } = await actFor(world, admin, await as(world, 'admin', { company }));
    const expected = expectedMatrix(world, permissionsOfRole('admin'));
    const held = permissionsOfRole('admin');
    for (const info of world.app.routes)
      if (info.onlyInPerson && expectedOutcome(info.access, held) === 'let in' && !ENDS_SESSION.has(nameOf(info)))
        expected[nameOf(info)] = 'in person';
    expect(await matrixOf(world, headers)).toEqual(expected);
  });

  test('a disabled user and an expired session are nobody [AC1]', async () => {
    await using world = await makeWorld();
    const disabled = await as(world, 'super_admin');
    await changeMember(world, disabled.user, { disabled_at: 1 });
    expect(await matrixOf(world, disabled.headers)).toEqual(expectedMatrix(world, undefined));
    const expired = await as(world, 'super_admin');
    await world.clock.jump(10 * MINUTE);
    expect(await matrixOf(world, expired.headers)).toEqual(expectedMatrix(world, undefined));
  });

  test('an address that nothing answers asks for a session too [AC1]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      expect((await send(world, method, '/no/such/thing')).status, method).toBe(401);
      expect((await send(world, method, '/no/such/thing', { headers: caller.headers })).status, method).toBe(404);
    }
  });
});

/** Callers by where their company is, seen from the company that the record belongs to. */
async function makeCallers(world: World) {
  const { top, middle, sibling, bottom, foreign } = await makeTree(world);
  const records = await makeRecords(world, middle);
  return {
    records,
    inside: {
      'system administrator elsewhere': await as(world, 'super_admin', { company: foreign }),
      'administrator of the parent company': await as(world, 'admin', { company: top }),
      'administrator of the company': await as(world, 'admin', { company: middle }),
    },
    outside: {
      'administrator of a child company': await as(world, 'admin', { company: bottom }),
      'administrator of a sibling company': await as(world, 'admin', { company: sibling }),
      'administrator of another tree': await as(world, 'admin', { company: foreign }),
      'end client of the parent company': await as(world, await endClientWithAllRights(world, top), { company: top }),
    },
  };
}

async function endClientWithAllRights(world: World, company: { id: number }) {
  const permissions = permissionNames.filter((name) => name !== 'super_admin');
  return makeRole(world, { company, scope: 'company', permissions });
}

function callRecord(caller: Caller, info: RouteInfo, path: string): Promise<Answer> {
  const below = path.slice('/api'.length);
  if (info.method === 'GET') return caller.get(below);
  const change = { POST: caller.post, PUT: caller.put, DELETE: caller.delete }[info.method as 'POST'];
  return change(below, bodyFor(info));
}

/** Records of no company: each person's own, and the system's. */
const OWN_ONLY = [
  '/api/account/',
  '/api/notifications/',
  '/api/system/',
  '/api/tasks/:id/download/',
  // Files come through a session that one has open oneself.
  '/api/devices/connect/sessions/:id/file',
];

describe('records of other companies', () => {
  test('reading routes show a record to the companies above it and to nobody else [AC1]', async () => {
    await using world = await makeWorld();
    const { records, inside, outside } = await makeCallers(world);
    const reading = world.app.routes.filter(
      (info) =>
        info.method === 'GET' && !info.forPrograms && info.path.includes('/:id') && !OWN_ONLY.some((start) => info.path.startsWith(start)),
    );
    expect(reading.length).toBeGreaterThan(6);
    const seen: [string, string, number][] = [];
    for (const info of reading) {
      const path = pathWithId(info, records) ?? '';
      for (const [who, caller] of Object.entries(inside)) seen.push([nameOf(info), who, (await callRecord(caller, info, path)).status]);
      for (const [who, caller] of Object.entries(outside)) seen.push([nameOf(info), who, (await callRecord(caller, info, path)).status]);
    }
    const expected = seen.map(([name, who]) => [name, who, who in inside ? 200 : 404]);
    expect(seen).toEqual(expected);
  });

  test('every route answers for a foreign record with the bytes of one that never was, and changes nothing [AC2]', async () => {
    await using world = await makeWorld();
    const { records, outside } = await makeCallers(world);
    const unknown = Object.fromEntries(Object.keys(records).map((kind) => [kind, UNKNOWN_ID]));
    const before = await dump(world);
    const infos = world.app.routes.filter(
      (info) => !info.forPrograms && info.path.includes('/:id') && !info.path.startsWith('/api/system/'),
    );
    for (const info of infos) {
      for (const [who, caller] of Object.entries(outside)) {
        const foreign = await callRecord(caller, info, pathWithId(info, records) ?? '');
        const missing = await callRecord(caller, info, pathWithId(info, unknown) ?? '');
        expect([nameOf(info), who, foreign.status, foreign.text]).toEqual([nameOf(info), who, 404, missing.text]);
      }
    }
    expect(await dump(world)).toEqual(before);
  });

  test('ids in bodies: a foreign device or company is as unknown as none, and nothing is done for the others of the call [AC2]', async () => {
    await using world = await makeWorld();
    const { records, outside } = await makeCallers(world);
    const before = await dump(world);
    const infos = world.app.routes.filter((info) => info.body && info.access !== 'public' && !info.path.includes('/:id'));
    for (const info of infos) {
      const sample = bodyFor(info) ?? {};
      for (const [who, caller] of Object.entries(outside)) {
        for (const [field, kind] of Object.entries({
          device_id: 'devices',
          company_id: 'companies',
          tag_id: 'tags',
          parent_id: 'companies',
          files: 'files',
          source: 'companies',
          target: 'companies',
        })) {
          if (!(field in sample)) continue;
          const wrap = (id: number) => (Array.isArray(sample[field]) ? [id] : id);
          const call = (id: number) =>
            send(world, info.method as 'POST', info.path.slice(4), { body: { ...sample, [field]: wrap(id) }, headers: caller.headers });
          const foreign = await call(records[kind] ?? 0);
          const missing = await call(UNKNOWN_ID);
          const plain = (answer: Answer) => [
            answer.status,
            answer.text.replaceAll(String(records[kind]), 'ID').replaceAll(String(UNKNOWN_ID), 'ID'),
          ];
          expect([nameOf(info), who, field, ...plain(foreign)]).toEqual([nameOf(info), who, field, ...plain(missing)]);
        }
      }
    }
    expect(withoutJobs(await dump(world))).toEqual(withoutJobs(before));
  });

  test('lists, counts, searches, statistics and exports never show anything of another company [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, sibling, bottom, foreign, top } = await makeTree(world);
    await makeRecords(world, middle, 'ZZSECRET');
    const lists = world.app.routes.filter((info) => info.method === 'GET' && info.access !== 'public' && !info.path.includes(':'));
    expect(lists.length).toBeGreaterThan(12);
    const callers = [
      await as(world, 'admin', { company: sibling }),
      await as(world, 'admin', { company: bottom }),
      await as(world, 'admin', { company: foreign }),
      await as(world, await endClientWithAllRights(world, top), { company: top }),
    ];
    for (const info of lists) {
      const path = info.path.slice(4);
      for (const caller of callers) {
        const plain = await caller.get(path);
        expect([nameOf(info), plain.text.includes('ZZSECRET')]).toEqual([nameOf(info), false]);
        const found = await caller.get(path, { q: 'ZZSECRET' });
        expect([nameOf(info), found.meta['total'] ?? 0]).toEqual([nameOf(info), 0]);
        const filtered = await caller.get(path, { company_id: middle.id });
        const unknown = await caller.get(path, { company_id: UNKNOWN_ID });
        expect([nameOf(info), filtered.text.includes('ZZSECRET'), filtered.meta['total']]).toEqual([
          nameOf(info),
          false,
          unknown.meta['total'],
        ]);
      }
    }
    const owner = await as(world, 'admin', { company: top });
    expect((await owner.get('/devices', { q: 'ZZSECRET' })).meta['total'], 'the marker is there to be found').toBe(1);
  });
});

const DUMPED = [
  'companies',
  'users',
  'memberships',
  'roles',
  'role_permissions',
  'tags',
  'devices',
  'device_tags',
  'enrolment_codes',
  'files',
  'tag_actions',
  'tag_runs',
  'jobs',
  'job_targets',
] as const;

async function dump(world: World): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  for (const table of DUMPED) tables[table] = await world.ctx.db.selectFrom(table).selectAll().execute();
  return tables;
}

/** A job may say "not yours, skipped" for each device of a call; what matters is that the devices stay as they were. */
function withoutJobs({ jobs: _jobs, job_targets: _targets, ...rest }: Record<string, unknown[]>) {
  return rest;
}
