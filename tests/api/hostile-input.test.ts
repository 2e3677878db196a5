import { describe, expect, test } from 'vitest';
import { resources } from '../../resources.config.ts';
import { ok } from '../../server/kernel/answer.ts';
import { route, type RouteInfo } from '../../server/kernel/route.ts';
import { Type } from '../../server/kernel/type.ts';
import { as, send, type Answer, type Caller } from '../helpers/as.ts';
import { makeCompany, makeRole } from '../helpers/factories.ts';
import { bodyFor } from '../helpers/route-bodies.ts';
import { anyPath, makeRecords, pathWithId } from '../helpers/route-samples.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const nameOf = (info: RouteInfo): string => `${info.method} ${info.path}`;
const belowApi = (path: string): string => path.replace(/^\/api/, '');

async function columnNames(world: World): Promise<string[]> {
  const tables = await world.ctx.db.introspection.getTables();
  return [...new Set(tables.flatMap((table) => table.columns.map((column) => column.name)))];
}

/** The path of a list that exists, below `/api`: of records of a company that the caller sees. */
function listPath(info: RouteInfo, records: Record<string, number>): string {
  return belowApi(pathWithId(info, records) ?? info.path);
}

function isList(info: RouteInfo): boolean {
  const query = info.query as { properties?: object } | undefined;
  return info.method === 'GET' && query?.properties !== undefined && 'limit' in query.properties;
}

describe('list queries', () => {
  test("a name that is not the record's is unknown in sort, fields and filters [AC3]", async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const records = await makeRecords(world, await makeCompany(world));
    const names = [
      'password_hash',
      'token_hash',
      'credential_hash',
      'search_text',
      '__proto__',
      'constructor',
      'id;drop table users',
      'users.email',
    ];
    const lists = world.app.routes.filter(isList);
    expect(lists.length).toBeGreaterThan(9);
    for (const info of lists) {
      const path = listPath(info, records);
      for (const name of names) {
        for (const query of [
          { sort: name },
          { sort: `-${name}` },
          { fields: name },
          { 'search-fields': name },
          { [name]: '1' },
          { [`ne:${name}`]: '1' },
        ]) {
          const answer = await caller.get(`${path}?${new URLSearchParams(Object.entries(query)).toString()}`);
          const what = [nameOf(info), JSON.stringify(query)];
          expect([...what, answer.status, answer.codes]).toEqual([...what, 400, ['UNKNOWN_FIELD']]);
        }
      }
    }
  });

  test('a column behind a permission cannot be read, sorted or filtered by without it [AC3]', async () => {
    await using world = await makeWorld();
    let checked = 0;
    for (const resource of resources) {
      const listed = resource as {
        permission: { list: 'view_devices' };
        name: string;
        path?: string;
        table?: { columns: { key: string; permission?: string; sortable?: boolean }[] };
      };
      const caller = await as(world, await makeRole(world, { permissions: listed.permission.list ? [listed.permission.list] : [] }));
      for (const column of listed.table?.columns ?? []) {
        if (!column.permission || column.permission === listed.permission.list) continue;
        const path = `/${listed.path ?? listed.name}`;
        expect([path, column.key, (await caller.get(path, { fields: column.key })).status]).toEqual([path, column.key, 400]);
        expect([path, column.key, (await caller.get(path, { sort: column.key })).status]).toEqual([path, column.key, 400]);
        expect([path, column.key, (await caller.get(path, { 'search-fields': column.key })).status]).toEqual([path, column.key, 400]);
        const { data } = await caller.get(path);
        for (const row of data) expect(row).not.toHaveProperty(column.key);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(3);
  });

  test('repeated, nested and broken parameters are refused, never an error of the database [IN7]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const records = await makeRecords(world, await makeCompany(world));
    const queries = [
      'sort=name&sort=id',
      'limit=1&limit=2',
      'limit[]=1',
      'limit=1e9',
      'limit=-1',
      'limit=0x10',
      'limit=101',
      'offset=1.5',
      'id=1;2',
      'id=1%00',
      'q=a%00b',
      "id=1'--",
      'q=a&q=b',
    ];
    for (const info of world.app.routes.filter(isList)) {
      for (const query of queries) {
        const answer = await caller.get(`${listPath(info, records)}?${query}`);
        expect([nameOf(info), query, answer.status]).toEqual([nameOf(info), query, 400]);
      }
    }
  });

  test('quotes and wildcards in free text mean themselves [IN7]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const records = await makeRecords(world, await makeCompany(world));
    for (const info of world.app.routes.filter(
      (entry) => isList(entry) && 'q' in ((entry.query as { properties?: object }).properties ?? {}),
    )) {
      for (const q of ["'", '"', '%', '_', '\\', "' or 1=1 --", '"*', 'a AND b OR', '😀', 'NEAR(']) {
        const answer = await caller.get(listPath(info, records), { q });
        expect([nameOf(info), q, answer.status, answer.meta['total'] === 0 || q === '_']).toEqual([nameOf(info), q, 200, true]);
      }
    }
  });
});

