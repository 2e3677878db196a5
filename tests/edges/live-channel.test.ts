import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, asUser } from '../helpers/as.ts';
import { makeDevice, makeRole, makeUser } from '../helpers/factories.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { until } from '../helpers/until.ts';
import { open, openAs, startLiveWorld, type Console } from './live-console.ts';

const { world, tree } = await startLiveWorld();

describe('who may connect [WS1]', () => {
  test('nobody without a session, whatever is in the cookie [WS1]', async () => {
    const origin = world.ctx.publicUrl();
    for (const cookie of ['', 'canopy_access=guess', 'canopy_access=', '__proto__=1'])
      await expect(open(world, { origin, cookie })).rejects.toThrow('UNAUTHORIZED');
  });

  test('no page of another site, and no program that names none [WS1]', async () => {
    const { cookie = '' } = (await as(world, 'admin', { company: tree.top })).headers;
    await expect(open(world, { cookie, origin: 'https://evil.example' })).rejects.toThrow('websocket error');
    await expect(open(world, { cookie, origin: 'null' })).rejects.toThrow('websocket error');
    await expect(open(world, { cookie })).rejects.toThrow('websocket error');
  });

  test('a program connects with its access token, in the header or the first packet, and follows what token and role both allow [WS1]', async () => {
    const user = await makeUser(world, { role: 'admin', company: tree.middle });
    const devicesOnly = await makeAccessToken(world, { user, scopes: ['devices:read'] });
    using byHeader = await open(world, { authorization: `Bearer ${devicesOnly.secret}` });
    using byPacket = await open(world, {}, { token: devicesOnly.secret });
    for (const program of [byHeader, byPacket]) {
      expect(await program.follow(`companies.${tree.middle.id}.devices`)).toBe(true);
      expect(await program.follow(`companies.${tree.middle.id}.tags`), 'not among its scopes').toBe(false);
      expect(await program.follow(`companies.${tree.top.id}.devices`), 'not among its companies').toBe(false);
    }
  });

  test('no wrong token, and no page of another site whatever it brings [WS1]', async () => {
    const user = await makeUser(world, { role: 'admin', company: tree.middle });
    const { secret } = await makeAccessToken(world, { user });
    await expect(open(world, { authorization: 'Bearer canopy_guess' })).rejects.toThrow('UNAUTHORIZED');
    await expect(open(world, {}, { token: `${secret}x` })).rejects.toThrow('UNAUTHORIZED');
    await expect(open(world, { origin: 'https://evil.example' }, { token: secret })).rejects.toThrow('websocket error');
  });

  test('a program’s connection ends with its token: revoked, expired, or its owner disabled [WS1]', async () => {
    const admin = await as(world, 'admin', { company: tree.middle });
    const { data: token } = await admin.post('/account/access-tokens', { name: 'Live', scopes: ['devices:read'], expires_in_days: 1 });
    const revoked = await open(world, { authorization: `Bearer ${token.token}` });
    await admin.delete(`/account/access-tokens/${token.id}`);
    await until('the end of the revoked one', () => !revoked.socket.connected);
    const soon = await makeAccessToken(world, { user: admin.user, expires_at: world.clock.now() + MINUTE });
    const expired = await open(world, { authorization: `Bearer ${soon.secret}` });
    await world.clock.advance(MINUTE);
    await until('the end of the expired one', () => !expired.socket.connected);
    const person = await makeUser(world, { role: 'end_user', company: tree.middle });
    const { secret } = await makeAccessToken(world, { user: person });
    const disabled = await open(world, { authorization: `Bearer ${secret}` });
    await admin.put(`/users/${person.id}/status`, { disabled: true });
    await until('the end of the disabled one', () => !disabled.socket.connected);
  });

  test('polling is not offered [WS1]', async () => {
    const headers = { origin: world.ctx.publicUrl(), connection: 'close' };
    const answer = await fetch(`${world.url}/status/socket.io/?EIO=4&transport=polling`, { headers });
    expect(answer.status).toBe(400);
  });
});

