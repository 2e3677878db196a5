import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { as, send } from '../helpers/as.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const first = {
  company_name: 'Fjordline',
  email: 'Admin@Fjordline.example',
  first_name: 'Ola',
  last_name: 'Nordmann',
  password: 'a long enough phrase',
};
const tokenOf = (world: World): string => new URL(world.setUpUrl ?? 'http://none/').searchParams.get('token') ?? '';
const setUp = (world: World, token: string) => send(world, 'POST', '/set-up', { body: { ...first, token } });

describe('a new installation', () => {
  test('has no account; its owner makes the first one with a one-time token and is signed in [OP1]', async () => {
    await using world = await makeWorld();
    expect(await world.ctx.db.selectFrom('users').selectAll().execute()).toEqual([]);
    expect((await send(world, 'GET', '/set-up')).data).toEqual({ needed: true });
    const made = await setUp(world, tokenOf(world));
    expect(made).toMatchObject({
      status: 200,
      data: {
        email: 'admin@fjordline.example',
        company_name: 'Fjordline',
        role: { name: 'super_admin' },
        company: { level: 1, parent_id: null },
      },
    });
    expect(String(made.headers['set-cookie'])).toContain('canopy_access=');
    expect((await send(world, 'GET', '/set-up')).data).toEqual({ needed: false });
    const { data } = await (await as(world, 'super_admin')).get('/history', { sort: 'created_at' });
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(['companies.new', 'users.new']);
  });

  test('set-up ends with the first administrator, also for the right token [OP1]', async () => {
    await using world = await makeWorld();
    const token = tokenOf(world);
    await setUp(world, token);
    expect(await setUp(world, token)).toMatchObject({ status: 409, codes: ['SET_UP_DONE'] });
    expect(await setUp(world, 'anything')).toMatchObject({ status: 409, codes: ['SET_UP_DONE'] });
  });

  test('a wrong token is refused at its field', async () => {
    await using world = await makeWorld();
    expect(await setUp(world, 'wrong')).toMatchObject({ status: 403, errors: [{ code: 'WRONG_SET_UP_TOKEN', source: 'token' }] });
    expect(await world.ctx.db.selectFrom('companies').selectAll().execute()).toEqual([]);
  });

  test('of many uses of the token at once exactly one succeeds [SE6]', async () => {
    await using world = await makeWorld();
    const token = tokenOf(world);
    // The limit of calls from one address is not what is tested here.
    const answers = await Promise.all(Array.from({ length: 19 }, () => setUp(world, token)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await world.ctx.db.selectFrom('users').selectAll().execute()).toHaveLength(1);
    expect(await world.ctx.db.selectFrom('companies').selectAll().execute()).toHaveLength(1);
  });

  test('the token has 256 bits, is stored as a hash, and is in a file that only its owner reads until it is used [SE6]', async () => {
    await using world = await makeWorld();
    const token = tokenOf(world);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const kept = await world.ctx.db.selectFrom('installation').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(token);
    const file = join(world.ctx.config.dataDir, 'set-up-token');
    expect(readFileSync(file, 'utf8').trim()).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await setUp(world, token);
    expect(existsSync(file)).toBe(false);
    expect(world.log()).not.toContain(token);
  });
});
