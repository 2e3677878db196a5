import { describe, expect, test } from 'vitest';
import { HOUR } from '../../server/kernel/clock.ts';
import { as, asUser, send, type Answer, type Caller } from '../helpers/as.ts';
import { makeCompany, makeUser, PASSWORD } from '../helpers/factories.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { proofOf, codeOf, turnTotpOn } from '../helpers/second-factor.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const ORIGIN = { origin: 'http://127.0.0.1:8080' };
const NEW = 'another long phrase';

const login = (world: World, email: string, password: string) =>
  send(world, 'POST', '/account/login', { body: { email, password }, headers: ORIGIN });
const post = (world: World, path: string, body: unknown) => send(world, 'POST', path, { body, headers: ORIGIN });

function cookieOf(answer: Answer): string {
  return [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';')[0])
    .join('; ');
}

/** The token of the newest mail to an address, once it has come. */
async function linkTo(mails: MailServer, address: string): Promise<string> {
  await until('a mail', () => mails.mails.some((mail) => mail.to.includes(address)));
  const mail = mails.mails.findLast(({ to }) => to.includes(address));
  return /#([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}

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

describe('the own password', () => {
  test('SE1 changing it ends the other sessions and gives this one a new id', async () => {
    await using world = await makeWorld();
    const here = await as(world, 'end_user');
    const elsewhere = await asUser(world, here.user);
    const changed = await here.put('/account/password', { current_password: PASSWORD, password: NEW });
    expect(changed).toMatchObject({ status: 200, data: { id: here.user.id } });
    expect([(await elsewhere.get('/user')).status, (await here.get('/user')).status]).toEqual([401, 401]);
    expect((await send(world, 'GET', '/user', { headers: { cookie: cookieOf(changed) } })).status).toBe(200);
    expect((await login(world, here.user.email, PASSWORD)).status).toBe(401);
    expect((await login(world, here.user.email, NEW)).status).toBe(200);
  });

  test('a wrong present password, a short new one and a stolen new one are said at their fields', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    const change = async (current_password: string, password: string) => {
      const { status, errors } = await caller.put('/account/password', { current_password, password });
      return [status, errors[0]?.code, errors[0]?.source];
    };
    expect(await change('wrong', NEW)).toEqual([422, 'WRONG_PASSWORD', 'current_password']);
    expect(await change(PASSWORD, 'short')).toEqual([400, 'INVALID_FIELD', 'password']);
    for (const known of ['1234567890', 'Qwertyuiop', 'aaaaaaaaaaaaaa', caller.user.email])
      expect(await change(PASSWORD, known)).toEqual([422, 'PASSWORD_KNOWN', 'password']);
  });

  test('a stolen password is refused wherever one is chosen', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    const body = { company_id: admin.user.company_id, role_id: 4, first_name: 'A', last_name: 'B', email: 'a@b.example' };
    expect(await admin.post('/users', { ...body, password: '1234567890' })).toMatchObject({ status: 422, codes: ['PASSWORD_KNOWN'] });
  });

  test('SE4 with a second factor it asks for a code too', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    const { secret } = await turnTotpOn(world, caller);
    const body = { current_password: PASSWORD, password: NEW };
    const asked = await caller.put('/account/password', body);
    expect(asked.codes).toEqual(['MFA_REQUIRED']);
    expect((await login(world, caller.user.email, NEW)).status).toBe(401);
    expect((await caller.put('/account/password', { ...body, ...proofOf(asked, codeOf(world, secret)) })).status).toBe(200);
  });

  test('SE3 guessing the present password is stopped', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    for (let round = 0; round < 8; round += 1) await caller.put('/account/password', { current_password: `guess ${round}`, password: NEW });
    expect((await caller.put('/account/password', { current_password: PASSWORD, password: NEW })).codes).toEqual(['TOO_MANY_REQUESTS']);
  });
});

