import { describe, expect, test } from 'vitest';
import { HOUR, DAY } from '../../server/kernel/clock.ts';
import { as, asUser, send } from '../helpers/as.ts';
import { changeMember, makeCompany, makeTree } from '../helpers/factories.ts';
import { actFor, askFor, headersOf } from '../helpers/impersonate.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function makePair(world: World) {
  const company = await makeCompany(world, { name: 'Fjordline' });
  return { admin: await as(world, 'admin', { company }), subject: await as(world, 'end_user', { company }) };
}

const confirm = (token: string, hours = 1) => ['/user/confirm-impersonation-access', { token, hours }] as const;

describe('asking and agreeing', () => {
  test('the link goes to the user only; they see who asks and why, agree, and the one who asked may begin [AC7]', async () => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const { admin, subject } = await makePair(world);
    const asked = await admin.post(`/users/${subject.user.id}/impersonation-requests`, { reason: 'a broken list' });
    expect(asked.status).toBe(200);
    const token = /confirm-impersonation-access#([\w-]{43})/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
    expect(mail.mails[0]?.to).toEqual([subject.user.email]);
    const kept = await world.ctx.db.selectFrom('impersonation_requests').selectAll().execute();
    expect(asked.text + JSON.stringify(kept) + world.log(), 'SE6').not.toContain(token);
    expect((await subject.post('/user/impersonation-request', { token })).data).toMatchObject({
      name: admin.user.username,
      company_name: 'Fjordline',
      reason: 'a broken list',
    });
    expect((await admin.get('/users/impersonation')).data).toMatchObject([{ user_id: subject.user.id, state: 'waiting' }]);
    expect((await subject.post(...confirm(token))).status).toBe(200);
    expect((await admin.get('/users/impersonation')).data).toMatchObject([{ user_id: subject.user.id, state: 'allowed' }]);
    expect((await subject.get('/user')).data.impersonation_access_limit).not.toBeNull();
  });

  test('without the right, without consent, without the time, and for a higher role nobody begins [AC7]', async () => {
    await using world = await makeWorld();
    const { admin, subject } = await makePair(world);
    expect((await subject.post(`/users/${admin.user.id}/impersonation-requests`, { reason: 'because' })).status).toBe(403);
    const root = await as(world, 'super_admin', { company: { id: admin.user.company_id } });
    expect((await admin.post(`/users/${root.user.id}/impersonation-requests`, { reason: 'because' })).codes).toEqual(['FORBIDDEN']);
    const { id, token } = await askFor(world, admin, subject);
    const start = () => admin.post(`/users/impersonation/${id}/start`);
    expect((await start()).codes).toEqual(['IMPERSONATION_NOT_ALLOWED']);
    await subject.post(...confirm(token));
    await changeMember(world, subject.user, { role: 'super_admin' });
    expect((await start()).codes).toEqual(['IMPERSONATION_NOT_ALLOWED']);
    await changeMember(world, subject.user, { role: 'end_user' });
    await world.ctx.db.updateTable('users').set({ impersonation_until: null }).where('id', '=', subject.user.id).execute();
    expect((await start()).codes).toEqual(['IMPERSONATION_NOT_ALLOWED']);
  });

  test('a link is for one user and one use, of fifty at once too, ends after a day, and with the right of who asked [AC7 SE6]', async () => {
    await using world = await makeWorld();
    const { admin, subject } = await makePair(world);
    const { token } = await askFor(world, admin, subject);
    const refused = { status: 403, codes: ['IMPERSONATION_LINK_REFUSED'] };
    expect(await admin.post(...confirm(token))).toMatchObject(refused);
    await changeMember(world, admin.user, { role: 'end_user' });
    expect(await subject.post(...confirm(token))).toMatchObject(refused);
    await changeMember(world, admin.user, { role: 'admin' });
    const tries = await Promise.all(Array.from({ length: 50 }, () => subject.post(...confirm(token))));
    expect(tries.filter((answer) => answer.status === 200)).toHaveLength(1);
    await askFor(world, admin, subject, 'another');
    await world.clock.jump(DAY);
    expect(await (await asUser(world, subject.user)).post(...confirm('another'))).toMatchObject(refused);
  });

  test('a user of another tree is as unknown as none [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const other = await as(world, 'end_user', { company: foreign });
    const ask = (id: number) => admin.post(`/users/${id}/impersonation-requests`, { reason: 'because' });
    expect((await ask(other.user.id)).text).toBe((await ask(987_654_321)).text);
  });
});

