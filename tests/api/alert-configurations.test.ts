import { beforeAll, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let say: Awaited<ReturnType<typeof makeReportingWorld>>['say'];

beforeAll(async () => {
  ({ world, say } = await makeReportingWorld());
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

const legacy = () => makeDevice(world, { company, status: 1, model: 'RUT955', firmware: 'RUT9_R_00.07.06.1' });
const offline = (device_id: number, more: object = {}) => ({
  ...{ device_id, alert_type_id: 1, alert_subtype_id: 1, action: 2, message: '%rn: %et: %ex', redundancy_interval: 0 },
  ...more,
});

describe('[rms 1.9] an alert of a device', () => {
  test('is set up by the documented call, raised with its texts, changed, and removed with its rule', async () => {
    const device = await legacy();
    const { status, meta } = await admin.post('/devices/alerts-configurations', { data: [offline(device.id)] });
    expect([status, typeof meta['channel']]).toEqual([201, 'string']);
    await world.ctx.jobs.settled();
    const { data: configs } = await admin.get('/alerts-configurations', { device_id: String(device.id) });
    expect(configs).toMatchObject([{ type: 'Status change', subtype: 'Online to Offline', enable: true, action: 2 }]);
    expect((await admin.get('/devices/alerts-configurations', { device_id: String(device.id) })).data).toEqual(configs);
    await say(device, 'status', { online: false });
    await world.clock.advance(3 * SECOND);
    const { data: alerts } = await admin.get('/alerts', { alerts_configs_id: String(configs[0].id) });
    expect(alerts).toMatchObject([
      {
        ...{ alert_type: 'Status change', alert_subtype: 'Online to Offline', alert_type_id: 1, alert_subtype_id: 1 },
        message: `${device.name}: Status change: Online to Offline`,
      },
    ]);
    const changed = await admin.put(`/alerts-configurations/${configs[0].id}`, { enable: false, message: 'Gone: %rn' });
    expect(changed.data).toMatchObject({ enable: false, message: 'Gone: %rn', redundancy_interval: 0 });
    expect((await admin.get(`/automations/${configs[0].automation_id}`)).data).toMatchObject({ enabled: false });
    expect((await admin.delete(`/devices/${device.id + 1}/alerts-configurations/${configs[0].id}`)).status).toBe(404);
    expect((await admin.delete(`/devices/${device.id}/alerts-configurations/${configs[0].id}`)).status).toBe(200);
    expect((await admin.get(`/automations/${configs[0].automation_id}`)).status).toBe(404);
  });

  test('is found by its type, by text or number, as what set it up is', async () => {
    const device = await legacy();
    const geofence = { alert_type_id: 5, alert_subtype_id: 13, latitude: 60, longitude: 5, radius: 100 };
    await admin.post('/devices/alerts-configurations', { data: [offline(device.id), offline(device.id, geofence)] });
    await world.ctx.jobs.settled();
    await say(device, 'status', { online: false });
    await world.clock.advance(3 * SECOND);
    const found = async (path: string, type: string) =>
      (await admin.get(path, { device_id: String(device.id), type })).data.map((one: Record<string, unknown>) => one['alert_subtype_id']);
    expect(await found('/alerts-configurations', 'Status change')).toEqual([1]);
    expect(await found('/alerts-configurations', '5')).toEqual([13]);
    expect(await found('/alerts', '1')).toEqual([1]);
    for (const type of ['automation', 'GPS geofence', 'nothing of the kind']) expect(await found('/alerts', type)).toEqual([]);
  });

  test('of mobile data is raised when the SIM has used so much in the month', async () => {
    const device = await legacy();
    const wish = { alert_type_id: 4, alert_subtype_id: 15, data_limit: 100, sim: 1, period: 'month', starts: 1, phone: '+47 1' };
    await admin.post('/devices/alerts-configurations', { data: [offline(device.id, wish)] });
    await world.ctx.jobs.settled();
    const day = world.clock.now() - (world.clock.now() % (24 * 60 * MINUTE));
    const use = (sim: number, received: number) =>
      world.ctx.db.insertInto('device_traffic').values({ device_id: device.id, day, sim, sent: 0, received }).execute();
    await use(2, 500 * 1024 * 1024);
    await say(device, 'status', { uptime: 60, signal: -80 });
    await world.clock.advance(3 * SECOND);
    const alerts = async () => (await admin.get('/alerts', { device_id: String(device.id) })).data;
    expect(await alerts()).toEqual([]);
    await use(1, 101 * 1024 * 1024);
    await say(device, 'status', { uptime: 61, signal: -80 });
    await world.clock.advance(3 * SECOND);
    expect(await alerts()).toMatchObject([{ alert_subtype: 'Mobile data limit reached' }]);
  });

  test('is for firmware below 07.13 alone: the documented call says which device is not, a selection leaves it out', async () => {
    const [old, fresh] = [await legacy(), await makeDevice(world, { company, status: 1, model: 'RUT955', firmware: 'RUT9_R_00.07.14.2' })];
    const { errors } = await admin.post('/devices/alerts-configurations', { data: [offline(old.id), offline(fresh.id)] });
    expect(errors).toMatchObject([{ source: 'data.1.device_id' }]);
    const { status } = await admin.post('/devices/new-alert', { device_id: [old.id, fresh.id], alert_subtype_id: 5, action: 2 });
    expect(status).toBe(200);
    await world.ctx.jobs.settled();
    const { data } = await admin.get('/alerts-configurations', { alert_subtype_id: '5' });
    expect(data.map(({ device_id }: { device_id: number }) => device_id)).toEqual([old.id]);
  });

  test.each([
    ['a kind that there is none of', { alert_subtype_id: 10 }, 'data.0.alert_subtype_id'],
    ['a type that the kind is not of', { alert_type_id: 2 }, 'data.0.alert_type_id'],
    ['a data limit without a limit', { alert_type_id: 4, alert_subtype_id: 15, sim: 1, period: 'day' }, 'data.0.data_limit'],
    ['an area without a radius', { alert_type_id: 5, alert_subtype_id: 13, latitude: 1, longitude: 1 }, 'data.0.radius'],
  ])('is refused for %s', async (_title, more, source) => {
    const device = await legacy();
    const { errors } = await admin.post('/devices/alerts-configurations', { data: [offline(device.id, more)] });
    expect(errors).toMatchObject([{ source }]);
  });

  test('of another company is not found', async () => {
    const device = await legacy();
    await admin.post('/devices/alerts-configurations', { data: [offline(device.id)] });
    await world.ctx.jobs.settled();
    const { data } = await admin.get('/alerts-configurations', { device_id: String(device.id) });
    const stranger = await as(world, 'admin', { company: await makeCompany(world) });
    expect((await stranger.get('/alerts-configurations')).data).toEqual([]);
    expect((await stranger.put(`/alerts-configurations/${data[0].id}`, { enable: false })).status).toBe(404);
    expect((await stranger.post('/devices/alerts-configurations', { data: [offline(device.id)] })).status).toBe(404);
  });
});
