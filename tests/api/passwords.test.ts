import { describe, expect, test } from 'vitest';
import { HOUR } from '../../server/kernel/clock.ts';
import { as, asUser, send, type Answer } from '../helpers/as.ts';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { linkTo, startMailServer } from '../helpers/mail-server.ts';
import { codeOf, proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { login, ORIGIN } from '../helpers/sign-in.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const NEW = 'another long phrase';

const post = (world: World, path: string, body: unknown) => send(world, 'POST', path, { body, headers: ORIGIN });

function cookieOf(answer: Answer): string {
  return [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';')[0])
    .join('; ');
}

describe('the own password', () => {
  test('changing it ends the other sessions and gives this one a new id [SE1]', async () => {
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

  test('with a second factor it asks for a code too [SE4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    const { secret } = await turnTotpOn(world, caller);
    const body = { current_password: PASSWORD, password: NEW };
    const asked = await caller.put('/account/password', body);
    expect(asked.codes).toEqual(['MFA_REQUIRED']);
    expect((await login(world, caller.user.email, NEW)).status).toBe(401);
    expect((await caller.put('/account/password', { ...body, ...proofOf(asked, codeOf(world, secret)) })).status).toBe(200);
  });

  test('guessing the present password is stopped [SE3]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    for (let round = 0; round < 8; round += 1) await caller.put('/account/password', { current_password: `guess ${round}`, password: NEW });
    expect((await caller.put('/account/password', { current_password: PASSWORD, password: NEW })).codes).toEqual(['TOO_MANY_REQUESTS']);
  });
});

describe('a forgotten password', () => {
  test('a mailed link sets a new one, once, within an hour; all sessions end and nobody is signed in by it [SE6]', async () => {
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

  test('the answer is the same for an address that nobody has, and for a disabled person; neither gets a mail [SE3]', async () => {
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

  test('one address is not flooded: three mails an hour, and only the newest link works [SE3]', async () => {
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

  test('a link is over after an hour, and after the address or the password has changed otherwise [SE6]', async () => {
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
    await world.clock.jump(HOUR);
    expect((await post(world, '/account/password/reset', { token: lateToken, password: NEW })).codes).toEqual(['LINK_REFUSED']);
  });

  test('without a mail server the answer says that the link stays here, whether or not the address has an account', async () => {
    await using world = await makeWorld();
    expect((await send(world, 'GET', '/account/ways-in')).data).toMatchObject({ forgotten_password: true });
    expect((await post(world, '/account/password/forgotten', { email: 'a@b.example' })).data).toEqual({ is_kept: true });
  });
});
