import { describe, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as, asUser, send } from '../helpers/as.ts';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { cookiesOf, login, refresh, whoAmI } from '../helpers/sign-in.ts';
import { makeWorld } from '../helpers/world.ts';

describe('a session', () => {
  test('signing in again ends the session that the browser had [SE1]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const again = await login(world, caller.user.email, PASSWORD, { cookie: caller.headers['cookie'] ?? '' });
    expect(again.status).toBe(200);
    expect(cookiesOf(again)['canopy_refresh']?.split('.')[0]).not.toBe(caller.session.sessionId);
    expect((await caller.get('/user')).status).toBe(401);
    expect((await refresh(world, caller.session.refresh)).status).toBe(401);
  });

  test('a cookie that names a session without its secret ends nothing [SE1]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const cookie = `canopy_refresh=${caller.session.sessionId}.guess`;
    await send(world, 'POST', '/account/token/revoke', {
      headers: { cookie, origin: world.ctx.publicUrl(), 'x-requested-with': 'XMLHttpRequest' },
    });
    await login(world, (await makeUser(world)).email, PASSWORD, { cookie });
    expect((await caller.get('/user')).status).toBe(200);
    expect((await caller.post('/account/token/revoke')).status).toBe(200);
    expect((await caller.get('/user')).status).toBe(401);
  });

  test('a refresh with the right number of a session and a wrong secret does not end it; an old token that was right once does [HF17]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const other = await as(world, 'admin');
    const [id = '', secret = '', mark = ''] = caller.session.refresh.split('.');
    const [, otherSecret = '', otherMark = ''] = other.session.refresh.split('.');
    const invented = ['guess', `${secret}`, `${secret}.guess`, `guess.${mark}`, `${otherSecret}.${otherMark}`, '', `${secret}.${mark}.x`];
    for (const text of invented) expect((await refresh(world, `${id}.${text}`)).status, text).toBe(401);
    expect((await refresh(world, id)).status).toBe(401);
    expect((await caller.get('/user')).status).toBe(200);
    expect((await refresh(world, caller.session.refresh)).status).toBe(200);
    await world.clock.advance(30 * SECOND);
    expect((await refresh(world, caller.session.refresh)).status).toBe(401);
    expect(await world.ctx.db.selectFrom('sessions').select('id').where('id', '=', id).execute()).toEqual([]);
  });

  test('ids that were put into the browser beforehand are not taken over [SE1]', async () => {
    await using world = await makeWorld();
    const { user } = await as(world, 'admin');
    const planted = { access: 'planted'.repeat(8), refresh: 'planted.planted' };
    const cookie = `canopy_access=${planted.access}; canopy_refresh=${planted.refresh}`;
    const cookies = cookiesOf(await login(world, user.email, PASSWORD, { cookie }));
    expect(Object.values(cookies).some((value) => value.includes('planted'))).toBe(false);
    expect((await whoAmI(world, cookies['canopy_access'])).status).toBe(200);
    expect([(await whoAmI(world, planted.access)).status, (await refresh(world, planted.refresh)).status]).toEqual([401, 401]);
  });

  test('access ends after ten minutes and is renewed by the refresh token, which changes [SE1]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    await world.clock.jump(10 * MINUTE);
    expect((await caller.get('/user')).status).toBe(401);
    const renewed = await refresh(world, caller.session.refresh);
    expect(renewed).toMatchObject({ status: 200, data: { id: caller.user.id, exp: 600 } });
    const cookies = cookiesOf(renewed);
    expect(cookies['canopy_refresh']).not.toBe(caller.session.refresh);
    expect((await whoAmI(world, cookies['canopy_access'])).status).toBe(200);
  });

  test('an old refresh token that comes back ends the whole session [SE1]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const renewed = cookiesOf(await refresh(world, caller.session.refresh));
    await world.clock.advance(30 * SECOND);
    const again = await refresh(world, caller.session.refresh);
    expect(again).toMatchObject({ status: 401, codes: ['UNAUTHORIZED'] });
    expect((await whoAmI(world, renewed['canopy_access'])).status).toBe(401);
    expect((await refresh(world, renewed['canopy_refresh'] ?? '')).status).toBe(401);
    const rows = await world.ctx.db.selectFrom('audit').select('action').execute();
    expect(rows.map((row) => row.action)).toContain('account.token-reused');
  });

  test('twenty tabs that refresh at once stay signed in with one and the same session [SE1]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(world, caller.session.refresh)));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map((answer) => cookiesOf(answer)['canopy_refresh'])).size).toBe(1);
    expect(await world.ctx.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
    for (const answer of answers) expect((await whoAmI(world, cookiesOf(answer)['canopy_access'])).status).toBe(200);
    expect((await caller.get('/user')).status, 'calls that were under way keep working for a moment').toBe(200);
  });

  test('a session that is not used for 14 days is over, and every session is over after 60 [SE1]', async () => {
    await using world = await makeWorld();
    const idle = await as(world, 'admin');
    const busy = await as(world, 'admin');
    let token = busy.session.refresh;
    for (let day = 0; day < 59; day += 10) {
      await world.clock.jump(10 * DAY - 1000);
      const renewed = await refresh(world, token);
      expect(renewed.status).toBe(200);
      token = cookiesOf(renewed)['canopy_refresh'] ?? '';
      if (day === 10) expect((await refresh(world, idle.session.refresh)).status).toBe(401);
    }
    await world.clock.advance(MINUTE);
    expect((await refresh(world, token)).status).toBe(401);
  });

  test('signing out ends the session and clears the browser [OP3]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const answer = await caller.post('/account/token/revoke');
    expect(answer.status).toBe(200);
    expect(answer.headers['clear-site-data']).toContain('"cache"');
    expect(cookiesOf(answer)).toEqual({ canopy_access: '', canopy_refresh: '', 'XSRF-TOKEN': '' });
    expect((await caller.get('/user')).status).toBe(401);
    expect((await refresh(world, caller.session.refresh)).status).toBe(401);
  });

  test('a person signs out of one browser and stays signed in in the other', async () => {
    await using world = await makeWorld();
    const first = await as(world, 'admin');
    const second = await asUser(world, first.user);
    await first.post('/account/token/revoke');
    expect((await second.get('/user')).status).toBe(200);
  });
});

describe('signed-in sessions', () => {
  test('are listed with device and address, this one marked, without anything that could be used [SE1]', async () => {
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

  test('one is ended at once; somebody else’s cannot be [SE1]', async () => {
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

  test('all others are ended together [SE1]', async () => {
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
