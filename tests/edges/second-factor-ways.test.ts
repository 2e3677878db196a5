import { describe, expect, test } from 'vitest';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import { as, send, type Answer } from '../helpers/as.ts';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { linkTo, startMailServer } from '../helpers/mail-server.ts';
import { bodyFor } from '../helpers/route-bodies.ts';
import { anyPath } from '../helpers/route-samples.ts';
import { codeOf, proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { login, ORIGIN } from '../helpers/sign-in.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import { makeWorld } from '../helpers/world.ts';
import { open, openAs, startLiveWorld } from './live-console.ts';

const { world, tree } = await startLiveWorld();
const guarded = world.app.routes.filter((info) => info.proof === 'sudo');

/** Calls every route that asks for the second factor, with these headers and no code. */
async function callGuarded(headers: Record<string, string>): Promise<Record<string, string>> {
  const codes: Record<string, string> = {};
  for (const info of guarded) {
    const body = bodyFor(info);
    const answer = await send(world, info.method as 'POST', anyPath(info).replace(/^\/api/, ''), {
      headers,
      ...(body === undefined ? {} : { body }),
    });
    codes[`${info.method} ${info.path.slice(4)}`] = String(answer.codes[0]);
  }
  return codes;
}

const all = (code: string) => Object.fromEntries(guarded.map((info) => [`${info.method} ${info.path.slice(4)}`, code]));

describe('ways around the second factor [SE4]', () => {
  test('what could take an account over asks for it [SE4]', () => {
    const names = Object.keys(all(''));
    for (const one of [
      'POST /account/access-tokens',
      'PUT /account/email',
      'DELETE /mfa',
      'POST /mfa/recovery-codes',
      'POST /mfa/passkeys/options',
      'DELETE /admin/users/mfa',
      'DELETE /admin/users',
    ])
      expect(names).toContain(one);
  });

  test('the call itself is refused without the code: to nobody, to a session, to a token, and to an impersonator [SE4]', async () => {
    const origin = { origin: world.ctx.publicUrl() };
    expect(new Set(Object.values(await callGuarded(origin)))).toEqual(new Set(['UNAUTHORIZED']));

    const user = await makeUser(world, { role: 'super_admin', company: tree.top });
    const token = await makeAccessToken(world, { user, scopes: [...permissionNames] });
    expect(await callGuarded({ authorization: `Bearer ${token.secret}` })).toEqual(all('SESSION_REQUIRED'));

    const acting = await actFor(
      world,
      await as(world, 'super_admin', { company: tree.top }),
      await as(world, 'super_admin', { company: tree.top }),
    );
    expect(await callGuarded(acting.headers)).toEqual(all('ONLY_IN_PERSON'));

    const caller = await as(world, 'super_admin', { company: tree.top });
    await turnTotpOn(world, caller);
    expect(await callGuarded(caller.headers)).toEqual(all('MFA_REQUIRED'));
  });

  test('who knows the password only gets no session, no socket and no token, whatever they make of the challenge [SE4]', async () => {
    const caller = await as(world, 'admin', { company: tree.top });
    await turnTotpOn(world, caller);
    const origin = world.ctx.publicUrl();
    const asked = await login(world, caller.user.email, PASSWORD, { origin });
    expect(asked).toMatchObject({ status: 403, codes: ['MFA_REQUIRED'] });
    expect(asked.headers['set-cookie']).toBeUndefined();
    for (const proof of [asked.meta['session_uuid'], asked.meta['session_id']].map(String)) {
      const cookie = `canopy_access=${proof}; canopy_refresh=${proof}`;
      expect((await send(world, 'GET', '/user', { headers: { cookie } })).status).toBe(401);
      expect((await send(world, 'POST', '/account/token/refresh', { headers: { cookie, origin } })).status).toBe(401);
      expect((await send(world, 'GET', '/user', { headers: { authorization: `Bearer ${proof}` } })).status).toBe(401);
      await expect(open(world, { origin, cookie })).rejects.toThrow('UNAUTHORIZED');
    }
    expect(await world.ctx.db.selectFrom('sessions').select('id').where('user_id', '=', caller.user.id).execute()).toHaveLength(1);
  });

  test('a code that was right once, and the code of somebody else, are worth nothing [SE4]', async () => {
    const [caller, other] = [await as(world, 'admin', { company: tree.top }), await as(world, 'admin', { company: tree.top })];
    const { secret } = await turnTotpOn(world, caller);
    const { secret: foreign } = await turnTotpOn(world, other);
    const origin = { origin: world.ctx.publicUrl() };
    const signIn = (asked?: Answer, code = '') =>
      send(world, 'POST', '/account/login', {
        body: { email: caller.user.email, password: PASSWORD, ...(asked ? proofOf(asked, code) : {}) },
        headers: origin,
      });
    expect((await signIn(await signIn(), codeOf(world, foreign))).codes).toEqual(['CONFIRMATION_FAILED']);
    const code = codeOf(world, secret);
    const first = await signIn();
    expect((await signIn(first, code)).status).toBe(200);
    expect((await signIn(first, code)).codes, 'the challenge is used up').toEqual(['MFA_REQUIRED']);
    expect((await signIn(await signIn(), code)).codes, 'so is the code, within its half minute too').toEqual(['CONFIRMATION_FAILED']);
  });

  test('a socket takes no code and no call: it only follows [SE4]', async () => {
    const caller = await as(world, 'admin', { company: tree.top });
    await turnTotpOn(world, caller);
    using console = await openAs(world, caller);
    for (const event of ['POST /api/account/access-tokens', 'request', 'call', 'mfa']) console.socket.emit(event, { name: 'x' });
    expect(await console.follow(`private-notifications.${caller.user.id}`)).toBe(true);
    expect(console.heard.map((entry) => entry.event)).toEqual(['subscribed']);
    expect(await world.ctx.db.selectFrom('access_tokens').select('id').where('user_id', '=', caller.user.id).execute()).toEqual([]);
  });
});

test('a new password by mail leaves the second factor where it is: signing in asks for it [SE4]', async () => {
  await using mails = await startMailServer();
  await using own = await makeWorld({ config: { smtpUrl: mails.url } });
  const caller = await as(own, 'admin');
  const { secret } = await turnTotpOn(own, caller);
  const { email } = caller.user;
  await send(own, 'POST', '/account/password/forgotten', { body: { email }, headers: ORIGIN });
  const token = await linkTo(mails, email);
  const password = 'another long phrase';
  const set = await send(own, 'POST', '/account/password/reset', { body: { token, password }, headers: ORIGIN });
  expect([set.status, set.headers['set-cookie']]).toEqual([200, undefined]);
  const asked = await login(own, email, password);
  expect(asked.codes).toEqual(['MFA_REQUIRED']);
  const body = { email, password, ...proofOf(asked, codeOf(own, secret)) };
  expect((await send(own, 'POST', '/account/login', { body, headers: ORIGIN })).status).toBe(200);
});
