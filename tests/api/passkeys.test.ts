import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, send, type Answer, type Caller } from '../helpers/as.ts';
import { makeAuthenticator, type Authenticator } from '../helpers/authenticator.ts';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const SITE = 'https://fleet.example.org';
const ORIGIN = { origin: SITE };

const makeSite = () => makeWorld({ config: { publicUrl: SITE } });

async function addPasskey(caller: Caller): Promise<{ key: Authenticator; answer: Answer }> {
  const key = makeAuthenticator(SITE);
  const options = await caller.post('/mfa/passkeys/options', {});
  return { key, answer: await caller.post('/mfa/passkeys', { response: key.create(options.data.challenge) }) };
}

const post = (world: World, path: string, body?: unknown) => send(world, 'POST', path, { ...(body ? { body } : {}), headers: ORIGIN });

async function challengeFor(world: World): Promise<string> {
  return (await post(world, '/account/passkey/options')).data.challenge;
}

describe('passkeys', () => {
  test('the first brings recovery codes, a further one none; both are listed, renamed and removed', async () => {
    await using world = await makeSite();
    const caller = await as(world, 'end_user');
    const first = await addPasskey(caller);
    expect(first.answer).toMatchObject({ status: 201, data: { passkey: { last_used_at: null } } });
    expect(first.answer.data.recovery_codes).toHaveLength(10);
    const { id } = first.answer.data.passkey;
    expect((await caller.put(`/mfa/passkeys/${id}`, { name: 'My key' })).status).toBe(200);
    expect((await caller.get('/mfa')).data).toMatchObject({ method: null, recovery_codes_left: 10, passkeys: [{ id, name: 'My key' }] });
    expect((await caller.get('/user')).data.mfa_type).toBe('passkey');
    const stranger = await as(world, 'super_admin');
    expect((await stranger.put(`/mfa/passkeys/${id}`, { name: 'Mine' })).status).toBe(404);
    const asked = await caller.delete(`/mfa/passkeys/${id}`, {});
    expect(asked).toMatchObject({ codes: ['MFA_REQUIRED'], meta: { mfa_method: 'passkey', passkey_ids: first.key.id } });
    const code = first.key.sign(String(asked.meta['passkey_challenge']));
    expect((await caller.delete(`/mfa/passkeys/${id}`, proofOf(asked, code))).status).toBe(200);
    expect((await caller.get('/mfa')).data).toMatchObject({ recovery_codes_left: 0, passkeys: [] });
  });

  test('signing in by password asks for the passkey, for this sign-in only, once [SE4]', async () => {
    await using world = await makeSite();
    const caller = await as(world, 'end_user');
    const { key } = await addPasskey(caller);
    const body = { email: caller.user.email, password: PASSWORD };
    const asked = await post(world, '/account/login', body);
    expect(asked).toMatchObject({ codes: ['MFA_REQUIRED'], meta: { mfa_method: 'passkey' } });
    const other = await post(world, '/account/login', body);
    const signed = key.sign(String(asked.meta['passkey_challenge']));
    const attempt = (answer: Answer, code: string) => post(world, '/account/login', { ...body, ...proofOf(answer, code) });
    expect((await attempt(other, signed)).codes, 'another challenge').toEqual(['CONFIRMATION_FAILED']);
    expect((await attempt(asked, makeAuthenticator(SITE).sign(String(asked.meta['passkey_challenge'])))).codes).toEqual([
      'CONFIRMATION_FAILED',
    ]);
    expect((await attempt(asked, key.sign(String(asked.meta['passkey_challenge']), { origin: 'https://evil.example' }))).codes).toEqual([
      'CONFIRMATION_FAILED',
    ]);
    expect((await attempt(asked, key.sign(String(asked.meta['passkey_challenge'])))).status).toBe(200);
    expect((await attempt(asked, signed)).codes, 'used up').toEqual(['MFA_REQUIRED']);
  });

  test('beside an authenticator app either answers', async () => {
    await using world = await makeSite();
    const caller = await as(world, 'end_user');
    const key = makeAuthenticator(SITE);
    const { data } = await caller.post('/mfa/passkeys/options', {});
    await turnTotpOn(world, caller);
    const added = await caller.post('/mfa/passkeys', { response: key.create(data.challenge) });
    expect(added.data.recovery_codes).toEqual([]);
    const body = { email: caller.user.email, password: PASSWORD };
    const asked = await post(world, '/account/login', body);
    expect(asked.meta).toMatchObject({ mfa_method: 'totp', passkey_ids: key.id });
    const code = key.sign(String(asked.meta['passkey_challenge']));
    expect((await post(world, '/account/login', { ...body, ...proofOf(asked, code) })).status).toBe(200);
  });

  test('one alone signs in, with a new session, when its owner was verified [SE1]', async () => {
    await using world = await makeSite();
    const caller = await as(world, 'end_user');
    const { key } = await addPasskey(caller);
    const unverified = key.sign(await challengeFor(world), { isVerified: false });
    expect((await post(world, '/account/passkey', { response: unverified })).codes).toEqual(['PASSKEY_REFUSED']);
    const response = key.sign(await challengeFor(world));
    const signedIn = await post(world, '/account/passkey', { response });
    expect(signedIn).toMatchObject({ status: 200, data: { id: caller.user.id } });
    expect(String(signedIn.headers['set-cookie'])).toContain('__Host-canopy_access=');
    expect((await post(world, '/account/passkey', { response })).codes, 'a replay').toEqual(['PASSKEY_REFUSED']);
  });

  test('an answer whose bytes are of a malformed length is refused, though they read the same', async () => {
    await using world = await makeSite();
    const caller = await as(world, 'end_user');
    const { key } = await addPasskey(caller);
    const answer = JSON.parse(key.sign(await challengeFor(world))) as { response: { clientDataJSON: string } };
    const { clientDataJSON } = answer.response;
    expect(clientDataJSON.length % 4).toBe(0);
    const withMore = (more: string): string =>
      JSON.stringify({ ...answer, response: { ...answer.response, clientDataJSON: clientDataJSON + more } });
    expect((await post(world, '/account/passkey', { response: withMore('A') })).codes).toEqual(['PASSKEY_REFUSED']);
    expect((await post(world, '/account/passkey', { response: withMore('') })).status).toBe(200);
  });

  test('whatever is wrong, the refusal is the same [SE3]', async () => {
    await using world = await makeSite();
    const caller = await as(world, 'end_user');
    const { key } = await addPasskey(caller);
    const late = await challengeFor(world);
    await world.clock.jump(10 * MINUTE);
    const own = (await makeUser(world), await challengeFor(world));
    const answers = [
      await post(world, '/account/passkey', { response: key.sign(late) }),
      await post(world, '/account/passkey', { response: makeAuthenticator(SITE).sign(own) }),
      await post(world, '/account/passkey', { response: key.sign('bWFkZSB1cA') }),
      await post(world, '/account/passkey', { response: 'not json' }),
    ];
    await world.ctx.db.updateTable('memberships').set({ disabled_at: 1 }).where('user_id', '=', caller.user.id).execute();
    answers.push(await post(world, '/account/passkey', { response: key.sign(await challengeFor(world)) }));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.codes).toEqual(['PASSKEY_REFUSED']);
  });

  test('a challenge to make one is for one person, once; a copied authenticator is noticed by its counter [SE4]', async () => {
    await using world = await makeSite();
    const [one, two] = [await as(world, 'end_user'), await as(world, 'end_user')];
    const { data } = await one.post('/mfa/passkeys/options', {});
    const key = makeAuthenticator(SITE);
    expect((await two.post('/mfa/passkeys', { response: key.create(data.challenge) })).codes).toEqual(['PASSKEY_REFUSED']);
    expect((await one.post('/mfa/passkeys', { response: key.create(data.challenge) })).status).toBe(201);
    expect((await one.post('/mfa/passkeys', { response: key.create(data.challenge) })).codes).toEqual(['PASSKEY_REFUSED']);
    expect((await post(world, '/account/passkey', { response: key.sign(await challengeFor(world), { counter: 9 }) })).status).toBe(200);
    expect((await post(world, '/account/passkey', { response: key.sign(await challengeFor(world), { counter: 9 }) })).codes).toEqual([
      'PASSKEY_REFUSED',
    ]);
  });

  test('are not offered at a bare address, where browsers have none', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    expect((await caller.get('/mfa')).data.methods).toEqual(['totp']);
    expect((await send(world, 'GET', '/account/ways-in')).data.passkey).toBe(false);
    expect((await caller.post('/mfa/passkeys/options', {})).codes).toEqual(['PASSKEY_REFUSED']);
  });
});
