import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { asUser, send, type Answer } from '../helpers/as.ts';
import { makeUser } from '../helpers/factories.ts';
import { startIdentityProvider, type ExternalPerson, type IdentityProvider } from '../helpers/identity-provider.ts';
import { codeOf, proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const SITE = 'http://127.0.0.1:8080';

function makeSite({ issuer, clientId, clientSecret }: IdentityProvider): Promise<World> {
  return makeWorld({ config: { oidc: { issuer, clientId, clientSecret, label: 'Example ID' } } });
}

function cookieOf(answer: Answer): string {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
  return lines.find((line) => line.startsWith('canopy_external='))?.split(';')[0] ?? '';
}

async function begin(world: World): Promise<{ url: string; cookie: string }> {
  const answer = await send(world, 'POST', '/account/external/begin', { headers: { origin: SITE } });
  return { url: answer.data.url, cookie: cookieOf(answer) };
}

const finish = (world: World, cookie: string, query: string, more: object = {}) =>
  send(world, 'POST', '/account/external', { body: { query, ...more }, headers: { origin: SITE, cookie } });

/** The whole way: to the provider, signing in there, and back. */
async function signInAs(world: World, provider: IdentityProvider, person: ExternalPerson): Promise<Answer> {
  const { url, cookie } = await begin(world);
  return finish(world, cookie, (await provider.signIn(url, person)).search);
}

const kari = (email: string, isVerified = true): ExternalPerson => ({ subject: 'kari-1', email, isVerified });

describe('signing in with an external account', () => {
  test('binds by the verified address once, and by the account from then on', async () => {
    await using provider = await startIdentityProvider(`${SITE}/external`);
    await using world = await makeSite(provider);
    const user = await makeUser(world, { email_unverified: 1 });
    expect((await send(world, 'GET', '/account/ways-in')).data.external).toBe('Example ID');
    const first = await signInAs(world, provider, kari(user.email.toUpperCase()));
    expect(first).toMatchObject({ status: 200, data: { id: user.id } });
    expect(String(first.headers['set-cookie'])).toContain('canopy_access=');
    expect((await (await asUser(world, user)).get('/user')).status, 'the address is confirmed by that').toBe(200);
    const renamed = await signInAs(world, provider, kari('other@example.org', false));
    expect(renamed).toMatchObject({ status: 200, data: { id: user.id } });
    const second = await signInAs(world, provider, { ...kari(user.email), subject: 'kari-2' });
    expect(second.codes, 'another account with the same address').toEqual(['NOT_INVITED_EXTERNAL_USER']);
  });

  test('strangers do not get in: unknown, unverified and disabled people get the same answer [SE3]', async () => {
    await using provider = await startIdentityProvider(`${SITE}/external`);
    await using world = await makeSite(provider);
    const user = await makeUser(world);
    const disabled = await makeUser(world);
    await world.ctx.db.updateTable('memberships').set({ disabled_at: 1 }).where('user_id', '=', disabled.id).execute();
    const answers = [
      await signInAs(world, provider, { subject: 'a', email: 'nobody@example.org', isVerified: true }),
      await signInAs(world, provider, { subject: 'b', email: user.email, isVerified: false }),
      await signInAs(world, provider, { subject: 'c', email: disabled.email, isVerified: true }),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [403, answers[0]?.text]));
    expect(answers[0]?.codes).toEqual(['NOT_INVITED_EXTERNAL_USER']);
    expect(await world.ctx.db.selectFrom('external_identities').selectAll().execute()).toEqual([]);
  });

  test('an answer counts in the browser that asked for it, once, within ten minutes [SE2]', async () => {
    await using provider = await startIdentityProvider(`${SITE}/external`);
    await using world = await makeSite(provider);
    const user = await makeUser(world);
    const mine = await begin(world);
    const theirs = await begin(world);
    const { search } = await provider.signIn(mine.url, kari(user.email));
    const refused = ['EXTERNAL_SIGN_IN_FAILED'];
    expect((await finish(world, theirs.cookie, search)).codes).toEqual(refused);
    expect((await finish(world, '', search)).codes).toEqual(refused);
    expect((await finish(world, mine.cookie, `${search}x`)).codes, 'a changed answer').toEqual(refused);
    expect((await finish(world, mine.cookie, search)).status).toBe(200);
    expect((await finish(world, mine.cookie, search)).codes, 'again').toEqual(refused);
    const late = await begin(world);
    const query = (await provider.signIn(late.url, kari(user.email))).search;
    await world.clock.jump(10 * MINUTE);
    expect((await finish(world, late.cookie, query)).codes).toEqual(refused);
  });

  test('does not go past the own second factor [SE4]', async () => {
    await using provider = await startIdentityProvider(`${SITE}/external`);
    await using world = await makeSite(provider);
    const user = await makeUser(world);
    const { secret } = await turnTotpOn(world, await asUser(world, user));
    const { url, cookie } = await begin(world);
    const { search } = await provider.signIn(url, kari(user.email));
    const asked = await finish(world, cookie, search);
    expect(asked.codes).toEqual(['MFA_REQUIRED']);
    expect(String(asked.headers['set-cookie'])).not.toContain('canopy_access=');
    const wrong = await finish(world, cookieOf(asked), search, proofOf(asked, '000000'));
    expect(wrong.codes).toEqual(['CONFIRMATION_FAILED']);
    expect((await finish(world, cookieOf(asked), search, proofOf(asked, codeOf(world, secret)))).status).toBe(200);
  });

  test('who is bound to the provider confirms there, again, before a risky call [SE4]', async () => {
    await using provider = await startIdentityProvider(`${SITE}/external`);
    await using world = await makeSite(provider);
    const user = await makeUser(world);
    await signInAs(world, provider, kari(user.email));
    const caller = await asUser(world, user);
    await world.ctx.db.updateTable('sessions').set({ password_confirmed_at: 0 }).execute();
    const wish = { name: 'Script', scopes: ['view_devices'], expires_in_days: 30 };
    const ask = (more: object = {}) => caller.post('/account/access-tokens', { ...wish, ...more });
    const asked = await ask();
    expect(asked).toMatchObject({ codes: ['MFA_REQUIRED'], meta: { mfa_method: 'provider' } });
    const id = new URL(String(asked.meta['provider_url'])).searchParams.get('confirm');
    expect(id).toBe(asked.meta['session_id']);

    const confirm = async (person: ExternalPerson): Promise<Answer> => {
      const started = await caller.post('/account/external/confirm', { session_id: id });
      expect(new URL(started.data.url).searchParams.get('prompt')).toBe('login');
      return finish(world, cookieOf(started), (await provider.signIn(started.data.url, person)).search);
    };
    const other = await makeUser(world);
    const stranger: ExternalPerson = { subject: 'ola-1', email: other.email, isVerified: true };
    await signInAs(world, provider, stranger);
    expect((await confirm(stranger)).codes, 'somebody else confirms nothing').toEqual(['EXTERNAL_SIGN_IN_FAILED']);
    expect((await ask(proofOf(asked, '000000'))).codes).toEqual(['CONFIRMATION_FAILED']);
    const confirmed = await confirm(kari(user.email));
    expect(String(confirmed.headers['set-cookie']), 'nobody is signed in by it').not.toContain('canopy_access=');
    expect((await ask({ ...proofOf(asked, confirmed.data.code), name: 'Another' })).codes, 'another call').toEqual(['MFA_REQUIRED']);
    expect((await ask(proofOf(asked, confirmed.data.code))).status).toBe(201);
    expect((await ask(proofOf(asked, confirmed.data.code))).codes, 'again').toEqual(['MFA_REQUIRED']);
    const outsider = await asUser(world, other);
    expect((await outsider.post('/account/external/confirm', { session_id: id })).status).toBe(404);
  });

  test('is not there without a provider in the settings', async () => {
    await using world = await makeWorld();
    expect((await send(world, 'GET', '/account/ways-in')).data.external).toBeNull();
    expect((await send(world, 'POST', '/account/external/begin', { headers: { origin: SITE } })).status).toBe(404);
  });
});