describe('who may follow what [WS2]', () => {
  const names = ['top', 'middle', 'sibling', 'bottom', 'foreign'] as const;
  test.each([
    ['super_admin', 'top', [true, true, true, true, true]],
    ['admin', 'middle', [false, true, false, true, false]],
    ['readonly_admin', 'top', [true, true, true, true, false]],
    ['end_user', 'middle', [false, true, false, false, false]],
    ['read_only', 'bottom', [false, false, false, true, false]],
  ] as const)('%s of %s follows devices of the companies in its scope only [WS2]', async (role, home, allowed) => {
    using console = await openAs(world, await as(world, role, { company: tree[home] }));
    const answers: boolean[] = [];
    for (const name of names) answers.push(await console.follow(`companies.${tree[name].id}.devices`));
    expect(answers).toEqual(allowed);
  });

  test('everybody hears that announcements changed, and nobody what they say [WS2]', async () => {
    const system = await as(world, 'super_admin', { company: tree.foreign });
    using console = await openAs(world, await as(world, 'read_only', { company: tree.bottom }));
    expect(await console.follow('announcements')).toBe(true);
    const text = { type: 'info', audience: 'administrators', summary: 'Secret' };
    const { data } = await system.post('/system/announcements', text);
    const seen = () => console.payloads('AnnouncementsChanged', 'announcements');
    await until('the new announcement', () => seen().length === 1);
    await system.put(`/system/announcements/${data.id}`, { ...text, summary: 'Other' });
    await until('the changed announcement', () => seen().length === 2);
    await system.delete(`/system/announcements/${data.id}`, {});
    await until('the withdrawn announcement', () => seen().length === 3);
    expect(Object.keys(seen()[0] ?? {})).toEqual(['at']);
  });

  test('only one’s own notifications; no wildcards, arrays, other case, prototype keys or channels that do not exist [WS2]', async () => {
    const caller = await as(world, 'super_admin', { company: tree.top });
    const stranger = await makeUser(world);
    using console = await openAs(world, caller);
    expect(await console.follow(`private-notifications.${caller.user.id}`)).toBe(true);
    expect(await console.follow({ channel: `companies.${tree.top.id}.devices` })).toBe(true);
    const refused: unknown[] = [
      `private-notifications.${stranger.id}`,
      `companies.${tree.top.id}.Devices`,
      `COMPANIES.${tree.top.id}.devices`,
      `companies.*.devices`,
      `companies.0${tree.top.id}.devices`,
      `companies.${tree.top.id}.devices `,
      'companies.999999.devices',
      'jobs.999999',
      '__proto__',
      'constructor',
      'toString',
      [`companies.${tree.top.id}.devices`],
      { channel: { toString: `companies.${tree.top.id}.devices` } },
      { __proto__: { channel: 'x' } },
      null,
      7,
    ];
    for (const name of refused) expect(await console.follow(name), JSON.stringify(name)).toBe(false);
    expect(console.of('subscription_error')[0]?.[1]).toMatchObject({ code: 403 });
  });

  test('a permission that the role lacks refuses the channel [WS2]', async () => {
    const role = await makeRole(world, { permissions: ['view_devices'], company: tree.middle });
    using console = await openAs(world, await as(world, role, { company: tree.middle }));
    expect(await console.follow(`companies.${tree.middle.id}.devices`)).toBe(true);
    expect(await console.follow(`companies.${tree.middle.id}.users`)).toBe(false);
  });

  test('events reach who sees the company: the tree above, not those who see one company above, everything for system administrators [WS2]', async () => {
    const channelOf = (company: { id: number }) => `companies.${company.id}.devices`;
    using system = await openAs(world, await as(world, 'super_admin', { company: tree.foreign }));
    using above = await openAs(world, await as(world, 'admin', { company: tree.top }));
    using ownAbove = await openAs(world, await as(world, 'end_user', { company: tree.top }));
    using own = await openAs(world, await as(world, 'end_user', { company: tree.bottom }));
    using beside = await openAs(world, await as(world, 'admin', { company: tree.sibling }));
    const places: [Console, { id: number }][] = [
      [system, tree.foreign],
      [above, tree.top],
      [ownAbove, tree.top],
      [own, tree.bottom],
      [beside, tree.sibling],
    ];
    for (const [console, company] of places) expect(await console.follow(channelOf(company))).toBe(true);
    world.ctx.live.publishBelow(tree.bottom.path, 'devices', 'DeviceRemoved', { id: 1, company_id: tree.bottom.id });
    world.ctx.live.publishBelow(tree.top.path, 'devices', 'DeviceRemoved', { id: 2, company_id: tree.top.id });
    world.ctx.live.publishBelow(tree.sibling.path, 'devices', 'DeviceRemoved', { id: 3, company_id: tree.sibling.id });
    const ids = (console: Console, company: { id: number }) =>
      console.payloads('DeviceRemoved', channelOf(company)).map((payload) => payload.id);
    await until('all of the system administrator', () => ids(system, tree.foreign).length === 3);
    await until(
      'the others',
      () => ids(above, tree.top).length === 3 && ids(ownAbove, tree.top).length === 1 && ids(beside, tree.sibling).length === 1,
    );
    expect([
      ids(system, tree.foreign),
      ids(above, tree.top),
      ids(ownAbove, tree.top),
      ids(own, tree.bottom),
      ids(beside, tree.sibling),
    ]).toEqual([[1, 2, 3], [1, 2, 3], [2], [1], [3]]);
  });

  test('fields that the list hides are left out for those who may not see them [WS2]', async () => {
    const role = await makeRole(world, { permissions: ['view_devices'], company: tree.middle });
    using blind = await openAs(world, await as(world, role, { company: tree.middle }));
    using seeing = await openAs(world, await as(world, 'admin', { company: tree.middle }));
    const channel = `companies.${tree.middle.id}.devices`;
    await blind.follow(channel);
    await seeing.follow(channel);
    const device = await makeDevice(world, { company: tree.middle });
    world.ctx.live.publishBelow(tree.middle.path, 'devices', 'DeviceChanged', {
      id: device.id,
      company_id: tree.middle.id,
      company_name: 'Middle',
      tags: [],
      signal: -70,
    });
    const [shown] = await until(
      'the event',
      () => seeing.payloads('DeviceChanged', channel).length === 1 && seeing.payloads('DeviceChanged', channel),
    );
    const [masked] = await until(
      'the masked event',
      () => blind.payloads('DeviceChanged', channel).length === 1 && blind.payloads('DeviceChanged', channel),
    );
    expect(shown).toMatchObject({ company_name: 'Middle', tags: [], signal: -70 });
    expect(masked).toEqual({ id: device.id, company_id: tree.middle.id, signal: -70 });
  });

  test('who looks at devices hears that a tag was renamed or removed, not that its description changed', async () => {
    const admin = await as(world, 'admin', { company: tree.middle });
    using console = await openAs(world, admin);
    const channel = `companies.${tree.middle.id}.devices`;
    await console.follow(channel);
    const { data: tag } = await admin.post('/tags', { name: 'ferry', company_id: tree.middle.id });
    await admin.put(`/tags/${tag.id}`, { name: 'ferry', description: 'Quays' });
    await admin.put(`/tags/${tag.id}`, { name: 'ferries' });
    await until('the first word', () => console.payloads('DeviceTagsChanged', channel).length === 1);
    await admin.delete(`/tags/${tag.id}`);
    await until('the second word', () => console.payloads('DeviceTagsChanged', channel).length === 2);
    expect(console.payloads('DeviceTagsChanged', channel)).toEqual([{ tag_id: tag.id }, { tag_id: tag.id }]);
  });

  test('sign-out and disabling end the socket at once; a session that was not renewed ends with its time [WS2]', async () => {
    const user = await makeUser(world, { company: tree.top });
    const first = await asUser(world, user);
    const second = await asUser(world, user);
    using one = await openAs(world, first);
    using two = await openAs(world, second);
    await one.follow(`private-notifications.${user.id}`);
    world.ctx.live.publish(`private-notifications.${user.id}`, 'SessionEnded', { reason: 'signed-out' });
    world.ctx.live.closeSockets({ sessionId: first.session.sessionId });
    await until('the end of one', () => !one.socket.connected);
    expect(one.payloads('SessionEnded', `private-notifications.${user.id}`)).toEqual([{ reason: 'signed-out' }]);
    expect(two.socket.connected).toBe(true);
    world.ctx.live.closeSockets({ userId: user.id });
    await until('the end of two', () => !two.socket.connected);
    using three = await openAs(world, await asUser(world, user));
    await world.clock.advance(11 * MINUTE);
    await until('the end of three', () => !three.socket.connected);
  });
});