describe('a forgotten password', () => {
  test('SE6 a mailed link sets a new one, once, within an hour; all sessions end and nobody is signed in by it', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const caller = await as(world, 'end_user');
    expect((await post(world, '/account/password/forgotten', { email: ` ${caller.user.email.toUpperCase()}` })).status).toBe(200);
    const token = await linkTo(mails, caller.user.email);
    const stored = await world.ctx.db.selectFrom('account_links').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    const tries = await Promise.all(Array.from({ length: 50 }, () => post(world, '/account/password/reset', { token, password: NEW })));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(tries.filter(({ status }) => status !== 200).map(({ text }) => text)).size).toBe(1);
    expect(tries.every(({ headers }) => headers['set-cookie'] === undefined)).toBe(true);
    expect((await caller.get('/user')).status).toBe(401);
    expect((await login(world, caller.user.email, NEW)).status).toBe(200);
  });

  test('SE3 the answer is the same for an address that nobody has, and for a disabled person; neither gets a mail', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const known = await makeUser(world);
    const disabled = await makeUser(world, { disabled_at: 1 });
    const answers = [];
    for (const email of ['nobody@example.org', disabled.email, known.email])
      answers.push((await post(world, '/account/password/forgotten', { email })).text);
    expect(new Set(answers).size).toBe(1);
    await linkTo(mails, known.email);
    expect(mails.mails.map(({ to }) => to)).toEqual([[known.email]]);
  });

  test('SE3 one address is not flooded: three mails an hour, and only the newest link works', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const { email } = await makeUser(world);
    const tokens: string[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await post(world, '/account/password/forgotten', { email });
      await until('the next mail', () => mails.mails.length === round);
      tokens.push(await linkTo(mails, email));
    }
    expect((await post(world, '/account/password/forgotten', { email })).status).toBe(200);
    expect((await post(world, '/account/password/reset', { token: tokens[0], password: NEW })).codes).toEqual(['LINK_REFUSED']);
    expect((await post(world, '/account/password/reset', { token: tokens[2], password: NEW })).status).toBe(200);
    expect(mails.mails).toHaveLength(3);
  });

  test('SE6 a link is over after an hour, and after the address or the password has changed otherwise', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const late = await makeUser(world);
    await post(world, '/account/password/forgotten', { email: late.email });
    const lateToken = await linkTo(mails, late.email);
    const caller = await as(world, 'end_user');
    await post(world, '/account/password/forgotten', { email: caller.user.email });
    const token = await linkTo(mails, caller.user.email);
    await caller.put('/account/password', { current_password: PASSWORD, password: NEW });
    expect((await post(world, '/account/password/reset', { token, password: 'a third long phrase' })).codes).toEqual(['LINK_REFUSED']);
    await world.clock.advance(HOUR);
    expect((await post(world, '/account/password/reset', { token: lateToken, password: NEW })).codes).toEqual(['LINK_REFUSED']);
  });

  test('without a mail server it is told that the link stays here, whether or not the address has an account', async () => {
    await using world = await makeWorld();
    expect((await send(world, 'GET', '/account/ways-in')).data).toMatchObject({ forgotten_password: true });
    expect((await post(world, '/account/password/forgotten', { email: 'a@b.example' })).data).toEqual({ is_kept: true });
  });
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

  test('AC2 an address that somebody else has gets no mail, and the answer does not tell', async () => {
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

  test('SE6 an address that was taken meanwhile is refused', async () => {
    await using mails = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mails.url } });
    const caller = await as(world, 'end_user');
    await caller.put('/account/email', { email: 'kari@new.example' });
    const token = await linkTo(mails, 'kari@new.example');
    await makeUser(world, { email: 'kari@new.example' });
    expect((await post(world, '/account/email/confirm', { token })).codes).toEqual(['EMAIL_TAKEN']);
  });

  test('SE5 asks for the password again when it was typed long ago', async () => {
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

  test('AC2 people of other companies do not see it', async () => {
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

describe('signed-in sessions', () => {
  test('SE1 are listed with device and address, this one marked, without anything that could be used', async () => {
    await using world = await makeWorld();
    const here = await as(world, 'end_user');
    const there = await asUser(world, here.user);
    await world.ctx.db
      .updateTable('sessions')
      .set({ user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', ip: '203.0.113.9', last_used_at: 1 })
      .where('id', '=', there.session.sessionId)
      .execute();
    await as(world, 'end_user');
    const { data, text } = await here.get('/account/sessions');
    expect(data).toMatchObject([
      { is_current: true, ip: '127.0.0.1' },
      { is_current: false, ip: '203.0.113.9', device: 'Firefox, Linux' },
    ]);
    expect(data).toHaveLength(2);
    expect(text).not.toContain(here.session.sessionId);
  });

  test('SE1 one is ended at once; somebody else’s cannot be', async () => {
    await using world = await makeWorld();
    const here = await as(world, 'end_user');
    const there = await asUser(world, here.user);
    const stranger = await as(world, 'super_admin');
    const other = (await here.get('/account/sessions')).data.find((session: { is_current: boolean }) => !session.is_current);
    expect((await stranger.delete(`/account/sessions/${other.id}`)).status).toBe(404);
    expect((await there.get('/user')).status).toBe(200);
    expect((await here.delete(`/account/sessions/${other.id}`)).status).toBe(200);
    expect([(await there.get('/user')).status, (await here.get('/user')).status]).toEqual([401, 200]);
    expect((await here.delete(`/account/sessions/${other.id}`)).status).toBe(404);
  });

  test('SE1 all others are ended together', async () => {
    await using world = await makeWorld();
    const here = await as(world, 'end_user');
    const others = [await asUser(world, here.user), await asUser(world, here.user)];
    const stranger = await as(world, 'end_user');
    expect((await here.delete('/account/sessions')).status).toBe(200);
    for (const other of others) expect((await other.get('/user')).status).toBe(401);
    expect([(await here.get('/user')).status, (await stranger.get('/user')).status]).toEqual([200, 200]);
    const rows = await world.ctx.db.selectFrom('audit').select('id').where('action', '=', 'account.session-ended').execute();
    expect(rows).toHaveLength(2);
  });
});
