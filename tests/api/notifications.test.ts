import { describe, expect, test } from 'vitest';
import { queueNotifications, type NewNotification } from '../../server/kernel/notifications.ts';
import { addDeviceEvents } from '../../server/domain/devices/events.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { changeMember, makeDevice, makeTree, makeUser } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** Writes notices as a change would, and sends them. */
async function notify(world: World, ...notices: NewNotification[]): Promise<void> {
  await queueNotifications(world.ctx.db, world.clock.now(), notices);
  await world.clock.advance(2 * SECOND);
}

const summaries = async (caller: Caller, query = {}): Promise<string[]> =>
  (await caller.get('/notifications', query)).data.map((one: { summary: string }) => one.summary);

const noteOffline = (device: { id: number; company_id: number }): NewNotification => ({
  kind: 'deviceOffline',
  companyId: device.company_id,
  subjectId: device.id,
});

describe('a notification', () => {
  test('notifies those who see the company and its devices, and nobody else', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom, foreign } = await makeTree(world);
    const seen = [
      await as(world, 'admin', { company: top }),
      await as(world, 'read_only', { company: bottom }),
      await as(world, 'readonly_admin', { company: middle }),
    ];
    const others = [
      await as(world, 'end_user', { company: middle }),
      await as(world, 'admin', { company: sibling }),
      await as(world, 'admin', { company: foreign }),
      await as(world, 'super_admin', { company: foreign }),
    ];
    const device = await makeDevice(world, { company: bottom, name: 'Gate' });
    await inTransaction(world.ctx.db, (trx) =>
      addDeviceEvents(world.ctx, trx, [{ deviceId: device.id, companyId: bottom.id, serial: device.serial, type: 'disconnected' }]),
    );
    await world.clock.advance(2 * SECOND);
    for (const caller of seen) expect(await summaries(caller), caller.user.username).toEqual(['Gate went offline']);
    for (const caller of others) expect(await summaries(caller), caller.user.username).toEqual([]);
  });

  test('counts repeats while nobody has looked, and begins again afterwards [N2]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const device = await makeDevice(world, { company: top, name: 'Gate' });
    for (let times = 0; times < 3; times += 1) await notify(world, noteOffline(device));
    const { data } = await admin.get('/notifications');
    expect(data).toMatchObject([{ count: 3, seen_at: null, link: `/devices/${device.id}`, company_name: 'Top' }]);
    expect((await admin.put('/notifications', { id: [data[0].id] })).status).toBe(200);
    expect((await admin.get('/notifications', { is_seen: 0 })).meta['total']).toBe(0);
    await notify(world, noteOffline(device));
    expect((await admin.get('/notifications')).data).toMatchObject([{ count: 1, seen_at: null }, { count: 3 }]);
  });

  test('shows a number instead of each when more than three devices of a company go at once', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const devices = await Promise.all(Array.from({ length: 5 }, () => makeDevice(world, { company: top })));
    await notify(world, ...devices.map(noteOffline));
    expect(await summaries(admin)).toEqual(['Devices of Top went offline: 5']);
  });

  test('is seen by its own user alone, and hidden from one who lost the right or the company', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const other = await as(world, 'admin', { company: top });
    const device = await makeDevice(world, { company: middle });
    await notify(world, noteOffline(device));
    const [mine] = (await admin.get('/notifications')).data;
    await other.put('/notifications', { id: [mine.id] });
    expect((await admin.get('/notifications', { is_seen: 0 })).meta['total'], 'another user marks nothing of mine').toBe(1);
    await changeMember(world, admin.user, { role: 'end_user' });
    expect(await summaries(admin), 'of a company below, which an end client does not see').toEqual([]);
  });

  test('is forgotten 30 days after it was seen, unseen after 90', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await notify(world, noteOffline(await makeDevice(world, { company: top, name: 'Seen' })));
    await admin.put('/notifications', { id: [(await admin.get('/notifications')).data[0].id] });
    await notify(world, noteOffline(await makeDevice(world, { company: top, name: 'Unseen' })));
    const kept = async () =>
      (await world.ctx.db.selectFrom('notifications').select('subject_name').execute()).map((row) => row.subject_name);
    await world.clock.jump(31 * DAY);
    expect(await kept()).toEqual(['Unseen']);
    await world.clock.jump(60 * DAY);
    expect(await kept()).toEqual([]);
  });

  test('goes to the inviter when an invitation is accepted', async () => {
    await using world = await makeWorld();
    const { middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const colleague = await as(world, 'admin', { company: middle });
    const invited = await admin.post('/users/invite', { company_id: middle.id, email: 'kari@example.org', role: 'end_user' });
    const token = String(invited.data.url).split('#')[1];
    const body = { token, first_name: 'Kari', last_name: 'Nordmann', password: 'a long enough phrase' };
    expect((await send(world, 'POST', '/invitations/accept', { body, headers: { origin: world.ctx.publicUrl() } })).status).toBe(200);
    await world.clock.advance(2 * SECOND);
    expect(await summaries(admin)).toEqual(['Kari Nordmann accepted the invitation to Middle']);
    expect(await summaries(colleague)).toEqual([]);
  });

  test('says that resources run out, once, when they fall below ten', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const system = await as(world, 'super_admin', { company: top });
    await system.post('/credits', { credit_type_id: 1, credit_count: 12, company_id: top.id });
    const { data: types } = await system.get('/credits/types');
    for (const amount of [1, 2, 1])
      expect(
        (await system.post('/credits/move', { credit_type_name: types[0].name, source: top.id, target: middle.id, amount })).status,
      ).toBe(200);
    await world.clock.advance(2 * SECOND);
    expect((await system.get('/notifications')).data).toMatchObject([
      { type: 'creditAmountTooLow', count: 1, summary: expect.stringContaining('9 left') },
    ]);
  });
});