/** Devices of a newer protocol may say more than the server knows; it takes the members it knows one by one. */
const TAKES_MORE = new Set(['POST /api/enrol']);
/** Devices show who they are before a byte of the body is read; tests/api/job-steps has what they may send. */
const KNOWS_ITS_CALLERS = new Set(['POST /api/device-files/:command']);
/** The form in the address says what its body is, and there is none of the name used here; tests/api/forms-run has one. */
const NAMED_BY_FORM = new Set(['POST /api/forms/:room/:name/run']);

describe('bodies', () => {
  test('a route that leaves open what its body may hold does not start [AC4]', async () => {
    await using world = await makeWorld();
    const body = Type.Object({ name: Type.String() });
    const register = () =>
      route(world.app, { method: 'POST', path: '/anything', access: 'signed-in', summary: '', tag: '', body, handler: async () => ok() });
    expect(register).toThrow('Route POST /api/anything leaves open what its body may hold');
  });

  test('a write that names any column of any table beside its own fields is refused, and names each [AC4]', async () => {
    await using world = await makeWorld();
    const [caller, another] = [await as(world, 'super_admin'), await as(world, 'super_admin')];
    const extra = [
      ...(await columnNames(world)),
      'permissions',
      'authority',
      'is_admin',
      'is_super_admin',
      'impersonating',
      'constructor',
      'prototype',
    ];
    const writes = world.app.routes.filter(
      (info) => info.body && !TAKES_MORE.has(nameOf(info)) && !NAMED_BY_FORM.has(nameOf(info)) && !KNOWS_ITS_CALLERS.has(nameOf(info)),
    );
    expect(writes.length).toBeGreaterThan(20);
    for (const info of writes) {
      const sample = bodyFor(info) ?? {};
      const own = new Set(declaredMembers(info.body));
      const undeclared = extra.filter((name) => !own.has(name));
      for (let start = 0; start < undeclared.length; start += 48) {
        const names = undeclared.slice(start, start + 48);
        const body = { ...sample, ...Object.fromEntries(names.map((name) => [name, 1])) };
        // Some routes let one person call ten times a minute.
        const answer = await call(world, start < 384 ? caller : another, info, { body });
        const refused = answer.errors.filter((error) => error.code === 'UNKNOWN_FIELD').map((error) => error.source);
        expect([nameOf(info), answer.status, refused.sort()]).toEqual([nameOf(info), 400, names.sort()]);
      }
    }
  });

  test('prototype keys and other poison in JSON are refused everywhere [AC4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const poison = [
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{"a":1}}}',
      '{"a":',
      '[',
      'null',
      '"text"',
      '1e999',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      '{"a":"\\u0000"}',
    ];
    for (const info of world.app.routes.filter((entry) => entry.body)) {
      for (const text of poison) {
        const answer = await call(world, caller, info, { body: text });
        expect([nameOf(info), text.slice(0, 40), answer.status >= 400 && answer.status < 500]).toEqual([
          nameOf(info),
          text.slice(0, 40),
          true,
        ]);
      }
    }
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test('an odd content type is refused, or the body is checked like any other [IN6]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const types = [
      'application/json\ta',
      ' application/json',
      'application/json garbage',
      'APPLICATION/JSON',
      'application/json; charset=utf-16',
      'application/json;',
      'application/json,text/plain',
      'text/plain',
      'application/vnd.api+json',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      '',
    ];
    for (const info of world.app.routes.filter(
      (entry) => entry.body && !NAMED_BY_FORM.has(nameOf(entry)) && !KNOWS_ITS_CALLERS.has(nameOf(entry)),
    )) {
      for (const type of types) {
        const answer = await call(world, caller, info, { body: '{"no_such_field":1}', headers: { 'content-type': type } });
        expect([nameOf(info), type, [400, 415].includes(answer.status)]).toEqual([nameOf(info), type, true]);
      }
    }
  });

  test('a body above the limit is refused with the limit, and one that lies about its length is not read', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const answer = await caller.post('/tags', { name: 'x'.repeat(1_100_000), company_id: 1 });
    expect(answer).toMatchObject({ status: 413, codes: ['BODY_TOO_LARGE'] });
  });

  test('a setting that is nested very deeply is refused or kept, never an error', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const answer = await call(world, caller, routeOf(world, 'POST /api/storage'), {
      body: `{"key":"deep","value":${'['.repeat(15_000)}${']'.repeat(15_000)}}`,
    });
    expect(answer.status).toBeLessThan(500);
    expect((await caller.get('/storage')).status).toBe(200);
  });
});

/** The members that a body may have, those of its alternatives too. */
function declaredMembers(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, anyOf, oneOf, allOf, then, else: otherwise } = schema as Record<string, unknown>;
  const alternatives = [anyOf, oneOf, allOf, [then, otherwise]].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...Object.keys((properties ?? {}) as object), ...alternatives.flatMap(declaredMembers)];
}

function routeOf(world: World, name: string): RouteInfo {
  const info = world.app.routes.find((entry) => nameOf(entry) === name);
  if (!info) throw new Error(`no route ${name}`);
  return info;
}

function call(
  world: World,
  caller: Caller,
  info: RouteInfo,
  { body, headers = {} }: { body: unknown; headers?: Record<string, string> },
): Promise<Answer> {
  return send(world, info.method as 'POST', belowApi(anyPath(info)), { body, headers: { ...caller.headers, ...headers } });
}
