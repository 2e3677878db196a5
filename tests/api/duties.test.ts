import { describe, expect, test } from 'vitest';
import { authenticateUpgrade } from '../../server/kernel/auth/authenticate.ts';
import { as, asUser, send, type Caller } from '../helpers/as.ts';
import { makeTree, makeUser, PASSWORD } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { codeOf } from '../helpers/second-factor.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const ORIGIN = { origin: 'http://127.0.0.1:8080' };

/** The first error code that a person gets for the calls that a console begins with, and on others. */
async function codesOf(caller: Caller): Promise<(string | undefined)[]> {
  const answers = [
    await caller.get('/user'),
    await caller.get('/devices'),
    await caller.put('/account/profile', { first_name: 'A', last_name: 'B' }),
  ];
  return answers.map(({ codes }) => codes[0]);
}

const hasSocket = async (world: World, caller: Caller): Promise<boolean> =>
  (await authenticateUpgrade(world.ctx, { cookie: caller.headers['cookie'], origin: world.ctx.publicUrl() })) !== undefined;

const demand = (caller: Caller, company: { id: number }, requires_mfa: boolean) =>
  caller.put(`/companies/${company.id}/second-factor`, { requires_mfa });

describe('a company that requires a second factor', () => {
  test('lets nobody of it, or of those below, do anything else before one is set up [SE4]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, sibling } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const people = { middle: await as(world, 'admin', { company: middle }), bottom: await as(world, 'end_user', { company: bottom }) };
    const outside = await as(world, 'admin', { company: sibling });
    expect(await codesOf(people.bottom)).toEqual([undefined, undefined, undefined]);
    expect((await demand(admin, middle, true)).status).toBe(200);
    for (const person of Object.values(people)) {
      expect(await codesOf(person)).toEqual(['MFA_MANDATORY', 'MFA_MANDATORY', 'MFA_MANDATORY']);
      expect(await hasSocket(world, person)).toBe(false);
    }
    expect([(await outside.get('/user')).status, (await admin.get('/user')).status]).toEqual([200, 200]);
    const login = await send(world, 'POST', '/account/login', {
      body: { email: people.bottom.user.email, password: PASSWORD },
      headers: ORIGIN,
    });
    expect(login.status).toBe(200);
    const started = await people.bottom.put('/mfa', { method: 'totp' });
    expect((await people.bottom.get('/user')).codes, 'started is not finished').toEqual(['MFA_MANDATORY']);
    expect((await people.bottom.post('/mfa', { code: codeOf(world, started.data.secret) })).status).toBe(200);
    expect(await codesOf(people.bottom)).toEqual([undefined, undefined, undefined]);
    expect(await hasSocket(world, people.bottom)).toBe(true);
    expect((await people.middle.get('/user')).codes).toEqual(['MFA_MANDATORY']);
  });

  test('holds for access tokens too [SE4]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const person = await as(world, 'admin', { company: middle });
    const { data } = await person.post('/account/access-tokens', { name: 'x', scopes: ['view_devices'], expires_in_days: 1 });
    const call = () => send(world, 'GET', '/devices', { headers: { authorization: `Bearer ${data.token}` } });
    expect((await call()).status).toBe(200);
    await demand(await as(world, 'admin', { company: top }), top, true);
    expect(await call()).toMatchObject({ status: 403, codes: ['MFA_MANDATORY'] });
  });

  test('the last second factor stays, and the demand is lifted by who set it', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const person = await as(world, 'end_user', { company: middle });
    await demand(admin, top, true);
    expect((await admin.get('/user')).codes, 'who sets it is bound by it').toEqual(['MFA_MANDATORY']);
    const started = await person.put('/mfa', { method: 'totp' });
    const { secret } = started.data;
    await person.post('/mfa', { code: codeOf(world, secret) });
    await world.clock.advance(30_000);
    const asked = await person.delete('/mfa');
    const proof = { session_code: codeOf(world, secret), session_id: asked.meta['session_id'], session_uuid: asked.meta['session_uuid'] };
    expect((await person.delete('/mfa', proof)).codes).toEqual(['MFA_KEPT']);
    const root = await as(world, 'super_admin');
    expect((await root.get(`/companies/${middle.id}/second-factor`)).data).toMatchObject({ requires_mfa: false, is_inherited: true });
    expect((await demand(root, top, false)).status).toBe(200);
    expect((await admin.get('/user')).status).toBe(200);
    const rows = await world.ctx.db
      .selectFrom('audit')
      .select(['before', 'after'])
      .where('action', '=', 'companies.second-factor')
      .execute();
    expect(rows.map((row) => [JSON.parse(row.before ?? '').requires_mfa, JSON.parse(row.after ?? '').requires_mfa])).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });
});