test('what a theme hides is sent to system administrators only', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const system = await as(world, 'super_admin', { company: top });
  const admin = await as(world, 'admin', { company: top });
  await admin.put(`/themes/${top.id}`, { show_data: false });
  await system.post('/credits', { credit_type_id: 1, credit_count: 12, company_id: top.id });
  const { data: types } = await system.get('/credits/types');
  await system.post('/credits/move', { credit_type_name: types[0].name, source: top.id, target: middle.id, amount: 4 });
  await world.clock.advance(2 * SECOND);
  expect((await system.get('/notifications')).data).toMatchObject([{ type: 'creditAmountTooLow' }]);
  const rows = await world.ctx.db.selectFrom('notifications').select('user_id').execute();
  expect(rows).toEqual([{ user_id: system.user.id }]);
});

describe('a notification rule', () => {
  test('of the nearest company counts; without one, the default', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const device = await makeDevice(world, { company: bottom });
    expect((await admin.post('/notifications/rules', { in_console: ['deviceOffline'] })).status).toBe(201);
    expect((await admin.post('/notifications/rules', { company_id: middle.id, in_console: [] })).status).toBe(201);
    await notify(world, noteOffline(device));
    expect(await summaries(admin), 'the rule of the middle company is nearer').toEqual([]);
    const { data } = await admin.get('/notifications/rules');
    expect(data).toMatchObject([{ company_id: null }, { company_id: middle.id, company_name: 'Middle' }]);
    expect((await admin.put(`/notifications/rules/${data[1].id}`, { in_console: ['deviceOffline'] })).status).toBe(200);
    await notify(world, noteOffline(device));
    expect(await summaries(admin)).toHaveLength(1);
    expect(await admin.post('/notifications/rules', { company_id: foreign.id })).toMatchObject({
      status: 404,
      errors: [{ source: 'company_id' }],
    });
    expect(await admin.post('/notifications/rules', {})).toMatchObject({ status: 400, errors: [{ source: 'company_id' }] });
  });

  test('belongs to its user: others find nothing under its number', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const other = await as(world, 'admin', { company: top });
    await admin.post('/notifications/rules', { in_console: [] });
    const [rule] = (await admin.get('/notifications/rules')).data;
    const unknown = await other.get('/notifications/rules/987654321');
    expect(unknown.status).toBe(404);
    expect((await other.get(`/notifications/rules/${rule.id}`)).text).toBe(unknown.text);
    expect((await other.put(`/notifications/rules/${rule.id}`, { in_console: [] })).status).toBe(404);
    expect((await other.delete(`/notifications/rules/${rule.id}`, {})).status).toBe(404);
    expect((await admin.delete(`/notifications/rules/${rule.id}`, {})).status).toBe(200);
  });
});

