import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, send } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const denied = (world: World) =>
  world.ctx.db.selectFrom('audit').selectAll().where('action', '=', 'account.denied').orderBy('id').execute();
const logged = (world: World): number => world.log().split('an attempt was denied').length - 1;

describe('attempts that are denied [OP2]', () => {
  test('are in the history of the company with what was tried and why, and each in the log [OP2]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const guest = await as(world, 'read_only', { company: top });
    const token = await makeAccessToken(world, { user: admin.user, scopes: ['view_tags'] });
    expect((await guest.post('/tags?x=secret', { name: 'a' })).status).toBe(403);
    expect((await send(world, 'GET', '/devices', { headers: { authorization: `Bearer ${token.secret}` } })).status).toBe(403);
    expect((await admin.get('/history')).data).toMatchObject([
      {
        action: 'account.denied',
        user_name: admin.user.username,
        token_name: token.name,
        after: { call: 'GET /api/devices', missing: ['view_devices'] },
      },
      {
        action: 'account.denied',
        user_name: guest.user.username,
        after: { call: 'POST /api/tags', reason: 'FORBIDDEN', missing: ['create_tags'] },
      },
    ]);
    expect(logged(world)).toBe(2);
    expect(world.log()).not.toContain('secret');
  });

  test('name both when somebody impersonates another, and a rule of the call itself counts too [OP2]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const [admin, subject] = [await as(world, 'admin', { company: top }), await as(world, 'admin', { company: top })];
    const { headers } = await actFor(world, admin, subject);
    await send(world, 'PUT', '/account/password', { headers, body: {} });
    expect(await denied(world)).toMatchObject([{ actor_id: admin.user.id, on_behalf_of: subject.user.id }]);
    expect(JSON.parse((await denied(world))[0]?.after ?? '')).toEqual({ call: 'PUT /api/account/password', reason: 'ONLY_IN_PERSON' });
  });

  test('keep what the refusal names [OP2]', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    const token = { name: 'Robot', scopes: ['super_admin'], expires_in_days: 1 };
    expect((await admin.post('/account/access-tokens', token)).codes).toEqual(['SCOPE_NOT_HELD']);
    expect(JSON.parse((await denied(world))[0]?.after ?? '')).toMatchObject({ reason: 'SCOPE_NOT_HELD', scope: 'super_admin' });
  });

  test('that go on are one row a minute, and every one in the log [OP2]', async () => {
    await using world = await makeWorld();
    const guest = await as(world, 'read_only');
    for (let round = 0; round < 20; round += 1) await guest.post('/tags', {});
    expect([(await denied(world)).length, logged(world)]).toEqual([1, 20]);
    await world.clock.advance(MINUTE);
    await guest.post('/tags', {});
    await guest.delete('/tags/1');
    expect(await denied(world)).toHaveLength(3);
  });

  test('of nobody, such as a forged one, are in the log [OP2]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    expect((await caller.post('/tags', {}, { 'x-xsrf-token': 'forged' })).codes).toEqual(['FORGERY_PROTECTION']);
    expect([await denied(world), logged(world)]).toEqual([[], 1]);
  });

  test('what a caller writes makes no line of its own in the log [IN11]', async () => {
    await using world = await makeWorld();
    const guest = await as(world, 'read_only');
    const forged = '\r\n{"level":60,"msg":"forged"}\r\n\u001b[2J';
    await guest.delete(`/users/${encodeURIComponent(forged)}`, undefined, { 'user-agent': 'x {"msg":"forged"}' });
    await guest.post(`/tags?${encodeURIComponent(forged)}`, {});
    const lines = world.log().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['an attempt was denied', 'an attempt was denied']);
    // oxlint-disable-next-line no-control-regex -- It is what is looked for.
    expect(world.log()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  test('what only asks for more is not one [OP2]', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    await admin.put(`/companies/${admin.user.company_id}/second-factor`, { requires_mfa: true });
    expect((await (await as(world, 'admin', { company: { id: admin.user.company_id } })).get('/tags')).codes).toEqual(['MFA_MANDATORY']);
    expect([await denied(world), logged(world)]).toEqual([[], 0]);
  });
});
