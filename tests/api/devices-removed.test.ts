import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../server/kernel/clock.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeDevice, makeEnrolmentCode, makeTag, makeTree } from '../helpers/factories.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function remove(world: World, caller: Caller, ...devices: { id: number }[]): Promise<void> {
  await caller.delete('/devices', { device_id: devices.map(({ id }) => id) });
  await world.ctx.jobs.settled();
}

const idsOf = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);

describe('removed devices', () => {
  test('are in no list, count, search, statistic or job, for system administrators too [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const tag = await makeTag(world, { company: top });
    const device = await makeDevice(world, { company: middle, tags: [tag], name: 'Quay 4', status: 1 });
    const kept = await makeDevice(world, { company: middle });
    const admin = await as(world, 'admin', { company: top });
    const root = await as(world, 'super_admin', { company: foreign });
    await remove(world, admin, device);
    const never = await admin.get('/devices/987654321');
    for (const caller of [admin, root]) {
      expect(await caller.get('/devices')).toMatchObject({ data: [{ id: kept.id }], meta: { total: 1 } });
      expect(await caller.get('/devices', { q: 'Quay' })).toMatchObject({ data: [], meta: { total: 0 } });
      expect(await caller.get('/devices', { id: device.id })).toMatchObject({ data: [] });
      for (const path of ['', '/logs', '/details']) expect((await caller.get(`/devices/${device.id}${path}`)).status, path).toBe(404);
      expect((await caller.get(`/devices/${device.id}`)).text).toBe(never.text);
      expect(JSON.stringify((await caller.get('/companies')).data)).not.toContain('bin');
      const { data } = await caller.get('/companies');
      expect(data.find((row: { id: number }) => row.id === middle.id)).toMatchObject({ devices_count: 1 });
      expect(data.filter((row: { name: string }) => row.name === '')).toEqual([]);
      expect((await caller.post('/devices/actions/reboot', { device_id: [device.id] })).status).not.toBe(200);
    }
    const [tagRow] = (await admin.get('/tags')).data;
    expect(JSON.stringify(tagRow)).not.toMatch(/"devices?_count":[1-9]/);
  });

  test('can not connect, and what they send is not heard', async () => {
    const channel = recordingChannel();
    await using world = await makeWorld({ parts: { devices: async () => channel } });
    const { top } = await makeTree(world);
    const { code } = await makeEnrolmentCode(world, { company: top });
    const joined = await send(world, 'POST', '/enrol', { body: { code, serial: 'S-1', mac: '02:00:00:00:00:01', model: 'M' } });
    const { device_key: key, password } = joined.data;
    const admin = await as(world, 'admin', { company: top });
    const [device] = (await admin.get('/devices')).data;
    expect(await channel.handlers?.verify(key, password)).toBe(true);
    await remove(world, admin, device);
    expect(await channel.handlers?.verify(key, password)).toBe(false);
    expect(channel.suspended).toEqual([key]);
    expect(channel.commands).toEqual([]);
    expect((await admin.post(`/devices/${device.id}/restore`, {})).status).toBe(200);
    expect(await channel.handlers?.verify(key, password)).toBe(true);
    expect(channel.suspended).toEqual([]);
  });

  test('are listed to those above with who removed them and until when they are kept', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const device = await makeDevice(world, { company: middle });
    const admin = await as(world, 'admin', { company: top });
    await remove(world, admin, device);
    const { data, meta } = await admin.get('/devices/removed');
    expect(meta['total']).toBe(1);
    expect(data[0]).toMatchObject({ id: device.id, serial: device.serial, company_id: middle.id, user_name: admin.user.username });
    expect(data[0].is_restorable).toBe(true);
    expect(Date.parse(`${data[0].purge_at}Z`) - Date.parse(`${data[0].removed_at}Z`)).toBe(30 * DAY);
    expect((await admin.get('/devices/removed', { q: device.serial })).data).toHaveLength(1);
    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.get('/devices/removed')).data).toEqual([]);
    expect((await stranger.post(`/devices/${device.id}/restore`, {})).status).toBe(404);
    expect((await stranger.delete(`/devices/removed/${device.id}`)).status).toBe(404);
    expect((await (await as(world, 'readonly_admin', { company: top })).get('/devices/removed')).status).toBe(403);
  });

  test('come back with tags, notes and telemetry, and the history says so', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const [tag, gone] = [await makeTag(world, { company: top }), await makeTag(world, { company: top })];
    const device = await makeDevice(world, { company: middle, tags: [tag, gone] });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.post('/devices/notes', { device_id: device.id, text: 'Behind the door' })).status).toBeLessThan(300);
    await world.ctx.db
      .insertInto('device_samples')
      .values({ device_id: device.id, metric: 'temperature', at: world.clock.now(), value: 41 })
      .execute();
    await remove(world, admin, device);
    await admin.delete('/tags', { id: [gone.id] });
    await world.ctx.db.deleteFrom('tags').where('id', '=', gone.id).execute();
    expect((await admin.post(`/devices/${device.id}/restore`, {})).data).toMatchObject({ id: device.id });
    const { data } = await admin.get(`/devices/${device.id}`);
    expect(data).toMatchObject({ company_id: middle.id, serial: device.serial });
    expect(idsOf(data.tags)).toEqual([tag.id]);
    expect((await admin.get('/devices/notes', { device_id: device.id })).data).toMatchObject([{ text: 'Behind the door' }]);
    expect(await world.ctx.db.selectFrom('device_samples').selectAll().execute()).toHaveLength(1);
    expect((await admin.get('/history')).data.map((row: { action: string }) => row.action)).toContain('devices.restore');
    expect((await admin.get('/devices/removed')).data).toEqual([]);
    expect((await admin.post(`/devices/${device.id}/restore`, {})).status).toBe(404);
  });

  test('several are restored, each for itself; of the others it says why not', async () => {
    await using world = await makeWorld();
    const { top, foreign } = await makeTree(world);
    const [one, two, again] = [
      await makeDevice(world, { company: top }),
      await makeDevice(world, { company: top }),
      await makeDevice(world, { company: top }),
    ];
    const theirs = await makeDevice(world, { company: foreign });
    const admin = await as(world, 'admin', { company: top });
    for (const device of [one, two, again]) await remove(world, admin, device);
    await remove(world, await as(world, 'admin', { company: foreign }), theirs);
    await makeDevice(world, { company: top, serial: again.serial });
    const restored = await admin.post('/devices/restore', { device_id: [one.id, again.id, theirs.id, two.id] });
    expect([restored.status, restored.data]).toEqual([207, [{ id: one.id }, { id: two.id }]]);
    expect(restored.errors.map(({ code, source }) => [code, source])).toEqual([
      ['DEVICE_JOINED_AGAIN', 'device_id.1'],
      ['NOT_FOUND', 'device_id.2'],
    ]);
    expect(idsOf((await admin.get('/devices/removed')).data)).toEqual([again.id]);
  });

  test('are restored by undoing their removal', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const device = await makeDevice(world, { company: top });
    const admin = await as(world, 'admin', { company: top });
    await remove(world, admin, device);
    const { data } = await admin.get('/history');
    const removal = data.find((row: { action: string; entity: string }) => row.action === 'devices.remove' && row.entity === 'device');
    expect((await admin.post(`/history/${removal.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/devices/${device.id}`)).status).toBe(200);
  });

  test('can not be restored once their serial number has joined again', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const device = await makeDevice(world, { company: top, serial: 'S-7' });
    const admin = await as(world, 'admin', { company: top });
    await remove(world, admin, device);
    const { code } = await makeEnrolmentCode(world, { company: top });
    expect(
      (await send(world, 'POST', '/enrol', { body: { code, serial: 'S-7', mac: '02:00:00:00:00:07', model: 'M' } })).status,
    ).toBeLessThan(300);
    expect((await admin.get('/devices')).data).toMatchObject([{ serial: 'S-7', quarantine: null }]);
    expect((await admin.get('/devices/removed')).data).toMatchObject([{ id: device.id, is_restorable: false }]);
    expect((await admin.post(`/devices/${device.id}/restore`, {})).codes).toEqual(['DEVICE_JOINED_AGAIN']);
  });

  test('are deleted for good by hand, after 30 days, and with their company', async () => {
    const channel = recordingChannel();
    await using world = await makeWorld({ parts: { devices: async () => channel } });
    const { top, middle } = await makeTree(world);
    const [byHand, byTime, byCompany] = [
      await makeDevice(world, { company: top }),
      await makeDevice(world, { company: top }),
      await makeDevice(world, { company: middle }),
    ];
    const admin = await as(world, 'admin', { company: top });
    await remove(world, admin, byHand, byCompany);
    expect((await admin.delete(`/devices/removed/${byHand.id}`)).status).toBe(200);
    const rows = async (): Promise<number[]> => idsOf(await world.ctx.db.selectFrom('devices').select('id').orderBy('id').execute());
    expect(await rows()).toEqual([byTime.id, byCompany.id]);
    await admin.delete(`/companies/${middle.id}`);
    expect((await admin.get('/devices/removed')).data).toEqual([]);
    await world.clock.jump(2 * HOUR);
    await remove(world, await as(world, 'admin', { company: top }), byTime);
    await world.clock.jump(30 * DAY - HOUR);
    expect(await rows()).toEqual([byTime.id]);
    await world.clock.jump(2 * HOUR);
    expect(await rows()).toEqual([]);
    expect(await world.ctx.db.selectFrom('removed_devices').selectAll().execute()).toEqual([]);
    expect(channel.expelled).toContain(byTime.device_key);
  });
});