describe('an address that somebody else typed', () => {
  test('is confirmed by the link that was mailed to it before anything else [SE6]', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const admin = await as(world, 'admin');
    const body = {
      company_id: admin.user.company_id,
      role_id: 3,
      first_name: 'Kari',
      last_name: 'Berg',
      email: 'kari@x.example',
      password: PASSWORD,
    };
    const { data } = await admin.post('/users', body);
    const row = await world.ctx.db.selectFrom('users').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow();
    const kari = await asUser(world, row);
    expect(await codesOf(kari)).toEqual(['EMAIL_NOT_VERIFIED', 'EMAIL_NOT_VERIFIED', 'EMAIL_NOT_VERIFIED']);
    expect((await kari.post('/account/user/activation/resend')).status).toBe(200);
    expect(mails.mails.map(({ to }) => to)).toEqual([['kari@x.example'], ['kari@x.example']]);
    const [first, second] = mails.mails.map(({ text }) => /#([\w-]{43})/.exec(text)?.[1]);
    const confirm = (token: string | undefined) => send(world, 'POST', '/account/email/confirm', { body: { token }, headers: ORIGIN });
    expect((await confirm(first)).codes).toEqual(['LINK_REFUSED']);
    expect((await confirm(second)).status).toBe(200);
    expect(await codesOf(kari)).toEqual([undefined, undefined, undefined]);
    expect((await kari.get('/user')).data.email_verified).toBe(true);
    expect(mails.mails, 'there is no old address to notify').toHaveLength(2);
  });

  test('is not mailed to without end', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const kari = await asUser(world, await makeUser(world, { email_unverified: 1 }));
    const statuses: number[] = [];
    for (let round = 0; round < 4; round += 1) statuses.push((await kari.post('/account/user/activation/resend')).status);
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses[3]).toBeGreaterThanOrEqual(400);
    expect(mails.mails).toHaveLength(3);
  });

  test('counts at once where no mail can be sent', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    const body = {
      company_id: admin.user.company_id,
      role_id: 3,
      first_name: 'Kari',
      last_name: 'Berg',
      email: 'kari@x.example',
      password: PASSWORD,
    };
    const { data } = await admin.post('/users', body);
    const row = await world.ctx.db.selectFrom('users').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow();
    expect((await (await asUser(world, row)).get('/user')).status).toBe(200);
  });
});

describe('terms of service', () => {
  const terms = { version: '2023-01-18', text: 'Be kind.' };

  test('are read and accepted before anything else, once for each version', async () => {
    await using world = await makeWorld({ config: { terms } });
    const caller = await as(world, 'end_user');
    expect((await caller.get('/user')).data.tos_accepted).toBe(false);
    expect((await caller.get('/devices')).codes).toEqual(['TERMS_NOT_ACCEPTED']);
    expect((await caller.get('/account/terms')).data).toEqual(terms);
    expect((await caller.put('/account/user', { tos_accepted: true, version: '2020-01-01' })).codes).toEqual(['TERMS_NOT_ACCEPTED']);
    expect((await caller.put('/account/user', { tos_accepted: false })).codes).toEqual(['TERMS_NOT_ACCEPTED']);
    expect((await caller.put('/account/user', { tos_accepted: true, version: terms.version })).status).toBe(200);
    expect((await caller.get('/user')).data.tos_accepted).toBe(true);
    expect((await caller.get('/devices')).status).toBe(200);
    world.ctx.config.terms = { version: '2024-02-01', text: 'Be kinder.' };
    expect((await caller.get('/devices')).codes).toEqual(['TERMS_NOT_ACCEPTED']);
  });

  test('are not asked of programs, and of nobody where there are none', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    expect((await caller.get('/user')).data.tos_accepted).toBe(true);
    const { data } = await caller.post('/account/access-tokens', { name: 'x', scopes: ['view_devices'], expires_in_days: 1 });
    world.ctx.config.terms = terms;
    expect((await send(world, 'GET', '/devices', { headers: { authorization: `Bearer ${data.token}` } })).status).toBe(200);
    expect((await caller.get('/devices')).codes).toEqual(['TERMS_NOT_ACCEPTED']);
  });
});
