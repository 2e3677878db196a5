import { describe, expect, test } from 'vitest';
import { DAY } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeRole, makeTag, makeTree, makeUser } from '../helpers/factories.ts';
import { move, paid } from '../helpers/credits.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { addReading } from '../helpers/readings.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const byName = (rows: { company_name: string }[]) => Object.fromEntries(rows.map(({ company_name, ...rest }) => [company_name, rest]));
const wireDay = (world: World, age = 0) => new Date(world.clock.now() - age * DAY).toISOString().slice(0, 10);

/** As of companies that have been there for years. */
const makeOld = (world: World) => world.ctx.db.updateTable('companies').set({ created_at: 1 }).execute();

describe('statistics', () => {
  test('of companies count what each has, and sort, filter and export the same figures', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    await makeDevice(world, { company: middle, status: 1 });
    await makeDevice(world, { company: middle, status: 0 });
    await makeDevice(world, { company: middle, status: null });
    await makeDevice(world, { company: foreign });
    await makeTag(world, { company: middle });
    const admin = await as(world, 'admin', { company: top });
    const { data, meta } = await admin.get('/statistics/companies', { sort: '-devices_count' });
    expect(meta['total']).toBe(4);
    expect(data[0]).toMatchObject({
      company_name: 'Middle',
      devices_count: 3,
      devices_online: 1,
      devices_offline: 1,
      devices_not_activated: 1,
      devices_pending: 0,
      tags_count: 1,
      files_size: 0,
      jobs_month: 0,
    });
    expect((await admin.get('/statistics/companies', { company_id: String(foreign.id) })).data, 'AC2').toEqual([]);
    expect(
      (await admin.get('/statistics/companies', { level: '3' })).data.map((row: { company_name: string }) => row.company_name),
    ).toEqual(['Bottom']);
    const file = await admin.get('/statistics/companies/export/csv', {
      fields: 'company_name,devices_count',
      sort: '-devices_count',
      level: '2',
    });
    expect(file.text).toBe('company_name,devices_count\r\nMiddle,3\r\nSibling,0\r\n');
    expect(file.headers['content-disposition']).toContain(`company-statistics-${wireDay(world)}.csv`);
  });

  test('of people count sign-ins, second factors, invitations and programs of each company', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const now = world.clock.now();
    const recent = await makeUser(world, { company: middle, last_login_at: now - DAY });
    await makeUser(world, { company: middle, last_login_at: now - 20 * DAY, disabled_at: now });
    await makeUser(world, { company: middle });
    await world.ctx.db
      .insertInto('second_factors')
      .values({
        user_id: recent.id,
        method: 'totp',
        sealed_secret: '',
        last_step: null,
        code_hash: null,
        attempts: 0,
        confirmed_at: now,
        created_at: now,
      })
      .execute();
    const admin = await as(world, 'admin', { company: top });
    expect(byName((await admin.get('/statistics/people')).data)['Middle']).toMatchObject({
      people_count: 3,
      active_week: 1,
      active_month: 2,
      never_signed_in: 1,
      second_factor_count: 1,
      disabled_count: 1,
      invitations_count: 0,
      programs_count: 0,
    });
  });

  test('of a period list which devices were online, as a list and as a tree of companies', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const old = await makeDevice(world, { company: middle, status: 0 });
    await addReading(world, old, { age: 5 * DAY, metric: 'router_uptime' });
    await makeDevice(world, { company: bottom, status: 1 });
    const admin = await as(world, 'admin', { company: top });
    const today = byName((await admin.get('/statistics/online')).data);
    expect(today['Middle']).toMatchObject({ online: 0, offline: 1 });
    expect(today['Bottom']).toMatchObject({ online: 1, offline: 0 });
    const before = { start_date: wireDay(world, 6), end_date: wireDay(world, 4) };
    const then = byName((await admin.get('/statistics/online', before)).data);
    expect(then['Middle']).toMatchObject({ online: 1, offline: 0 });
    expect(then['Bottom'], 'who is online today was not for that online then').toMatchObject({ online: 0, offline: 1 });
    const tree = await admin.get('/statistics/devices/online', { ...before, company_id: String(middle.id) });
    expect(tree.data.query_period.start_date).toBe(`${before.start_date} 00:00:00`);
    expect(tree.data.companies).toEqual([
      {
        company_id: middle.id,
        company_name: 'Middle',
        devices: { online: 1, offline: 0 },
        sub_companies: [{ company_id: bottom.id, company_name: 'Bottom', devices: { online: 0, offline: 1 }, sub_companies: [] }],
      },
    ]);
    const alone = await admin.get('/statistics/devices/online', { company_id: String(middle.id), include_child_companies: 'false' });
    expect(alone.data.companies[0].sub_companies).toEqual([]);
    expect((await admin.get('/statistics/devices/online', { start_date: 'yesterday' })).status).toBe(400);
  });

  test('of days count different devices once a day, of the asked companies and below', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, sibling } = await makeTree(world);
    const device = await makeDevice(world, { company: bottom });
    await makeOld(world);
    await addReading(world, device, { age: 0, metric: 'router_uptime' });
    await addReading(world, device, { age: 1, metric: 'router_uptime' });
    await addReading(world, await makeDevice(world, { company: sibling }), { age: 2, metric: 'router_uptime' });
    await addReading(world, device, { age: 3 * DAY, metric: 'router_uptime' });
    const admin = await as(world, 'admin', { company: top });
    const { data, meta } = await admin.get('/statistics/days', { limit: '50' });
    expect(meta['total']).toBe(30);
    expect(data[0]).toMatchObject({ day: wireDay(world), devices_reporting: 2, connections: 0, devices_joined: 0 });
    expect(data[3]).toMatchObject({ day: wireDay(world, 3), devices_reporting: 1 });
    const below = await admin.get('/statistics/days', { company_id: String(middle.id) });
    expect(below.data[0]).toMatchObject({ devices_reporting: 1 });
  });

  test('of months count what came and was used, credits for those who see credits', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const admin = await as(world, 'admin', { company: top });
    await root.post('/credits', paid(top.id, 10));
    await root.post('/credits/move', move(top.id, middle.id, 4));
    await root.post('/companies/data', { company_id: middle.id, credits: '3' });
    await root.post('/credits', paid(foreign.id, 5));
    await root.post('/companies/data', { company_id: foreign.id, credits: '5' });
    const [month] = (await admin.get('/statistics/months')).data;
    expect(month).toMatchObject({ month: wireDay(world).slice(0, 7), credits_used: 3, new_companies: 4, new_people: 2, changes: 3 });
    expect((await root.get('/statistics/months')).data[0]).toMatchObject({ credits_used: 8 });
    const role = await makeRole(world, { permissions: ['view_statistics'], company: top });
    const viewer = await as(world, role, { company: top });
    expect((await viewer.get('/statistics/months')).data[0]).not.toHaveProperty('credits_used');
    expect((await viewer.get('/statistics/months/export/csv', { fields: 'credits_used' })).status).toBe(400);
  });

  test('of months sum up the data that devices used, as far back as every day is kept, for those who see devices', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, foreign } = await makeTree(world);
    await makeOld(world);
    const today = world.clock.now() - (world.clock.now() % DAY);
    const day = { day: today, sent: 100, received: 1000 };
    await world.ctx.db
      .insertInto('company_traffic')
      .values([
        { ...day, company_id: middle.id },
        { ...day, company_id: bottom.id, sent: 1 },
        { ...day, company_id: foreign.id, sent: 50_000 },
        { ...day, company_id: middle.id, day: today - 62 * DAY, sent: 7, received: 0 },
      ])
      .execute();
    const admin = await as(world, 'admin', { company: top });
    const months = (await admin.get('/statistics/months', { limit: '24' })).data as { data_used: number | null }[];
    expect(months[0]?.data_used).toBe(2101);
    expect(months.slice(1, 4).reduce((sum, month) => sum + (month.data_used ?? 0), 0)).toBe(7);
    expect([months[12]?.data_used, months[14]?.data_used, months[23]?.data_used]).toEqual([0, null, null]);
    const below = await admin.get('/statistics/months', { company_id: String(bottom.id) });
    expect(below.data[0].data_used).toBe(1001);
    const viewer = await as(world, await makeRole(world, { permissions: ['view_statistics'], company: top }), { company: top });
    expect((await viewer.get('/statistics/months')).data[0]).not.toHaveProperty('data_used');
    expect((await viewer.get('/statistics/months', { sort: 'data_used' })).status).toBe(400);
  });

  test('of months count each device that was heard of once, and say nothing of months before the first [AC2]', async () => {
    const channel = recordingChannel();
    await using world = await makeWorld({ parts: { devices: async () => channel } });
    const { top, middle, bottom, foreign } = await makeTree(world);
    await makeOld(world);
    const devices = await Promise.all([middle, bottom, bottom, foreign].map((company) => makeDevice(world, { company })));
    const report = async (which: readonly number[]): Promise<void> => {
      const events = which.flatMap((index) => {
        const deviceKey = devices[index]?.device_key ?? '';
        return [{ kind: 'message' as const, message: { deviceKey, topic: 'status' as const, payload: { tx_bytes: 1 } } }];
      });
      await channel.handlers?.deliver(events);
    };
    const admin = await as(world, 'admin', { company: top });
    const active = async (caller: Caller, query: Record<string, number> = {}): Promise<(number | null)[]> =>
      (await caller.get('/statistics/months', { limit: 3, ...query })).data.map(
        (month: { devices_active: number | null }) => month.devices_active,
      );
    await report([0, 0, 1, 3]);
    await report([0, 1]);
    expect(await active(admin)).toEqual([2, null, null]);
    await world.clock.jump(31 * DAY);
    const later = await as(world, 'admin', { company: top });
    await report([0, 1, 2]);
    await report([2]);
    expect(await active(later)).toEqual([3, 2, null]);
    expect(await active(later, { company_id: bottom.id })).toEqual([2, 1, null]);
    const viewer = await as(world, await makeRole(world, { permissions: ['view_statistics'], company: top }), { company: top });
    expect((await viewer.get('/statistics/months')).data[0]).not.toHaveProperty('devices_active');
  });

  test('of days and months begin with the first company, or with the first figure where that is older', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const namesOf = async (path: string, name: string, query = {}) =>
      (await admin.get(path, { limit: '50', ...query })).data.map((row: Record<string, unknown>) => row[name]);
    expect(await namesOf('/statistics/days', 'day')).toEqual([wireDay(world)]);
    expect(await namesOf('/statistics/months', 'month')).toEqual([wireDay(world).slice(0, 7)]);
    const device = await makeDevice(world, { company: middle });
    await addReading(world, device, { age: 3 * DAY, metric: 'router_uptime' });
    expect(await namesOf('/statistics/days', 'day')).toEqual([0, 1, 2, 3].map((age) => wireDay(world, age)));
    expect(await namesOf('/statistics/days', 'day', { company_id: String(middle.id) })).toHaveLength(4);
    await makeOld(world);
    expect(await namesOf('/statistics/months', 'month')).toHaveLength(24);
  });

  test('logs name connections and actions, by device, day and company', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const device = await makeDevice(world, { company: middle, name: 'gate' });
    const elsewhere = await makeDevice(world, { company: foreign });
    const at = world.clock.now();
    const event = { at, type: 'refused', level: 'warning', message: '', params: null, ip: '192.0.2.1' } as const;
    await world.ctx.db
      .insertInto('device_events')
      .values([
        { ...event, device_id: device.id, company_id: middle.id, code: 0 },
        { ...event, device_id: device.id, company_id: middle.id, code: null, type: 'connected' },
        { ...event, device_id: device.id, company_id: middle.id, code: null, type: 'log' },
        { ...event, device_id: elsewhere.id, company_id: foreign.id, code: 0 },
      ])
      .execute();
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.get('/statistics/connections')).meta['total']).toBe(2);
    expect((await admin.get('/statistics/connections', { code: '0' })).data).toMatchObject([
      { device_name: 'gate', type: 'refused', code: 0, ip: '192.0.2.1', company_name: 'Middle' },
    ]);
    expect((await admin.get('/statistics/connections', { end_date: wireDay(world, 1) })).data).toEqual([]);
    await admin.post('/devices/actions', { action: 'reboot', device_id: [device.id] });
    expect((await admin.get('/statistics/actions', { device_id: String(device.id) })).data).toMatchObject([
      { kind: 'reboot', device_name: 'gate', user_name: admin.user.username, company_name: 'Middle' },
    ]);
    expect((await (await as(world, 'admin', { company: foreign })).get('/statistics/actions')).data, 'AC2').toEqual([]);
  });

  test('are for those who hold the right', async () => {
    await using world = await makeWorld();
    const guest = await as(world, 'read_only', {});
    expect((await guest.get('/statistics/companies')).status).toBe(403);
    expect((await guest.get('/statistics/devices/online')).status).toBe(403);
    expect((await guest.get('/statistics/connections')).status).toBe(200);
  });
});
