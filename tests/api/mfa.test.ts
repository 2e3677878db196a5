import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, asUser, send, type Answer } from '../helpers/as.ts';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { codeOf, proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const TOKEN = { name: 'Nightly export', scopes: ['view_devices'], expires_in_days: 90 };

function login(world: World, body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
  return send(world, 'POST', '/account/login', { body, headers: { origin: world.ctx.publicUrl(), ...headers } });
}

describe('setting up a second factor', () => {
  test('an authenticator app is confirmed by its code, which then cannot be used again', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    expect((await caller.get('/mfa')).data).toEqual({ method: null, recovery_codes_left: 0, methods: ['totp'], passkeys: [] });
    const started = await caller.put('/mfa', { method: 'totp' });
    expect(started.data).toMatchObject({ method: 'totp', uri: expect.stringMatching(/^otpauth:\/\/totp\/Canopy:/) });
    expect((await caller.get('/user')).data.mfa_type, 'nothing is asked for before it is confirmed').toBeNull();
    expect(await caller.post('/mfa', { code: '000000' })).toMatchObject({
      status: 403,
      codes: ['CONFIRMATION_FAILED'],
      errors: [{ source: 'code' }],
    });
    const code = codeOf(world, started.data.secret);
    const confirmed = await caller.post('/mfa', { code });
    expect(confirmed.status).toBe(200);
    expect(new Set(confirmed.data.recovery_codes).size).toBe(10);
    expect((await caller.get('/user')).data.mfa_type).toBe('totp');
    const asked = await caller.post('/account/access-tokens', TOKEN);
    expect(await caller.post('/account/access-tokens', { ...TOKEN, ...proofOf(asked, code) })).toMatchObject({
      status: 403,
      codes: ['CONFIRMATION_FAILED'],
    });
    const actions = await world.ctx.db.selectFrom('audit').select('action').orderBy('id').execute();
    expect(actions.map((row) => row.action)).toEqual(['account.mfa-on', 'account.mfa-failed']);
  });

  test('neither the secret nor any code can be read in the database or the log [SE4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { secret, recoveryCodes } = await turnTotpOn(world, caller);
    const tables = ['second_factors', 'recovery_codes', 'mfa_challenges', 'audit'] as const;
    const kept =
      JSON.stringify(await Promise.all(tables.map((table) => world.ctx.db.selectFrom(table).selectAll().execute()))) + world.log();
    for (const text of [secret, ...recoveryCodes]) expect(kept).not.toContain(text);
  });

  test('only five codes are tried before it has to begin again', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { secret } = (await caller.put('/mfa', { method: 'totp' })).data;
    for (let round = 0; round < 5; round += 1) await caller.post('/mfa', { code: 'wrong' });
    expect(await caller.post('/mfa', { code: codeOf(world, secret) })).toMatchObject({ status: 409, codes: ['MFA_NOT_ON'] });
    await turnTotpOn(world, caller);
    expect(await caller.put('/mfa', { method: 'totp' })).toMatchObject({ status: 403, codes: ['MFA_REQUIRED'] });
  });

  test('e-mail is not offered without a mail server', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    expect(await caller.put('/mfa', { method: 'email' })).toMatchObject({
      status: 409,
      codes: ['MAIL_NOT_SET_UP'],
      errors: [{ source: 'method' }],
    });
  });

  test('it is turned off with a code of its own, and then a password is enough again', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { secret } = await turnTotpOn(world, caller);
    const asked = await caller.delete('/mfa', {});
    expect(asked).toMatchObject({ status: 403, codes: ['MFA_REQUIRED'], meta: { mfa_method: 'totp', mfa_type: 'totp' } });
    expect((await caller.delete('/mfa', proofOf(asked, codeOf(world, secret)))).status).toBe(200);
    expect((await caller.get('/mfa')).data).toMatchObject({ method: null, recovery_codes_left: 0 });
    expect((await login(world, { email: caller.user.email, password: PASSWORD })).status).toBe(200);
  });
});

describe('signing in with a second factor', () => {
  test('asks for the code after the password, and starts no session before it [SE4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { secret } = await turnTotpOn(world, caller);
    const body = { email: caller.user.email, password: PASSWORD };
    const asked = await login(world, body);
    expect(asked).toMatchObject({ status: 403, codes: ['MFA_REQUIRED'], meta: { mfa_method: 'totp' } });
    expect(asked.headers['set-cookie']).toBeUndefined();
    expect((await login(world, { ...body, ...proofOf(asked, 'wrong') })).codes).toEqual(['CONFIRMATION_FAILED']);
    const done = await login(world, { ...body, ...proofOf(asked, codeOf(world, secret)) });
    expect(done).toMatchObject({ status: 200, data: { mfa_type: 'totp' } });
    expect(done.headers['set-cookie']).toHaveLength(3);
  });

  test('a wrong password is reported before any code is asked for, with or without a second factor [SE4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    await turnTotpOn(world, caller);
    const other = await makeUser(world);
    const answers = [
      await login(world, { email: caller.user.email, password: 'wrong' }),
      await login(world, { email: other.email, password: 'wrong' }),
    ];
    expect(answers.map((answer) => answer.text)).toEqual([answers[1]?.text, answers[1]?.text]);
  });

  test('a recovery code takes the place of the app, once, however it is typed', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { recoveryCodes } = await turnTotpOn(world, caller);
    const body = { email: caller.user.email, password: PASSWORD };
    const typed = String(recoveryCodes[3]).toLowerCase().replaceAll('-', ' ');
    expect((await login(world, { ...body, ...proofOf(await login(world, body), typed) })).status).toBe(200);
    expect((await login(world, { ...body, ...proofOf(await login(world, body), typed) })).codes).toEqual(['CONFIRMATION_FAILED']);
    expect((await caller.get('/mfa')).data.recovery_codes_left).toBe(9);
  });

  test('a challenge of one account does not open another, nor another address of the same one [SE4]', async () => {
    await using world = await makeWorld();
    const [first, second] = [await as(world, 'admin'), await as(world, 'admin')];
    const { secret } = await turnTotpOn(world, first);
    await turnTotpOn(world, second);
    const asked = await login(world, { email: first.user.email, password: PASSWORD });
    const proof = proofOf(asked, codeOf(world, secret));
    expect((await login(world, { email: second.user.email, password: PASSWORD, ...proof })).codes).toEqual(['MFA_REQUIRED']);
    expect((await first.post('/account/access-tokens', { ...TOKEN, ...proof })).codes).toEqual(['MFA_REQUIRED']);
  });
});