describe('acting as somebody', () => {
  test('it is a new session with the rights of the user and the mark of who acts; cancelling goes back to the own, under a new id [AC7 SE1]', async () => {
    await using world = await makeWorld();
    const { admin, subject } = await makePair(world);
    const { started, headers } = await actFor(world, admin, subject);
    expect(started.data).toMatchObject({
      id: subject.user.id,
      isImpersonating: true,
      act: { id: admin.user.id },
      role: { name: 'end_user' },
    });
    expect((await admin.get('/user')).data).toMatchObject({ id: admin.user.id, act: null });
    const back = await send(world, 'POST', '/user/cancel-impersonation', { headers });
    expect(back.data).toMatchObject({ id: admin.user.id, isImpersonating: false, act: null });
    expect((await send(world, 'GET', '/user', { headers })).status).toBe(401);
    expect((await admin.get('/user')).status, 'the own session has another id now').toBe(401);
    expect((await send(world, 'GET', '/user', { headers: headersOf(world, back) })).data.id).toBe(admin.user.id);
  });

  test('not from within, not the account, not the limit: refused by the registry [AC7]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const other = await as(world, 'admin', { company });
    const { id, headers } = await actFor(world, admin, other);
    const codes = async (method: 'PUT' | 'POST' | 'DELETE', path: string, body: object = {}) =>
      (await send(world, method, path, { body, headers })).codes;
    expect(await codes('POST', `/users/impersonation/${id}/start`)).toEqual(['ONLY_IN_PERSON']);
    expect(await codes('PUT', '/user/impersonation-access', { hours: 72 })).toEqual(['ONLY_IN_PERSON']);
    expect(await codes('POST', '/user/company', { company_id: company.id })).toEqual(['ONLY_IN_PERSON']);
    const own = world.app.routes.filter((info) => info.onlyInPerson).map((info) => `${info.method} ${info.path.slice(4)}`);
    for (const one of ['PUT /account/password', 'PUT /account/email', 'DELETE /mfa', 'POST /account/access-tokens', 'PUT /account/profile'])
      expect(own).toContain(one);
  });

  test('every audit row names both, and the history says so [AC7]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const other = await as(world, 'admin', { company });
    const { headers } = await actFor(world, admin, other);
    const made = await send(world, 'POST', '/tags', { headers, body: { name: 'of both', company_id: company.id } });
    expect(made.codes).toEqual([]);
    const rows = await world.ctx.db.selectFrom('audit').selectAll().where('action', 'in', ['tags.new', 'impersonation.start']).execute();
    expect(rows.map((row) => [row.actor_id, row.on_behalf_of])).toEqual(rows.map(() => [admin.user.id, other.user.id]));
    expect(rows).toHaveLength(2);
    const [entry] = (await admin.get('/history')).data;
    expect(entry).toMatchObject({ user_name: admin.user.username, on_behalf_of_name: other.user.username, ip: '127.0.0.1' });
  });

  test('revoking ends it at once, by the user and by an administrator; the log says from when to when [AC7]', async () => {
    await using world = await makeWorld();
    const { admin, subject } = await makePair(world);
    const first = await actFor(world, admin, subject);
    expect((await admin.get('/users/impersonation-logs')).data).toMatchObject([
      { state: 'running', reason: 'a broken list', ended_at: null },
    ]);
    await subject.post('/user/revoke-impersonation-access', {});
    expect((await send(world, 'GET', '/user', { headers: first.headers })).status).toBe(401);
    expect((await admin.post(`/users/impersonation/${first.id}/start`)).status).toBe(404);
    const second = await actFor(world, admin, subject);
    const [log] = (await admin.get('/users/impersonation-logs', { state: 'running' })).data;
    expect((await admin.post(`/users/impersonation-logs/${log.id}/end`, {})).status).toBe(200);
    expect((await send(world, 'GET', '/user', { headers: second.headers })).status).toBe(401);
    expect((await admin.get('/users/impersonation-logs', { state: 'ended' })).meta['total']).toBe(2);
  });

  test('what was ended leads back to the own session, once, and to nothing else [AC7 SE1]', async () => {
    await using world = await makeWorld();
    const { admin, subject } = await makePair(world);
    const cancel = (headers: Record<string, string>) => send(world, 'POST', '/user/cancel-impersonation', { headers });
    expect((await cancel(admin.headers)).codes, 'who does not act').toEqual(['UNAUTHORIZED']);
    const { headers } = await actFor(world, admin, subject);
    await subject.post('/user/revoke-impersonation-access', {});
    const refused = await send(world, 'POST', '/account/token/refresh', { headers });
    expect([refused.status, refused.codes, refused.headers['set-cookie']]).toEqual([401, ['ACTING_ENDED'], undefined]);
    expect((await cancel({ ...headers, origin: 'https://evil.example' })).codes).toEqual(['FORGERY_PROTECTION']);
    const tries = await Promise.all(Array.from({ length: 10 }, () => cancel(headers)));
    const backs = tries.filter(({ status }) => status === 200);
    expect(backs).toHaveLength(1);
    expect(backs[0]?.data).toMatchObject({ id: admin.user.id, isImpersonating: false, act: null });
    expect((await admin.get('/user')).status, 'the own session has another id now').toBe(401);
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(9);
    expect((await send(world, 'GET', '/user', { headers })).status).toBe(401);
  });

  test('there is no way back once the own session is over, nor a day after the end [AC7]', async () => {
    await using world = await makeWorld();
    const { admin, subject } = await makePair(world);
    const cancel = (headers: Record<string, string>) => send(world, 'POST', '/user/cancel-impersonation', { headers });
    const first = await actFor(world, admin, subject);
    await subject.post('/user/revoke-impersonation-access', {});
    await world.ctx.db.deleteFrom('sessions').where('id', '=', admin.session.sessionId).execute();
    expect((await cancel(first.headers)).status).toBe(401);
    const second = await actFor(world, await asUser(world, admin.user), subject);
    await world.clock.jump(HOUR + DAY);
    expect((await cancel(second.headers)).status).toBe(401);
    const third = await actFor(world, await asUser(world, admin.user), await asUser(world, subject.user));
    await world.clock.jump(2 * HOUR);
    expect((await cancel(third.headers)).data, 'its time is over').toMatchObject({ id: admin.user.id, act: null });
  });

  test('it ends when who acts loses the right, when the user gets rights that who acts has not, and with the own session [AC7]', async () => {
    await using world = await makeWorld();
    const { admin, subject } = await makePair(world);
    const { headers } = await actFor(world, admin, subject);
    const status = async () => (await send(world, 'GET', '/user', { headers })).status;
    expect(await status()).toBe(200);
    await changeMember(world, admin.user, { role: 'end_user' });
    expect(await status()).toBe(401);
    await changeMember(world, admin.user, { role: 'admin' });
    expect(await status()).toBe(200);
    await changeMember(world, subject.user, { role: 'super_admin' });
    expect(await status()).toBe(401);
    await changeMember(world, subject.user, { role: 'end_user' });
    await world.ctx.db.deleteFrom('sessions').where('user_id', '=', admin.user.id).where('on_behalf_of', 'is', null).execute();
    expect(await status()).toBe(401);
  });

  test('renewing it after a right was lost says that acting is over, and the same cookie leads back to the own session [AC7]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world, { name: 'Fjordline' });
    const [admin, subject] = [await as(world, 'admin', { company }), await as(world, 'end_user', { company })];
    const { headers } = await actFor(world, admin, subject);
    await changeMember(world, admin.user, { role: 'end_user' });
    for (let round = 0; round < 2; round += 1) {
      const refused = await send(world, 'POST', '/account/token/refresh', { headers });
      expect([refused.status, refused.codes]).toEqual([401, ['ACTING_ENDED']]);
    }
    await changeMember(world, admin.user, { role: 'admin' });
    expect((await send(world, 'GET', '/user', { headers })).status, 'a right that comes back does not bring it back').toBe(401);
    const back = await send(world, 'POST', '/user/cancel-impersonation', { headers });
    expect(back.data).toMatchObject({ id: admin.user.id, act: null });
  });

  test('it ends with its time, and when who acts is disabled [AC7]', async () => {
    await using world = await makeWorld();
    const { admin, subject } = await makePair(world);
    const cut = await actFor(world, admin, subject);
    const root = await as(world, 'super_admin');
    await root.put(`/users/${admin.user.id}/status`, { disabled: true });
    await changeMember(world, admin.user, { disabled_at: null });
    expect((await send(world, 'GET', '/user', { headers: cut.headers })).status).toBe(401);
    const timed = await actFor(world, await asUser(world, admin.user), subject);
    await world.clock.jump(HOUR);
    expect((await send(world, 'GET', '/user', { headers: timed.headers })).status).toBe(401);
    expect((await send(world, 'POST', '/account/token/refresh', { headers: timed.headers })).status).toBe(401);
  });
});
