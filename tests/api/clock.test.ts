import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, send } from '../helpers/as.ts';
import { PASSWORD } from '../helpers/factories.ts';
import { cookiesOf, login, ORIGIN, refresh, whoAmI } from '../helpers/sign-in.ts';
import { codeOf, proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { makeWorld } from '../helpers/world.ts';

test.each([
  ['an hour', HOUR],
  ['a day', DAY],
])('a clock that is set back by %s, and right again later, signs nobody out [FT4]', async (_name, step) => {
  await using world = await makeWorld();
  const caller = await as(world, 'admin');
  await world.clock.jump(-step);
  expect((await caller.get('/user')).status).toBe(200);
  const renewed = cookiesOf(await refresh(world, caller.session.refresh));
  expect((await whoAmI(world, renewed['canopy_access'])).status).toBe(200);
  await world.clock.jump(step);
  const again = await refresh(world, renewed['canopy_refresh'] ?? '');
  expect(again.status).toBe(200);
  expect((await whoAmI(world, cookiesOf(again)['canopy_access'])).status).toBe(200);
});

test.each([
  ['an hour', HOUR],
  ['a day', DAY],
])('a clock that is set on by %s costs a renewal, not the session [FT4]', async (_name, step) => {
  await using world = await makeWorld();
  const caller = await as(world, 'admin');
  await world.clock.jump(step);
  expect((await caller.get('/user')).status).toBe(401);
  const renewed = await refresh(world, caller.session.refresh);
  expect((await whoAmI(world, cookiesOf(renewed)['canopy_access'])).status).toBe(200);
  await world.clock.jump(-step);
  expect((await whoAmI(world, cookiesOf(renewed)['canopy_access'])).status).toBe(200);
});

test.each([
  ['an hour ahead', HOUR],
  ['a day ahead', DAY],
])('a code that was used while the clock was %s keeps nobody out once it is right; no code works twice [FT4 SE4]', async (_name, step) => {
  await using world = await makeWorld();
  const caller = await as(world, 'admin');
  const { secret } = await turnTotpOn(world, caller);
  const signIn = async (code: string) => {
    const asked = await login(world, caller.user.email, PASSWORD);
    const body = { email: caller.user.email, password: PASSWORD, ...proofOf(asked, code) };
    return (await send(world, 'POST', '/account/login', { body, headers: ORIGIN })).status;
  };
  await world.clock.jump(step);
  expect(await signIn(codeOf(world, secret))).toBe(200);
  await world.clock.jump(-step);
  const code = codeOf(world, secret);
  expect([await signIn(code), await signIn(code)]).toEqual([200, 403]);
  await world.clock.jump(MINUTE);
  const next = codeOf(world, secret);
  expect(await signIn(next)).toBe(200);
  await world.clock.jump(-MINUTE);
  expect(await signIn(code), 'after a small step back').toBe(403);
});

test.each(['2028-02-29 23:59:30', '2038-01-19 03:14:30', '2106-02-07 06:28:30'])(
  'times are kept as they are around %s [FT4]',
  async (moment) => {
    await using world = await makeWorld();
    const before = await as(world, 'admin');
    await world.clock.jump(Date.parse(`${moment.replace(' ', 'T')}Z`) - world.clock.now());
    const { user } = before;
    const signedIn = await login(world, user.email, PASSWORD);
    expect((await whoAmI(world, cookiesOf(signedIn)['canopy_access'])).status).toBe(200);
    const admin = await as(world, 'admin', { company: { id: user.company_id } });
    const { data: first } = await admin.post('/tags', { company_id: user.company_id, name: 'before' });
    await world.clock.jump(MINUTE);
    await admin.post('/tags', { company_id: user.company_id, name: 'after' });
    const rows = await world.ctx.db.selectFrom('tags').select(['name', 'created_at']).orderBy('created_at').execute();
    expect(rows.map(({ name }) => name)).toEqual(['before', 'after']);
    expect((await admin.get(`/tags/${first.id}`)).data.created_at).toBe(moment);
  },
);
