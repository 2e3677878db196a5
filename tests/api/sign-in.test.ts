import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeUser, PASSWORD } from '../helpers/factories.ts';
import { cookiesOf, login, whoAmI } from '../helpers/sign-in.ts';
import { makeWorld } from '../helpers/world.ts';

describe('signing in', () => {
  test('a person signs in with address and password and gets their permissions', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world, { name: 'Fjordline' });
    const user = await makeUser(world, { role: 'end_user', company, email: 'kari@example.org' });
    const answer = await login(world, ' Kari@Example.org', PASSWORD);
    expect(answer).toMatchObject({ status: 200, data: { id: user.id, email: 'kari@example.org', company_name: 'Fjordline', exp: 600 } });
    expect(answer.data.permissions).toContain('view_devices');
    expect(answer.data.permissions).not.toContain('create_users');
    expect(await whoAmI(world, cookiesOf(answer)['canopy_access'])).toMatchObject({ status: 200, data: { id: user.id } });
  });

  test('the cookies are out of reach of scripts and other sites; on https they are bound to this host [SE1]', async () => {
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

  test('an unknown address, a wrong password and a disabled user get the same answer [SE3]', async () => {
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

  test('an unknown address costs as much work as a known one [SE3]', async () => {
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

  test('guessing is stopped with a time to wait, without locking the owner out elsewhere [SE3]', async () => {
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
    await world.clock.jump(5 * MINUTE);
    expect((await login(world, user.email, PASSWORD, from('198.51.100.7'))).status).toBe(200);
  });

  test('guesses from many addresses do not lock the owner out of the address they use [SE3]', async () => {
    await using world = await makeWorld({ config: { trustProxy: ['127.0.0.1'] } });
    const user = await makeUser(world);
    expect((await login(world, user.email, PASSWORD, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    const statuses: number[] = [];
    for (let round = 0; round < 55; round += 1)
      statuses.push((await login(world, user.email, 'guess', { 'x-forwarded-for': `198.51.100.${round}` })).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await login(world, user.email, PASSWORD, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
  });

  test('many wrong sign-ins from an address leave those in who always sign in from there [SE3]', async () => {
    await using world = await makeWorld();
    const user = await makeUser(world);
    expect((await login(world, user.email, PASSWORD)).status).toBe(200);
    const statuses: number[] = [];
    for (let round = 0; round < 61; round += 1) statuses.push((await login(world, `nobody-${round}@example.org`, 'guess')).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await login(world, user.email, PASSWORD)).status).toBe(200);
  });

  test('a forged forwarding header changes nothing when no proxy is trusted [SE3]', async () => {
    await using world = await makeWorld();
    const user = await makeUser(world);
    const statuses: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${round}`, forwarded: 'for="127.0.0.\\1"' };
      statuses.push((await login(world, user.email, 'guess', headers)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test('behind a trusted proxy only what that proxy adds counts, and no caller becomes this machine [SE3]', async () => {
    await using world = await makeWorld({ config: { trustProxy: ['127.0.0.1'] } });
    const user = await makeUser(world);
    const statuses: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const headers = {
        'x-forwarded-for': `198.51.100.${round}, 203.0.113.9`,
        forwarded: `for="127.0.0.\\1";proto=https;host=localhost`,
        'x-real-ip': '127.0.0.1',
        'x-forwarded-host': 'localhost',
      };
      statuses.push((await login(world, user.email, 'guess', headers)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const rows = await world.ctx.db.selectFrom('audit').select('ip').where('action', '=', 'account.login-failed').execute();
    expect(new Set(rows.map((row) => row.ip))).toEqual(new Set(['203.0.113.9']));
  });

  test('failed attempts are in the history, without what was typed in place of an address', async () => {
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
