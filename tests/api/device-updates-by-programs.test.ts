import { beforeAll, describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { startJob, statesOf } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

async function give(name: string, type = 'firmware'): Promise<number> {
  const { meta } = await upload(world, admin, company, `content of ${name}`, name, type);
  return Number(meta['id']);
}
const router = (more: object = {}) => makeDevice(world, { company, model: 'RUTX50', firmware: 'RUTX_R_00.07.10', ...more });

describe('updates as programs set them', () => {
  test('each device gets its own file on one channel; pending ones are listed and can be cancelled before they are sent', async () => {
    const [online, offline, skipped] = [await router(), await router({ status: 0 }), await router({ status: 0 })];
    const [image, config] = [await give('RUTX_R_00.07.16_WEBUI.bin'), await give('b.cfg', 'config')];
    const data = [
      { id: online.id, action: 'update_firmware', file_id: image, offline: false, keep_settings: false },
      { id: offline.id, action: 'upload_backup', file_id: config, offline: true },
      { id: skipped.id, action: 'upload_backup', file_id: config, offline: false },
    ];
    const { meta } = await startJob(world, admin, '/devices/updates/set', { data });
    expect(meta).toMatchObject({ channel: expect.stringMatching(/^jobs\.\d+$/), count: 3 });
    const command = world.commands.find((sent) => sent.deviceKey === online.device_key);
    expect(command?.command.body.split('\n')).toEqual(expect.arrayContaining(['keep=0', 'version=00.07.16']));
    expect(await statesOf(admin, meta['job_id'])).toEqual(['sent', 'queued', 'skipped']);
    const pending = await admin.get('/devices/updates/pending', { device_id: `${online.id},${offline.id}` });
    expect(pending.data).toMatchObject([
      { job_type: 103, name: online.name, serial: online.serial, device_id: online.id, state: 'sent' },
      { device_id: offline.id, state: 'queued' },
    ]);
    const ids: number[] = pending.data.map(({ id }: { id: number }) => id);
    const other = await as(world, 'admin', { company: await makeCompany(world) });
    const order = {
      data: [
        { id: online.id, job_id: [ids[0]] },
        { id: offline.id, job_id: [ids[1]] },
      ],
    };
    expect(await other.post('/devices/updates/cancel', order)).toMatchObject({ status: 207, data: [] });
    expect(await admin.post('/devices/updates/cancel', { data: [{ id: online.id, job_id: [ids[1]] }] })).toMatchObject({
      status: 207,
      data: [],
    });
    expect(await admin.post('/devices/updates/cancel', order)).toMatchObject({
      status: 207,
      data: [offline.id],
      errors: [{ code: 'NOT_WAITING', source: 'data.0.job_id' }],
    });
    expect(await statesOf(admin, meta['job_id'])).toEqual(['sent', 'cancelled', 'skipped']);
    expect((await admin.get('/devices/updates/pending', { device_id: `${online.id},${offline.id}` })).meta.total).toBe(1);
  });

  test('a list that names a device twice, or says nothing of the settings, is refused at its place', async () => {
    const device = await router();
    const file_id = await give('RUTX_R_00.07.17_WEBUI.bin');
    const item = { id: device.id, action: 'update_firmware', file_id, offline: false };
    expect((await admin.post('/devices/updates/set', { data: [item] })).errors).toMatchObject([{ source: 'data.0.keep_settings' }]);
    const kept = { ...item, keep_settings: true };
    expect((await admin.post('/devices/updates/set', { data: [kept, kept] })).errors).toMatchObject([{ source: 'data.1.id' }]);
    expect((await admin.post('/devices/updates/set', { data: [{ ...kept, file_id: 999_999 }] })).errors).toMatchObject([
      { code: 'NOT_FOUND', source: 'data.0.file_id' },
    ]);
  });

  test('what waits of a job is cancelled for some devices, and answers its channel', async () => {
    const devices = [await router({ status: 0 }), await router({ status: 0 })];
    const { meta } = await startJob(world, admin, '/devices/actions', {
      action: 'reboot',
      wait_seconds: 3600,
      device_id: devices.map(({ id }) => id),
    });
    const other = await as(world, 'admin', { company: await makeCompany(world) });
    const order = { device_id: [devices[0]?.id], job_id: [meta['job_id']] };
    expect((await other.post('/devices/actions/cancel', order)).status).toBe(404);
    expect(await admin.post('/devices/actions/cancel', order)).toMatchObject({ status: 200, meta: { channel: meta['channel'], count: 1 } });
    expect(await statesOf(admin, meta['job_id'])).toEqual(['cancelled', 'queued']);
  });
});