describe('a role that changes [SE1]', () => {
  test('its holders are notified, and their sockets end to come back with the new rights; nobody else notices [SE1]', async () => {
    const admin = await as(world, 'admin', { company: tree.top });
    const role = await makeRole(world, { company: tree.top, permissions: ['view_tags'] });
    const holder = await asUser(world, await makeUser(world, { company: tree.top, role }));
    const tags = `companies.${tree.top.id}.tags`;
    const own = `private-notifications.${holder.user.id}`;
    using other = await openAs(world, admin);
    using before = await openAs(world, holder);
    expect([await before.follow(tags), await before.follow(own)]).toEqual([true, true]);
    await admin.put(`/roles/${role.id}`, { title: 'Nothing', permission_id: [] });
    await until('the end of the socket', () => !before.socket.connected);
    expect(before.payloads('PermissionsChanged', own)).toEqual([{ user_id: holder.user.id }]);
    expect(other.socket.connected).toBe(true);
    using after = await openAs(world, holder);
    expect([await after.follow(tags), await after.follow(own)]).toEqual([false, true]);
  });
});

describe('a changed theme', () => {
  test('is sent to the open consoles of its companies and to the person who changed it, and their sockets stay', async () => {
    const root = await as(world, 'super_admin', { company: tree.foreign });
    const reader = await as(world, 'end_user', { company: tree.bottom });
    const stranger = await as(world, 'admin', { company: tree.foreign });
    using author = await openAs(world, root);
    using own = await openAs(world, reader);
    using other = await openAs(world, stranger);
    const channelOf = ({ user }: typeof reader) => `private-notifications.${user.id}` as const;
    await Promise.all([author.follow(channelOf(root)), own.follow(channelOf(reader)), other.follow(channelOf(stranger))]);
    expect((await root.put(`/themes/${tree.top.id}`, { main_color: '#336699' })).codes).toEqual([]);
    await until('the words to both', () =>
      [own.payloads('ThemeChanged', channelOf(reader)), author.payloads('ThemeChanged', channelOf(root))].every(({ length }) => length > 0),
    );
    expect(own.payloads('ThemeChanged', channelOf(reader))).toEqual([{ user_id: reader.user.id }]);
    expect(own.payloads('PermissionsChanged', channelOf(reader))).toEqual([]);
    expect(other.payloads('ThemeChanged', channelOf(stranger))).toEqual([]);
    expect([own, author, other].map(({ socket }) => socket.connected)).toEqual([true, true, true]);
    expect((await reader.get('/user')).data.theme.main_color).toBe('#336699');
    expect((await root.put(`/themes/${tree.top.id}`, {})).codes).toEqual([]);
  });
});

