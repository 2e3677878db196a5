import { describe, expect, test } from 'vitest';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, PASSWORD } from '../helpers/factories.ts';
import { makeRecords, pathWithId } from '../helpers/route-samples.ts';
import { login } from '../helpers/sign-in.ts';
import { makeWorld, type World } from '../helpers/world.ts';

describe('forgery protection', () => {
  const setting = { key: 'a', value: 1 };
  const change = (world: World, headers: Record<string, string>) => send(world, 'POST', '/storage', { body: setting, headers });
  const without = (caller: Caller, ...names: string[]) =>
    Object.fromEntries(Object.entries(caller.headers).filter(([name]) => !names.includes(name)));

  test('a change needs the forgery token of this very session [SE2]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const other = await as(world, 'admin');
    const cases: Record<string, Record<string, string>> = {
      missing: without(caller, 'x-xsrf-token'),
      empty: { ...caller.headers, 'x-xsrf-token': '' },
      'of another session': { ...caller.headers, 'x-xsrf-token': other.headers['x-xsrf-token'] ?? '' },
      'tossed with its cookie from a neighbour domain': {
        ...caller.headers,
        cookie: `XSRF-TOKEN=tossed; ${caller.headers['cookie']}`,
        'x-xsrf-token': 'tossed',
      },
    };
    for (const [name, headers] of Object.entries(cases)) {
      const answer = await change(world, headers);
      expect([name, answer.status, answer.codes]).toEqual([name, 403, ['FORGERY_PROTECTION']]);
    }
    expect((await change(world, caller.headers)).status).toBe(200);
    expect((await caller.get('/storage')).meta['total']).toBe(1);
  });

  test('the forgery token is worth nothing after signing out [SE2]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    await caller.post('/account/token/revoke');
    expect((await change(world, caller.headers)).status).toBe(401);
  });

  test('a page of another site can change nothing, signed in or not [SE2]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:8080.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      const name = JSON.stringify(headers);
      expect([name, (await change(world, { ...caller.headers, ...headers })).codes]).toEqual([name, ['FORGERY_PROTECTION']]);
      expect([name, (await login(world, caller.user.email, PASSWORD, headers)).codes]).toEqual([name, ['FORGERY_PROTECTION']]);
      const revoked = await send(world, 'POST', '/account/token/revoke', { headers: { ...caller.headers, ...headers } });
      expect([name, revoked.status]).toEqual([name, 403]);
    }
  });

  test('no other content type and no method override gets around it [SE2]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const headers = without(caller, 'x-xsrf-token');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json'])
      expect([type, (await change(world, { ...headers, 'content-type': type })).status]).toEqual([type, 403]);
    const override = { ...headers, 'x-http-method-override': 'DELETE' };
    expect((await send(world, 'GET', '/storage', { headers: override })).status).toBe(200);
    expect((await send(world, 'GET', '/storage/a', { headers: override })).status).toBe(404);
  });

  test('no reading call changes anything, but that reading a kept mail or a recording is noted [SE2]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const caller = await as(world, 'super_admin', { company });
    const records = await makeRecords(world, company);
    const tables = (await world.ctx.db.introspection.getTables()).map((table) => table.name);
    const dump = async () =>
      Object.fromEntries(
        await Promise.all(
          tables.map(
            async (table) =>
              [
                table,
                await world.ctx.db
                  .selectFrom(table as 'users')
                  .selectAll()
                  .execute(),
              ] as const,
          ),
        ),
      );
    const noted = new Set(['/api/system/mailbox/:id', '/api/devices/connect/sessions/:id/recording']);
    for (const info of world.app.routes.filter((one) => one.method === 'GET' && !noted.has(one.path))) {
      const before = await dump();
      const path = (pathWithId(info, records) ?? info.path).replace(':channel', 'jobs.1').replace(/:\w+/g, 'nothing');
      const answer = await send(world, 'GET', path.startsWith('/api/') ? path.slice('/api'.length) : `/${path}`, {
        headers: caller.headers,
      });
      // What the public API does by a GET is for programs with a token: the attempt of a session is refused, and noted as denied.
      if (info.forPrograms) expect([info.path, answer.status]).toEqual([info.path, 403]);
      else expect([info.path, await dump()]).toEqual([info.path, before]);
    }
  });
});
