import { describe, expect, test } from 'vitest';
import { MINUTE, DAY, SECOND } from '../../server/kernel/clock.ts';
import { as, asUser, send, type Answer, type Caller } from '../helpers/as.ts';
import { changeMember, makeCompany, makeRole, makeUser, PASSWORD } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const ORIGIN = { origin: 'http://127.0.0.1:8080' };

function cookiesOf(answer: Answer): Record<string, string> {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1, line.indexOf(';'))]));
}

function login(world: World, email: string, password: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send(world, 'POST', '/account/login', { body: { email, password }, headers: { ...ORIGIN, ...headers } });
}

const refresh = (world: World, token: string) =>
  send(world, 'POST', '/account/token/refresh', { headers: { ...ORIGIN, cookie: `canopy_refresh=${token}` } });
const whoAmI = (world: World, access: string | undefined) =>
  send(world, 'GET', '/user', { headers: { cookie: `canopy_access=${access}` } });

describe('signing in', () => {
  test('a person signs in with address and password and is told what they may do', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world, { name: 'Fjordline' });
    const user = await makeUser(world, { role: 'end_user', company, email: 'kari@example.org' });
    const answer = await login(world, ' Kari@Example.org', PASSWORD);
    expect(answer).toMatchObject({ status: 200, data: { id: user.id, email: 'kari@example.org', company_name: 'Fjordline', exp: 600 } });
    expect(answer.data.permissions).toContain('view_devices');
    expect(answer.data.permissions).not.toContain('create_users');
    expect(await whoAmI(world, cookiesOf(answer)['canopy_access'])).toMatchObject({ status: 200, data: { id: user.id } });
  });

  test('SE1 the cookies are out of reach of scripts and other sites; on https they are bound to this host', async () => {
    await using world = await makeWorld({ config: { publicUrl: 'https://fleet.example.org' } });
    const user = await makeUser(world);
    const answer = await login(world, user.email, PASSWORD, { origin: 'https://fleet.example.org' });
    const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
    expect(lines).toHaveLength(3);
    for (const name of ['__Host-canopy_access', '__Host-canopy_refresh']) {
      const line = lines.find((text) => text.startsWith(`${name}=`));
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).toMatch(/HttpOnly/);
      expect(line).toMatch(/Secure/);
      expect(line).toMatch(/SameSite=Lax/);
      expect(line).not.toMatch(/Domain/i);
    }
    expect(lines.find((text) => text.startsWith('XSRF-TOKEN='))).not.toMatch(/HttpOnly/);
  });

  test('SE3 an unknown address, a wrong password and a disabled user get the same answer', async () => {
    await using world = await makeWorld();
    const user = await makeUser(world);
    const disabled = await makeUser(world, { disabled_at: 1 });
    const answers = [
      await login(world, 'nobody@example.org', PASSWORD),
      await login(world, user.email, 'another phrase'),
      await login(world, disabled.email, PASSWORD),
    ];
    expect(answers.map((answer) => [answer.status, answer.text])).toEqual(answers.map(() => [401, answers[0]?.text]));
    expect(answers[0]?.codes).toEqual(['WRONG_CREDENTIALS']);
  });

  test('SE3 an unknown address costs as much work as a known one', async () => {
    await using world = await makeWorld();
    const user = await makeUser(world);
    await login(world, user.email, 'warm up');
    // Work of this process, which does not depend on what else the machine does.
    const workFor = async (email: string): Promise<number> => {
      const before = process.cpuUsage();
      await login(world, email, 'wrong');
      const { user: own, system } = process.cpuUsage(before);
      return own + system;
    };
    const median = (values: number[]): number => values.sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      known.push(await workFor(user.email));
      unknown.push(await workFor(`nobody-${round}@example.org`));
    }
    // Without the hash for unknown users the ratio is above ten.
    expect(median(known) / median(unknown)).toBeLessThan(3);
  });

  test('SE3 guessing is stopped with a time to wait, without locking the owner out elsewhere', async () => {
    await using world = await makeWorld({ config: { trustProxy: ['127.0.0.1'] } });
    const user = await makeUser(world);
    const from = (ip: string) => ({ 'x-forwarded-for': ip });
    const guesses: number[] = [];
    for (let round = 0; round < 9; round += 1)
      guesses.push((await login(world, user.email, `guess ${round}`, from('198.51.100.7'))).status);
    expect(guesses.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 401));
    expect(guesses[8]).toBe(429);
    const refused = await login(world, user.email, PASSWORD, from('198.51.100.7'));
    expect(refused).toMatchObject({ status: 429, codes: ['TOO_MANY_REQUESTS'] });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await login(world, user.email, PASSWORD, from('203.0.113.9'))).status).toBe(200);
    await world.clock.advance(5 * MINUTE);
    expect((await login(world, user.email, PASSWORD, from('198.51.100.7'))).status).toBe(200);
  });

  test('SE3 guesses from many addresses do not lock the owner out of the address they use', async () => {
    await using world = await makeWorld({ config: { trustProxy: ['127.0.0.1'] } });
    const user = await makeUser(world);
    expect((await login(world, user.email, PASSWORD, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    const statuses: number[] = [];
    for (let round = 0; round < 55; round += 1)
      statuses.push((await login(world, user.email, 'guess', { 'x-forwarded-for': `198.51.100.${round}` })).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await login(world, user.email, PASSWORD, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
  });

  test('SE3 a forged forwarding header changes nothing when no proxy is trusted', async () => {
    await using world = await makeWorld();
    const user = await makeUser(world);
    const statuses: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${round}`, forwarded: 'for="127.0.0.\\1"' };
      statuses.push((await login(world, user.email, 'guess', headers)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test('failed attempts stand in the history, without what was typed in place of an address', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const user = await makeUser(world, { company });
    await login(world, user.email, 'wrong');
    await login(world, 'my secret phrase', 'wrong');
    const admin = await as(world, 'super_admin', { company });
    const { data } = await admin.get('/history', { sort: '-created_at' });
    expect(data.map((entry: { action: string; entity_name: string }) => [entry.action, entry.entity_name])).toEqual([
      ['account.login-failed', ''],
      ['account.login-failed', user.username],
    ]);
    expect(world.log()).not.toContain('my secret phrase');
  });
});

describe('a session', () => {
  test('SE1 signing in again ends the session that the browser had', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const again = await login(world, caller.user.email, PASSWORD, { cookie: caller.headers['cookie'] ?? '' });
    expect(again.status).toBe(200);
    expect(cookiesOf(again)['canopy_refresh']?.split('.')[0]).not.toBe(caller.session.sessionId);
    expect((await caller.get('/user')).status).toBe(401);
    expect((await refresh(world, caller.session.refresh)).status).toBe(401);
  });

  test('SE1 access ends after ten minutes and is renewed by the refresh token, which changes', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    await world.clock.advance(10 * MINUTE);
    expect((await caller.get('/user')).status).toBe(401);
    const renewed = await refresh(world, caller.session.refresh);
    expect(renewed).toMatchObject({ status: 200, data: { id: caller.user.id, exp: 600 } });
    const cookies = cookiesOf(renewed);
    expect(cookies['canopy_refresh']).not.toBe(caller.session.refresh);
    expect((await whoAmI(world, cookies['canopy_access'])).status).toBe(200);
  });

  test('SE1 an old refresh token that comes back ends the whole session', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const renewed = cookiesOf(await refresh(world, caller.session.refresh));
    await world.clock.advance(30 * SECOND);
    const again = await refresh(world, caller.session.refresh);
    expect(again).toMatchObject({ status: 401, codes: ['UNAUTHORIZED'] });
    expect((await whoAmI(world, renewed['canopy_access'])).status).toBe(401);
    expect((await refresh(world, renewed['canopy_refresh'] ?? '')).status).toBe(401);
    const rows = await world.ctx.db.selectFrom('audit').select('action').execute();
    expect(rows.map((row) => row.action)).toContain('account.token-reused');
  });

  test('SE1 twenty tabs that refresh at once stay signed in with one and the same session', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(world, caller.session.refresh)));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map((answer) => cookiesOf(answer)['canopy_refresh'])).size).toBe(1);
    expect(await world.ctx.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
    for (const answer of answers) expect((await whoAmI(world, cookiesOf(answer)['canopy_access'])).status).toBe(200);
    expect((await caller.get('/user')).status, 'calls that were under way keep working for a moment').toBe(200);
  });

  test('SE1 a session that is not used for 14 days is over, and every session is over after 60', async () => {
    await using world = await makeWorld();
    const idle = await as(world, 'admin');
    const busy = await as(world, 'admin');
    let token = busy.session.refresh;
    for (let day = 0; day < 59; day += 10) {
      await world.clock.jump(10 * DAY - 1000);
      const renewed = await refresh(world, token);
      expect(renewed.status).toBe(200);
      token = cookiesOf(renewed)['canopy_refresh'] ?? '';
      if (day === 10) expect((await refresh(world, idle.session.refresh)).status).toBe(401);
    }
    await world.clock.advance(MINUTE);
    expect((await refresh(world, token)).status).toBe(401);
  });

  test('OP3 signing out ends the session and clears the browser', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const answer = await caller.post('/account/token/revoke');
    expect(answer.status).toBe(200);
    expect(answer.headers['clear-site-data']).toContain('"cache"');
    expect(cookiesOf(answer)).toEqual({ canopy_access: '', canopy_refresh: '', 'XSRF-TOKEN': '' });
    expect((await caller.get('/user')).status).toBe(401);
    expect((await refresh(world, caller.session.refresh)).status).toBe(401);
  });

  test('a person signs out of one browser and stays signed in in the other', async () => {
    await using world = await makeWorld();
    const first = await as(world, 'admin');
    const second = await asUser(world, first.user);
    await first.post('/account/token/revoke');
    expect((await second.get('/user')).status).toBe(200);
  });
});

describe('forgery protection', () => {
  const setting = { key: 'a', value: 1 };
  const change = (world: World, headers: Record<string, string>) => send(world, 'POST', '/storage', { body: setting, headers });
  const without = (caller: Caller, ...names: string[]) =>
    Object.fromEntries(Object.entries(caller.headers).filter(([name]) => !names.includes(name)));

  test('SE2 a change needs the forgery token of this very session', async () => {
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

  test('SE2 the forgery token is worth nothing after signing out', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    await caller.post('/account/token/revoke');
    expect((await change(world, caller.headers)).status).toBe(401);
  });

  test('SE2 a page of another site can change nothing, signed in or not', async () => {
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

  test('SE2 no other content type and no method override gets around it', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const headers = without(caller, 'x-xsrf-token');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json'])
      expect([type, (await change(world, { ...headers, 'content-type': type })).status]).toEqual([type, 403]);
    const override = { ...headers, 'x-http-method-override': 'DELETE' };
    expect((await send(world, 'GET', '/storage', { headers: override })).status).toBe(200);
    expect((await send(world, 'GET', '/storage/a', { headers: override })).status).toBe(404);
  });
});

describe('personal access tokens', () => {
  async function makeToken(caller: Caller, scopes: string[]): Promise<Answer> {
    return caller.post('/account/access-tokens', { name: 'Nightly export', scopes, expires_in_days: 30 });
  }
  const bearer = (world: World, token: string, path = '/tags') =>
    send(world, 'GET', path, { headers: { authorization: `Bearer ${token}` } });

  test('a program calls with a token, within its scopes, without a forgery header', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const made = await makeToken(caller, ['view_tags', 'create_tags']);
    expect(made).toMatchObject({ status: 201, data: { name: 'Nightly export', scopes: ['view_tags', 'create_tags'] } });
    const { token } = made.data;
    expect((await bearer(world, token)).status).toBe(200);
    expect((await bearer(world, token, '/companies')).status).toBe(403);
    const created = await send(world, 'POST', '/tags', {
      body: { name: 'from-a-program', company_id: caller.user.company_id },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(created.status).toBe(201);
    const audit = await world.ctx.db.selectFrom('audit').selectAll().where('action', '=', 'tags.new').executeTakeFirstOrThrow();
    expect(audit).toMatchObject({ actor_id: caller.user.id, token_name: 'Nightly export' });
  });

  test('the secret is told once and stored only as a hash', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { token } = (await makeToken(caller, ['view_tags'])).data;
    const rows = await world.ctx.db.selectFrom('access_tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const listed = await caller.get('/account/access-tokens');
    expect(listed.data).toMatchObject([{ token: null, token_hint: token.slice(0, 11), last_used_at: null }]);
    const history = await world.ctx.db.selectFrom('audit').selectAll().where('entity', '=', 'access_token').execute();
    expect(JSON.stringify(history)).not.toContain(rows[0]?.token_hash ?? 'never');
    await bearer(world, token);
    expect((await caller.get('/account/access-tokens')).data[0]).toMatchObject({
      last_used_at: '2026-11-02 09:00:00',
      last_used_ip: '127.0.0.1',
    });
  });

  test('nobody gives a token more than they hold', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    for (const scope of ['create_users', 'super_admin', 'no_such_permission']) {
      const answer = await makeToken(caller, ['view_tags', scope]);
      expect(answer).toMatchObject({ status: 403, errors: [{ code: 'SCOPE_NOT_HELD', source: 'scopes.1' }] });
    }
  });

  test('a token has system administrator rights only when it was made with them', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const narrow = (await makeToken(caller, ['view_tags'])).data.token;
    expect((await bearer(world, narrow, '/users')).status).toBe(403);
    const wide = (await makeToken(caller, ['super_admin'])).data.token;
    expect((await bearer(world, wide, '/users')).status).toBe(200);
  });

  test('a token makes no tokens', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { token } = (await makeToken(caller, ['create_access_tokens', 'view_tags'])).data;
    const answer = await send(world, 'POST', '/account/access-tokens', {
      body: { name: 'forever', scopes: ['view_tags'], expires_in_days: 365 },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(403);
  });

  test('a token dies when it expires, is revoked, its owner is disabled, or its role loses the right', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const role = await makeRole(world, { company, permissions: ['view_tags', 'create_access_tokens', 'view_access_tokens'] });
    const caller = await as(world, role, { company });
    const token = async (): Promise<string> => (await makeToken(caller, ['view_tags'])).data.token;

    const revoked = await token();
    const [{ id }] = (await caller.get('/account/access-tokens')).data;
    expect((await caller.delete(`/account/access-tokens/${id}`)).status).toBe(200);
    expect((await bearer(world, revoked)).status).toBe(401);

    const kept = await token();
    await changeMember(world, caller.user, { disabled_at: 1 });
    expect((await bearer(world, kept)).status).toBe(401);
    await changeMember(world, caller.user, { disabled_at: null });
    await world.ctx.db.deleteFrom('role_permissions').where('role_id', '=', role.id).where('permission', '=', 'view_tags').execute();
    expect((await bearer(world, kept)).status).toBe(403);
    await world.clock.jump(31 * DAY);
    expect((await bearer(world, kept)).status).toBe(401);
  });

  test('AC2 the token of another user is as unknown as one that never was', async () => {
    await using world = await makeWorld();
    const owner = await as(world, 'admin');
    const other = await as(world, 'admin', { company: { id: owner.user.company_id } });
    await makeToken(owner, ['view_tags']);
    const [{ id }] = (await owner.get('/account/access-tokens')).data;
    const foreign = await other.delete(`/account/access-tokens/${id}`);
    const unknown = await other.delete('/account/access-tokens/999999');
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await owner.get('/account/access-tokens')).meta['total']).toBe(1);
  });
});
