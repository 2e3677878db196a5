import { describe, expect, test } from 'vitest';
import { as, send, type Answer, type Caller } from '../helpers/as.ts';
import { makeCompany, makeUser, PASSWORD } from '../helpers/factories.ts';
import { linkTo, startMailServer } from '../helpers/mail-server.ts';
import { login, ORIGIN } from '../helpers/sign-in.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const post = (world: World, path: string, body: unknown) => send(world, 'POST', path, { body, headers: ORIGIN });

describe('profile', () => {
  test('a person changes the own names, and the history says so', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'read_only');
    expect((await caller.put('/account/profile', { first_name: 'Kari', last_name: 'Berg' })).status).toBe(200);
    expect((await caller.get('/user')).data).toMatchObject({ first_name: 'Kari', last_name: 'Berg', username: 'Kari Berg' });
    const [row] = await world.ctx.db.selectFrom('audit').selectAll().where('action', '=', 'account.profile').execute();
    expect([JSON.parse(row?.before ?? '').first_name, JSON.parse(row?.after ?? '').first_name]).toEqual(['Person', 'Kari']);
    expect(row?.after).not.toContain('argon2');
  });
});

test.each([
  ['Europe/Oslo', 'NO'],
  ['Europe/Kyiv', 'UA'],
  ['Asia/Tokyo', 'JP'],
  ['Europe/Belgrade', 'RS'],
  ['US/Pacific', 'US'],
  ['UTC', null],
  ['auto', null],
  ['Nowhere/Nothing', null],
])('the country of a person is that of the time zone they chose: %s', async (zone, country) => {
  await using world = await makeWorld();
  const caller = await as(world, 'read_only');
  expect((await caller.get('/user')).data.country_iso_code, 'nothing chosen').toBe(null);
  expect((await caller.post('/storage', { key: 'timezone', value: zone })).status).toBe(200);
  expect((await caller.get('/user')).data.country_iso_code).toBe(country);
  expect((await (await as(world, 'read_only')).get('/user')).data.country_iso_code, 'somebody else').toBe(null);
});

describe('the own address', () => {
  test('counts once the new one is confirmed; the old one hears of both steps', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const caller = await as(world, 'end_user');
    const old = caller.user.email;
    expect((await caller.put('/account/email', { email: 'Kari@New.example' })).status).toBe(200);
    const token = await linkTo(mails, 'kari@new.example');
    expect((await caller.get('/user')).data.email).toBe(old);
    expect((await post(world, '/account/email/confirm', { token })).status).toBe(200);
    expect((await caller.get('/user')).data.email).toBe('kari@new.example');
    expect((await post(world, '/account/email/confirm', { token })).codes).toEqual(['LINK_REFUSED']);
    const notices = mails.mails.filter(({ to }) => to.includes(old)).map(({ text }) => text);
    expect(notices).toHaveLength(2);
    expect(notices.every((text) => text.includes('kari@new.example'))).toBe(true);
    expect((await login(world, 'kari@new.example', PASSWORD)).status).toBe(200);
  });

  test('is changed without a mail server by the link in the mailbox of system administrators', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    expect((await caller.put('/account/email', { email: 'kari@new.example' })).status).toBe(200);
    const system = await as(world, 'super_admin');
    const mails = (await system.get('/system/mailbox')).data as { id: number; to: string }[];
    expect(mails.map(({ to }) => to).toSorted()).toEqual(['kari@new.example', caller.user.email].toSorted());
    const mail = mails.find(({ to }) => to === 'kari@new.example');
    const { text } = (await system.get(`/system/mailbox/${mail?.id}`)).data;
    const token = /confirm-email#(\S+)/.exec(text)?.[1];
    expect((await post(world, '/account/email/confirm', { token })).status).toBe(200);
    expect((await caller.get('/user')).data.email).toBe('kari@new.example');
  });

  test('an address that somebody else has gets no mail, and the answer does not reveal it [AC2]', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const other = await makeUser(world, { company: await makeCompany(world) });
    const caller = await as(world, 'end_user');
    const [taken, free] = [
      await caller.put('/account/email', { email: other.email }),
      await caller.put('/account/email', { email: 'free@x.example' }),
    ];
    expect(taken.text).toBe(free.text);
    expect(mails.mails.some(({ to }) => to.includes(other.email))).toBe(false);
  });

  test('an address that was taken meanwhile is refused [SE6]', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const caller = await as(world, 'end_user');
    await caller.put('/account/email', { email: 'kari@new.example' });
    const token = await linkTo(mails, 'kari@new.example');
    await makeUser(world, { email: 'kari@new.example' });
    expect((await post(world, '/account/email/confirm', { token })).codes).toEqual(['EMAIL_TAKEN']);
  });

  test('asks for the password again when it was typed long ago [SE5]', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const caller = await as(world, 'end_user');
    await world.ctx.db.updateTable('sessions').set({ password_confirmed_at: 0 }).execute();
    expect((await caller.put('/account/email', { email: 'kari@new.example' })).codes).toEqual(['PASSWORD_REQUIRED']);
    expect(mails.mails).toEqual([]);
  });
});

describe('the own picture', () => {
  const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('the rest')]);

  async function upload(world: World, caller: Caller, bytes: Buffer, type = 'image/png'): Promise<Answer> {
    const head = `--cut\r\ncontent-disposition: form-data; name="file"; filename="../x.svg"\r\ncontent-type: ${type}\r\n\r\n`;
    const response = await world.app.fastify.inject({
      method: 'PUT',
      url: '/api/account/avatar',
      headers: { ...caller.headers, 'content-type': 'multipart/form-data; boundary=cut' },
      payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--cut--\r\n')]),
    });
    const body: { errors?: { code: string }[] } = response.json();
    return { status: response.statusCode, codes: body.errors?.map(({ code }) => code) ?? [] } as Answer;
  }

  test('is kept by what its bytes are, and served so that it can do nothing', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    expect((await caller.get('/user')).data.avatar_url).toBeNull();
    expect((await upload(world, caller, PNG, 'text/html')).status).toBe(200);
    const { avatar_url } = (await caller.get('/user')).data;
    const shown = await world.app.fastify.inject({ method: 'GET', url: avatar_url, headers: caller.headers });
    expect(shown.rawPayload.equals(PNG)).toBe(true);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await caller.delete('/account/avatar')).status).toBe(200);
    expect((await caller.get('/user')).data.avatar_url).toBeNull();
    expect((await send(world, 'GET', avatar_url.slice(4), { headers: caller.headers })).status).toBe(404);
  });

  test.each([
    ['a drawing with a script in it', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
  ])('%s is no picture, whatever it calls itself', async (_name, bytes) => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    expect(await upload(world, caller, bytes)).toMatchObject({ status: 422, codes: ['NO_PICTURE'] });
  });

  test('one that is too large is refused', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    expect((await upload(world, caller, Buffer.concat([PNG, Buffer.alloc(300 * 1024)]))).codes).toEqual(['FILE_TOO_LARGE']);
  });

  test('people of other companies do not see it [AC2]', async () => {
    await using world = await makeWorld();
    const owner = await as(world, 'end_user');
    await upload(world, owner, PNG);
    const path = (await owner.get('/user')).data.avatar_url.slice(4);
    const foreign = await as(world, 'admin');
    const unknown = await foreign.get('/avatars/nothing');
    expect((await foreign.get(path)).text).toBe(unknown.text);
    expect((await (await as(world, 'super_admin')).get(path)).status).toBe(200);
  });
});