describe('the daily mail', () => {
  test('comes once a day at the chosen hour of the chosen zone, with what was chosen for it, in the language of the user', async () => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.post('/notifications/rules', { in_console: [], by_mail: ['deviceOffline'] });
    // 09:00 UTC is 18:00 in Tokyo.
    const wish = { hour: 20, timezone: 'Asia/Tokyo' };
    expect((await admin.put('/notifications/digest', wish, { 'accept-language': 'nb' })).status).toBe(200);
    expect((await admin.get('/notifications/digest')).data).toMatchObject(wish);
    const device = await makeDevice(world, { company: top, name: 'Port 7' });
    await notify(world, noteOffline(device), noteOffline(device));
    expect(await summaries(admin), 'by mail only').toEqual([]);
    await world.clock.jump(1 * HOUR);
    expect(mail.mails).toEqual([]);
    await world.clock.jump(1 * HOUR + 5 * MINUTE);
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]).toMatchObject({ to: [admin.user.email] });
    expect(mail.mails[0]?.text).toContain('2026-11-02 18:00  Port 7 ble frakoblet ×2');
    await notify(world, noteOffline(device));
    await world.clock.jump(30 * MINUTE);
    expect(mail.mails, 'one mail a day').toHaveLength(1);
    await world.clock.jump(1 * DAY);
    expect(mail.mails).toHaveLength(2);
  });

  test.each([
    ['set back by an hour', -1 * HOUR],
    ['set back by a day', -1 * DAY],
    ['set on by a day', 1 * DAY],
    ['set on by ten days', 10 * DAY],
  ])('a clock that is %s, and right again, neither doubles nor loses its notifications [FT4]', async (_name, step) => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.post('/notifications/rules', { in_console: [], by_mail: ['deviceOffline'] });
    await admin.put('/notifications/digest', { hour: 8, timezone: 'UTC' });
    const seen = (name: string) => mail.mails.filter(({ text }) => text.includes(name)).length;
    const happens = async (name: string) => notify(world, noteOffline(await makeDevice(world, { company: top, name })));
    await happens('Before');
    await world.clock.jump(5 * MINUTE);
    expect(seen('Before')).toBe(1);
    await happens('Waiting');
    await world.clock.jump(step);
    await world.clock.jump(5 * MINUTE);
    await happens('Meanwhile');
    await world.clock.jump(5 * MINUTE);
    await world.clock.jump(-step);
    await world.clock.jump(5 * MINUTE);
    const today = mail.mails.length;
    await world.clock.jump(2 * DAY);
    await world.clock.jump(5 * MINUTE);
    expect([seen('Before'), seen('Waiting'), seen('Meanwhile')]).toEqual([1, 1, 1]);
    expect(today).toBeLessThanOrEqual(2);
  });

  test('comes right after an hour that spring leaves out, and once at one that autumn has twice [CB8]', async () => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.post('/notifications/rules', { in_console: [], by_mail: ['deviceOffline'] });
    await admin.put('/notifications/digest', { hour: 2, timezone: 'Europe/Oslo' });
    const device = await makeDevice(world, { company: top });
    const mailsAt = async (time: string): Promise<number> => {
      await notify(world, noteOffline(device));
      await world.clock.jump(Date.parse(time) - world.clock.now());
      return mail.mails.length;
    };
    // The clocks go forward from 02:00 to 03:00 on 28 March 2027, and back from 03:00 to 02:00 on 31 October.
    const before = await mailsAt('2027-03-28T00:58:00Z');
    expect(await mailsAt('2027-03-28T01:04:00Z')).toBe(before + 1);
    const summer = await mailsAt('2027-10-30T23:58:00Z');
    expect(await mailsAt('2027-10-31T00:04:00Z')).toBe(summer + 1);
    expect(await mailsAt('2027-10-31T01:04:00Z')).toBe(summer + 1);
    expect(await mailsAt('2027-11-01T01:04:00Z')).toBe(summer + 2);
  });

  test('does not say what its reader may not see any more', async () => {
    await using mail = await startMailServer();
    await using world = await makeWorld({ config: { smtpUrl: mail.url } });
    const { top, bottom } = await makeTree(world);
    const user = await makeUser(world, { company: top, role: 'admin' });
    await world.ctx.db
      .insertInto('notification_rules')
      .values({ user_id: user.id, company_id: null, in_console: '[]', by_mail: '["deviceOffline"]', updated_at: 0 })
      .execute();
    await notify(world, noteOffline(await makeDevice(world, { company: bottom })));
    await changeMember(world, user, { role: 'end_user' });
    await world.clock.jump(5 * MINUTE);
    expect(mail.mails).toEqual([]);
  });

  test('asks for a zone that exists', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'admin');
    expect(await admin.put('/notifications/digest', { hour: 8, timezone: 'Middle/Earth' })).toMatchObject({
      status: 400,
      errors: [{ source: 'timezone' }],
    });
    expect((await admin.get('/timezones', { q: 'oslo' })).data).toEqual([{ name: 'Europe/Oslo' }]);
  });
});
