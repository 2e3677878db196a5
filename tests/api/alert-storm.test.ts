import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../server/kernel/clock.ts';
import type { Row } from '../../server/db/schema.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeDevices } from '../helpers/many-devices.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

/** Devices of the great outage, and those of them that are on one site. */
const [FLEET, ON_SITE] = [5000, 200];

const offlineRule = {
  ...{ name: 'Router offline', cooldown_duration: 0 },
  conditions_body: [
    {
      type: 'if',
      expression: [{ parameter: 'status', operator: '==', value: 'offline' }],
      actions: [{ name: 'RaiseAlert', options: { severity: 'critical' } }],
    },
  ],
};

/** A company with a rule that raises a critical alert for each device that is offline, and a mail server that takes what people are mailed. */
async function makeWatchedWorld(mail: MailServer) {
  const { world, say, sayAll } = await makeReportingWorld({ config: { smtpUrl: mail.url } });
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  await admin.post('/automations', offlineRule);
  const wants = async (alert_mail: string, remind_minutes = 0) => {
    const person = await as(world, 'admin', { company });
    await person.post('/notifications/rules', { in_console: [], alert_mail, remind_minutes });
    return person;
  };
  const goOffline = (device: Row<'devices'>) => say(device, 'status', { online: false });
  const comeBack = (device: Row<'devices'>) => say(device, 'status', { uptime: 60 });
  const textsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address)).map(({ text }) => text);
  return { world, company, admin, wants, sayAll, goOffline, comeBack, textsTo };
}