describe('a theme that hides parts of the console', () => {
  test('notifies the open consoles of its companies, whose sockets end to come back with what is left; nobody else notices [SE1]', async () => {
    const root = await as(world, 'super_admin', { company: tree.foreign });
    const reader = await as(world, 'end_user', { company: tree.middle });
    const subject = await as(world, 'end_user', { company: tree.bottom });
    const acting = await actFor(world, await as(world, 'admin', { company: tree.top }), subject);
    using other = await openAs(world, await as(world, 'admin', { company: tree.foreign }));
    using own = await openAs(world, reader);
    using actor = await open(world, acting.headers);
    const channels = [`private-notifications.${reader.user.id}`, `private-notifications.${subject.user.id}`] as const;
    expect([await own.follow(channels[0]), await actor.follow(channels[1])]).toEqual([true, true]);
    expect((await root.put(`/themes/${tree.top.id}`, { main_color: '#336699' })).codes).toEqual([]);
    expect((await root.put(`/themes/${tree.top.id}`, { disabled_routes: ['tags'] })).codes).toEqual([]);
    await until('the end of the sockets', () => !own.socket.connected && !actor.socket.connected);
    expect(own.payloads('PermissionsChanged', channels[0])).toEqual([{ user_id: reader.user.id }]);
    expect(actor.payloads('PermissionsChanged', channels[1])).toEqual([{ user_id: subject.user.id }]);
    expect(other.socket.connected).toBe(true);
    expect((await reader.get('/user')).data.permissions).not.toContain('view_tags');
    expect((await root.put(`/themes/${tree.top.id}`, {})).codes).toEqual([]);
  });
});

describe('acting as somebody [AC7]', () => {
  test('withdrawing the consent notifies the impersonator and ends their sockets at once; the user’s own stay [AC7]', async () => {
    const admin = await as(world, 'admin', { company: tree.top });
    const subject = await as(world, 'end_user', { company: tree.middle });
    const { headers } = await actFor(world, admin, subject);
    using acting = await open(world, headers);
    using own = await openAs(world, subject);
    const channel = `private-notifications.${subject.user.id}`;
    expect([await acting.follow(channel), await own.follow(channel)]).toEqual([true, true]);
    const ended = new Promise<number>((resolve) => {
      acting.socket.once('disconnect', () => resolve(performance.now()));
    });
    await subject.post('/user/revoke-impersonation-access', {});
    const answeredAt = performance.now();
    expect((await ended) - answeredAt).toBeLessThan(1000);
    expect(acting.payloads('SessionEnded', channel)).toEqual([{ reason: 'consent-ended' }]);
    expect(own.socket.connected).toBe(true);
    await expect(open(world, headers)).rejects.toThrow('UNAUTHORIZED');
  });
});