describe('a call that asks for the second factor', () => {
  test('the same call sent again with the code passes, and the code members reach no handler [F6]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { secret } = await turnTotpOn(world, caller);
    const asked = await caller.post('/account/access-tokens', TOKEN);
    expect(asked).toMatchObject({ status: 403, codes: ['MFA_REQUIRED'] });
    const done = await caller.post('/account/access-tokens', { ...proofOf(asked, codeOf(world, secret)), ...TOKEN });
    expect(done).toMatchObject({ status: 201, data: { name: 'Nightly export' } });
  });

  test('the code is for the very call that asked: another body, path, session or person needs its own [SE4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { secret } = await turnTotpOn(world, caller);
    const otherSession = await asUser(world, caller.user);
    const asked = await caller.post('/account/access-tokens', TOKEN);
    const proof = proofOf(asked, codeOf(world, secret));
    const tries = [
      await caller.post('/account/access-tokens', { ...TOKEN, ...proof, scopes: ['view_devices', 'view_tags'] }),
      await caller.post('/mfa/recovery-codes', proof),
      await otherSession.post('/account/access-tokens', { ...TOKEN, ...proof }),
      await caller.post('/account/access-tokens', { ...TOKEN, ...proof, session_uuid: 'another' }),
    ];
    expect(tries.map((answer) => answer.codes)).toEqual(tries.map(() => ['MFA_REQUIRED']));
    expect((await caller.post('/account/access-tokens', { ...TOKEN, ...proof })).status).toBe(201);
  });

  test('of twenty calls with the same code one passes [SE4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { recoveryCodes } = await turnTotpOn(world, caller);
    const asked = await caller.post('/account/access-tokens', TOKEN);
    const body = { ...TOKEN, ...proofOf(asked, String(recoveryCodes[0])) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.post('/account/access-tokens', body)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(await world.ctx.db.selectFrom('access_tokens').select('id').execute()).toHaveLength(1);
  });

  test('five wrong codes use a challenge up, ten minutes end it, and many wrong ones have to wait [SE4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { secret } = await turnTotpOn(world, caller);
    let asked = await caller.post('/account/access-tokens', TOKEN);
    const tryCode = (code: string) => caller.post('/account/access-tokens', { ...TOKEN, ...proofOf(asked, code) });
    for (let round = 0; round < 5; round += 1) expect((await tryCode('123')).codes).toEqual(['CONFIRMATION_FAILED']);
    const next = await tryCode(codeOf(world, secret));
    expect(next.codes).toEqual(['MFA_REQUIRED']);
    asked = next;
    for (let round = 0; round < 5; round += 1) await tryCode('123');
    asked = await tryCode('123');
    for (let round = 0; round < 5; round += 1) await tryCode('123');
    const refused = await tryCode(codeOf(world, secret));
    expect(refused).toMatchObject({ status: 429, codes: ['TOO_MANY_REQUESTS'] });
    await world.clock.jump(16 * MINUTE);
    const body = { email: caller.user.email, password: PASSWORD };
    const late = await login(world, body);
    await world.clock.jump(10 * MINUTE);
    expect((await login(world, { ...body, ...proofOf(late, codeOf(world, secret)) })).codes).toEqual(['MFA_REQUIRED']);
  });

  test('an access token cannot do what asks for a person', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { data } = await caller.post('/account/access-tokens', { ...TOKEN, scopes: ['create_access_tokens'] });
    const byToken = { authorization: `Bearer ${data.token}` };
    expect(await send(world, 'POST', '/account/access-tokens', { headers: byToken, body: TOKEN })).toMatchObject({
      status: 403,
      codes: ['SESSION_REQUIRED'],
    });
    expect(await send(world, 'POST', '/password-confirmation', { headers: byToken, body: { password: PASSWORD } })).toMatchObject({
      status: 403,
      codes: ['SESSION_REQUIRED'],
    });
    expect(await send(world, 'POST', '/mfa', { headers: byToken, body: { code: '1' } })).toMatchObject({
      status: 403,
      codes: ['SESSION_REQUIRED'],
    });
  });

  test('faults of the body are reported before a code is asked for', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    await turnTotpOn(world, caller);
    const answer = await caller.post('/account/access-tokens', { name: '', session_code: 1 });
    expect(answer.status).toBe(400);
    expect(answer.errors.map((error) => error.source).sort()).toEqual(['expires_in_days', 'name', 'scopes']);
  });
});