describe('alerts by mail', () => {
  test('an outage of 5,000 devices is one mail for each person who asked for it, what is behind a router is silenced, and each is in the list once', async () => {
    await using mail = await startMailServer();
    const { world, company, admin, wants, sayAll, goOffline, textsTo } = await makeWatchedWorld(mail);
    await using _world = world;
    const [all, some, none] = [await wants('info'), await wants('critical'), await wants('none')];
    const stranger = await as(world, 'admin', { company: await makeCompany(world) });
    await stranger.post('/notifications/rules', { in_console: [], alert_mail: 'info' });
    const devices = await makeDevices(world, FLEET, { company, status: 1 });
    const [router, ...behind] = devices.slice(0, ON_SITE);
    const { data: site } = await admin.post('/sites', { company_id: company.id, name: 'Quay', router_id: router?.id });
    await admin.put('/devices/site', { device_id: [router, ...behind].map((device) => device?.id), site_id: site.id });
    // They go within a minute, not all at once.
    for (let start = 0; start < FLEET; start += FLEET / 4) {
      await sayAll(devices.slice(start, start + FLEET / 4), 'status', { online: false });
      await world.clock.advance(15 * SECOND);
    }
    await world.clock.advance(3 * MINUTE);
    const told = FLEET - behind.length;
    for (const person of [all, some]) {
      const [text, ...more] = textsTo(person.user.email);
      expect(more).toEqual([]);
      expect(text).toContain(`Critical · Router offline · ${company.name} · ${told}: `);
    }
    expect([...textsTo(none.user.email), ...textsTo(stranger.user.email)]).toEqual([]);

    const reader = await as(world, 'admin', { company });
    const seen: { id: number; device_id: number; is_silenced: boolean }[] = [];
    for (let offset = 0; offset < FLEET; offset += 100) {
      const { data, meta } = await reader.get('/alerts', { state: 'open', limit: 100, offset });
      expect(meta['total']).toBe(FLEET);
      seen.push(...data);
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(FLEET);
    expect(seen.map(({ device_id }) => device_id).toSorted((a, b) => a - b)).toEqual(devices.map(({ id }) => id));
    const silenced = seen.filter(({ is_silenced }) => is_silenced).map(({ device_id }) => device_id);
    expect(silenced.toSorted((a, b) => a - b)).toEqual(behind.map(({ id }) => id));
    expect((await reader.get('/alerts', { is_silenced: 'true', limit: 1 })).meta['total']).toBe(behind.length);
    expect((await reader.get('/alerts', { cause_device_id: router?.id, limit: 1 })).meta['total']).toBe(behind.length);
    const group = { name: 'Router offline', severity: 'critical', count: FLEET, silenced: behind.length };
    expect((await reader.get('/alerts/groups', { q: 'router' })).data).toMatchObject([group]);
    expect((await reader.get('/alerts/groups', { name: 'nothing of the kind' })).data).toEqual([]);
    expect((await stranger.get('/alerts/groups')).data).toEqual([]);

    expect((await reader.put('/alerts/acknowledge', { query: { state: 'open' } })).data).toEqual({ count: FLEET });
    expect((await reader.get('/alerts', { state: 'open' })).meta['total']).toBe(0);

    await goOffline(await makeDevice(world, { company, status: 1, name: 'Latecomer' }));
    await world.clock.advance(2 * MINUTE);
    expect(textsTo(all.user.email), 'the next one waits').toHaveLength(1);
    await world.clock.advance(5 * MINUTE);
    expect(textsTo(all.user.email)[1]).toContain('· 1: Latecomer');
  });

  test('what is behind the offline router of its site is silenced, whichever goes first, and reported when the router is back and it is not', async () => {
    await using mail = await startMailServer();
    const { world, company, admin, wants, goOffline, comeBack, textsTo } = await makeWatchedWorld(mail);
    await using _world = world;
    const person = await wants('warning');
    const router = await makeDevice(world, { company, status: 1, name: 'Site router' });
    const [early, late] = [
      await makeDevice(world, { company, status: 1, name: 'Camera' }),
      await makeDevice(world, { company, status: 1, name: 'Till' }),
    ];
    const { data: site } = await admin.post('/sites', { company_id: company.id, name: 'Quay', router_id: router.id });
    await admin.put('/devices/site', { device_id: [router.id, early.id, late.id], site_id: site.id });
    await goOffline(early);
    await world.clock.advance(5 * SECOND);
    await goOffline(router);
    await world.clock.advance(3 * SECOND);
    await goOffline(late);
    await world.clock.advance(2 * MINUTE);
    const [first] = textsTo(person.user.email);
    expect(first).toContain('· 1: Site router');
    const alerts = async () => {
      const fresh = await as(world, 'admin', { company });
      const { data } = await fresh.get('/alerts', { state: 'open' });
      return data
        .map((alert: { device_name: string; cause_device_name: string | null }) => [alert.device_name, alert.cause_device_name])
        .toSorted();
    };
    expect(await alerts()).toEqual([
      ['Camera', 'Site router'],
      ['Site router', null],
      ['Till', 'Site router'],
    ]);
    for (let minute = 0; minute < 8; minute += 1) {
      await comeBack(router);
      await comeBack(late);
      await world.clock.advance(1 * MINUTE);
    }
    expect(textsTo(person.user.email)).toHaveLength(2);
    expect(textsTo(person.user.email)[1]).toContain('· 1: Camera');
    expect(await alerts()).toEqual([['Camera', null]]);
  });

  test('say again that alerts wait until somebody has acknowledged them', async () => {
    await using mail = await startMailServer();
    const { world, company, wants, goOffline, textsTo } = await makeWatchedWorld(mail);
    await using _world = world;
    const person = await wants('critical', 15);
    await goOffline(await makeDevice(world, { company, status: 1 }));
    await world.clock.advance(35 * MINUTE);
    expect(textsTo(person.user.email)).toHaveLength(3);
    expect(textsTo(person.user.email)[2]).toContain('(still open)');
    const fresh = await as(world, 'admin', { company });
    const { data } = await fresh.get('/alerts', { state: 'open' });
    await fresh.post(`/alerts/${data[0].id}/acknowledge`, {});
    await world.clock.advance(60 * MINUTE);
    expect(textsTo(person.user.email)).toHaveLength(3);
  });

  test('wait while the device is in its maintenance window, and come after it only for what is still wrong', async () => {
    await using mail = await startMailServer();
    const { world, company, admin, wants, goOffline, comeBack, textsTo } = await makeWatchedWorld(mail);
    await using _world = world;
    const person = await wants('info');
    const at = (minutes: number): string => new Date(world.clock.now() + minutes * MINUTE).toISOString().slice(11, 16);
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    await admin.post('/maintenance-windows', {
      name: 'Now',
      applies_to: 'company',
      days,
      time_from: at(-10),
      time_to: at(12),
      timezone: 'UTC',
      company_id: company.id,
    });
    const [short, long] = [
      await makeDevice(world, { company, status: 1 }),
      await makeDevice(world, { company, status: 1, name: 'Gone for good' }),
    ];
    await goOffline(short);
    await goOffline(long);
    await world.clock.advance(10 * MINUTE);
    await comeBack(short);
    expect(textsTo(person.user.email)).toEqual([]);
    await world.clock.advance(4 * MINUTE);
    expect(textsTo(person.user.email)).toEqual([expect.stringContaining('· 1: Gone for good')]);
  });

  test('are neither lost nor doubled by a mail server that is away for a day', async () => {
    await using mail = await startMailServer();
    const { world, company, wants, goOffline, textsTo } = await makeWatchedWorld(mail);
    await using _world = world;
    const person = await wants('critical');
    mail.isDown = true;
    await goOffline(await makeDevice(world, { company, status: 1, name: 'First' }));
    await world.clock.advance(3 * MINUTE);
    for (let hour = 0; hour < 26; hour += 1) await world.clock.jump(1 * HOUR);
    mail.isDown = false;
    for (let hour = 0; hour < 4; hour += 1) await world.clock.jump(1 * HOUR);
    await world.clock.jump(1 * DAY);
    expect(textsTo(person.user.email)).toEqual([expect.stringContaining('· 1: First')]);
  });
});

describe('an on-call schedule', () => {
  const schedule = (more: object) => ({
    name: 'Operations',
    starts_on: '2026-01-01',
    timezone: 'UTC',
    after_minutes: 5,
    next_minutes: 15,
    ...more,
  });

  test('asks whose turn it is, then the next person, then everybody, until somebody acknowledges', async () => {
    await using mail = await startMailServer();
    const { world, company, admin, wants, goOffline, textsTo } = await makeWatchedWorld(mail);
    await using _world = world;
    const people = [await wants('none'), await wants('none'), await wants('none')];
    const ids = people.map(({ user }) => user.id);
    await admin.post('/on-call', schedule({ company_id: company.id, user_ids: ids }));
    const { data } = await admin.get('/on-call');
    const counts = () => people.map(({ user }) => textsTo(user.email).length).toSorted();
    expect(data[0]).toMatchObject({ user_ids: ids, on_call_name: expect.any(String), handover_at: expect.any(String) });
    await goOffline(await makeDevice(world, { company, status: 1 }));
    await world.clock.advance(4 * MINUTE);
    expect(counts()).toEqual([0, 0, 0]);
    await world.clock.advance(3 * MINUTE);
    expect(counts()).toEqual([0, 0, 1]);
    expect(people.flatMap(({ user }) => textsTo(user.email))).toEqual([expect.stringContaining('(you are on call)')]);
    await world.clock.advance(15 * MINUTE);
    expect(counts()).toEqual([0, 1, 1]);
    await world.clock.advance(15 * MINUTE);
    expect(counts()).toEqual([1, 2, 2]);
    await goOffline(await makeDevice(world, { company, status: 1 }));
    await world.clock.advance(7 * MINUTE);
    const fresh = await as(world, 'admin', { company });
    for (const { id } of (await fresh.get('/alerts', { state: 'open' })).data) await fresh.post(`/alerts/${id}/acknowledge`, {});
    const before = mail.mails.length;
    await world.clock.advance(60 * MINUTE);
    expect(mail.mails).toHaveLength(before);
  });

  test('is one for a company, of people that its editor sees, and not found by others', async () => {
    await using mail = await startMailServer();
    const { world, company, admin } = await makeWatchedWorld(mail);
    await using _world = world;
    const stranger = await as(world, 'admin', { company: await makeCompany(world) });
    const own = schedule({ company_id: company.id, user_ids: [admin.user.id] });
    expect((await admin.post('/on-call', schedule({ company_id: company.id, user_ids: [stranger.user.id] }))).errors).toMatchObject([
      { code: 'NOT_FOUND', source: 'user_ids.0' },
    ]);
    expect((await admin.post('/on-call', { ...own, timezone: 'Mars/Base' })).errors).toMatchObject([{ source: 'timezone' }]);
    const { data } = await admin.post('/on-call', own);
    expect((await admin.post('/on-call', own)).errors).toMatchObject([{ source: 'company_id' }]);
    expect((await stranger.get(`/on-call/${data.id}`)).status).toBe(404);
    expect((await stranger.delete(`/on-call/${data.id}`)).status).toBe(404);
    expect((await admin.put(`/on-call/${data.id}`, { ...schedule({ user_ids: [admin.user.id] }), shift_days: 1 })).data).toMatchObject({
      shift_days: 1,
    });
    expect((await admin.delete(`/on-call/${data.id}`)).status).toBe(200);
    expect((await admin.get('/on-call')).data).toEqual([]);
  });
});

describe('many alerts at once', () => {
  test('are acknowledged by ids or by the query of the list, each is written down, and those of other companies stay as they are', async () => {
    await using mail = await startMailServer();
    const { world, company, sayAll } = await makeWatchedWorld(mail);
    await using _world = world;
    const foreign = await makeCompany(world);
    const stranger = await as(world, 'admin', { company: foreign });
    await stranger.post('/automations', offlineRule);
    const devices = await Promise.all(
      Array.from({ length: 210 }, (_, index) => makeDevice(world, { company, status: 1, name: `Till ${index}` })),
    );
    await sayAll([...devices, await makeDevice(world, { company: foreign, status: 1, name: 'Till of others' })], 'status', {
      online: false,
    });
    await world.clock.advance(5 * SECOND);
    const admin = await as(world, 'admin', { company });
    const [first, second] = (await admin.get('/alerts', { state: 'open' })).data;
    const { data: others } = await (await as(world, 'admin', { company: foreign })).get('/alerts');
    expect((await admin.put('/alerts/acknowledge', { alert_id: [first.id, second.id, others[0].id] })).data).toEqual({ count: 2 });
    expect((await admin.put('/alerts/acknowledge', { query: { state: 'open', q: 'till' } })).data).toEqual({ count: 208 });
    expect((await admin.get('/alerts', { state: 'open' })).meta.total).toBe(0);
    const written = await world.ctx.db.selectFrom('audit').select('id').where('action', '=', 'alerts.acknowledge').execute();
    expect(written).toHaveLength(210);
    expect((await (await as(world, 'admin', { company: foreign })).get('/alerts', { state: 'open' })).meta.total).toBe(1);
    expect((await admin.put('/alerts/snooze', { query: { q: 'till 7' }, hours: 3 })).data.count).toBeGreaterThan(1);
    const { data: snoozed } = await admin.get('/alerts', { q: 'till 7' });
    expect(snoozed.every((one: { snoozed_until: string | null }) => one.snoozed_until !== null)).toBe(true);
    expect((await admin.put('/alerts/acknowledge', {})).errors[0]?.source).toBe('alert_id');
    expect((await admin.put('/alerts/acknowledge', { query: { no_such: '1' } })).status).toBe(400);
  });
});
