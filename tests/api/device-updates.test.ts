import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../server/kernel/clock.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeRole } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { answer, startJob, statesOf } from '../helpers/jobs.ts';
import { filePart, multipartBody, multipartHeaders, sendParts } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let root: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  root = await as(world, 'super_admin');
  return () => world[Symbol.asyncDispose]();
});

type Place = { company?: typeof company; caller?: Caller; type?: string };

async function give(name: string, { company: owner = company, caller = admin, type = 'firmware' }: Place = {}): Promise<number> {
  const { meta } = await upload(world, caller, owner, `content of ${name}`, name, type);
  return Number(meta['id']);
}

async function giveGlobal(name: string): Promise<number> {
  return (await sendParts(world, root, '/files/global/firmware', [filePart(`global ${name}`, name)])).data.id;
}

const router = (more: object = {}) => makeDevice(world, { company, model: 'RUTX50', firmware: 'RUTX_R_00.07.10', ...more });
const commandsOf = (device: { device_key: string }) =>
  world.commands.filter((sent) => sent.deviceKey === device.device_key).map(({ command }) => command);
const verbsOf = (device: { device_key: string }) => commandsOf(device).map(({ verb }) => verb);
const fields = (body: string) =>
  Object.fromEntries(
    body
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s)),
  );
const signed = (device: { device_key: string }) => ({
  authorization: `Basic ${Buffer.from(`${device.device_key}:secret`).toString('base64')}`,
});
const firmware = (more: object) => ({ source: 'file', keep_settings: true, back_within: 15, ...more });

describe('firmware', () => {
  test('is flashed, checked and kept: with size and checksum, against the signal of before [DV4]', async () => {
    const device = await router({ signal: -71 });
    const file_id = await give('RUTX_R_00.07.14.2_WEBUI.bin');
    const started = await startJob(
      world,
      admin,
      '/devices/updates/firmware',
      firmware({ file_id, check_wan: true, signal_drop: 10, check_command: 'true', device_id: [device.id] }),
    );
    expect(started.meta).toMatchObject({ count: 1, channel: expect.stringMatching(/^jobs\.\d+$/) });
    const [flash] = commandsOf(device);
    const content = 'content of RUTX_R_00.07.14.2_WEBUI.bin';
    expect(flash).toMatchObject({ verb: 'firmware' });
    expect(fields(flash?.body ?? '')).toEqual({
      size: String(content.length),
      sha256: createHash('sha256').update(content).digest('hex'),
      keep: '1',
      version: '00.07.14.2',
      confirm_seconds: '900',
    });
    const got = await world.app.fastify.inject({ url: `/api/device-files/${flash?.id}`, headers: signed(device) });
    expect(got.body).toBe(content);
    await answer(world, device, { message: 'Runs RUTX_R_00.07.14.2' });
    expect(fields(commandsOf(device).at(-1)?.body ?? '')).toEqual({ wan: '1', signal_min: '-81', command: 'true', within: '300' });
    await answer(world, device, {});
    expect(commandsOf(device).at(-1)).toMatchObject({ verb: 'confirm', body: 'required=1\n' });
    await answer(world, device, {});
    expect(await statesOf(admin, started.meta['job_id'])).toEqual(['ok']);
    expect(verbsOf(device)).toEqual(['firmware', 'check', 'confirm']);
    const late = await world.app.fastify.inject({ url: `/api/device-files/${flash?.id}`, headers: signed(device) });
    expect(late.statusCode).toBe(404);
  });

  test('is rolled back when a check fails or the device does not come back in time', async () => {
    const [failing, silent] = [await router(), await router()];
    const file_id = await give('RUTX_R_00.07.15_WEBUI.bin');
    const started = await startJob(
      world,
      admin,
      '/devices/updates/firmware',
      firmware({ file_id, check_wan: true, device_id: [failing.id, silent.id] }),
    );
    await answer(world, failing, {});
    await answer(world, failing, { state: 'failed', code: 1, message: 'no way to the internet' });
    await answer(world, failing, { message: 'Rolled back' });
    expect(verbsOf(failing)).toEqual(['firmware', 'check', 'rollback']);
    await world.clock.advance(46 * MINUTE);
    await world.ctx.jobs.settled();
    admin = await as(world, 'admin', { company });
    root = await as(world, 'super_admin');
    expect([...new Set(verbsOf(silent))]).toEqual(['firmware', 'rollback']);
    await answer(world, silent, {});
    const { data } = await admin.get(`/jobs/${started.meta['job_id']}/targets`);
    expect(data.map(({ state, message }: { state: string; message: string }) => [state, message])).toEqual([
      ['failed', 'no way to the internet'],
      ['timed-out', null],
    ]);
  });

  test('a dry run groups by model and version, refuses wrong models, downgrades and the same version, and says what goes over mobile data [B2]', async () => {
    const file_id = await give('RUTX_R_00.07.12_WEBUI.bin');
    const devices = [
      await router({ wan_state: 'Mobile', name: 'one' }),
      await router({ wan_state: 'Wired' }),
      await router({ firmware: 'RUTX_R_00.07.14' }),
      await router({ firmware: 'RUTX_R_00.07.12' }),
      await router({ model: 'RUT956', firmware: 'RUT9M_R_00.07.10' }),
    ];
    const body = firmware({ file_id, dry_run: true, device_id: devices.map(({ id }) => id) });
    const { data } = await admin.post('/devices/updates/firmware', body);
    const reasons = (preview: typeof data) =>
      Object.fromEntries(preview.skipped.map(({ reason, count }: { reason: string; count: number }) => [reason, count]));
    expect(data).toMatchObject({ total: 5, will_run: 2 });
    expect(reasons(data)).toEqual({ DOWNGRADE: 1, UP_TO_DATE: 1, WRONG_MODEL: 1 });
    expect(data.groups).toEqual([
      { group: { model: 'RUTX50', firmware: 'RUTX_R_00.07.10', file: 'RUTX_R_00.07.12_WEBUI.bin', version: '00.07.12' }, count: 2 },
    ]);
    expect(data.warnings).toEqual([{ code: 'MOBILE_DATA', params: { count: 1, megabytes: 1 } }]);
    const allowed = await admin.post('/devices/updates/firmware', { ...body, allow_downgrade: true });
    expect(reasons(allowed.data)).toEqual({ WRONG_MODEL: 1 });
  });

  test('a dry run says what goes over each SIM, and how many devices would pass their data limit of the month [B2]', async () => {
    const mobile = (slot: number, firmware = 'RUTX_R_00.07.10') => router({ wan_state: 'Mobile', sim_slot: slot, firmware });
    const [first, second, third, wired] = [await mobile(1), await mobile(2), await mobile(2), await router({ wan_state: 'Wired' })];
    const file_id = await give('RUTX_R_00.07.16_WEBUI.bin');
    const limit = (device: { id: number }, limit_bytes: number) => ({ device_id: device.id, limit_bytes, starts_on: 1 });
    await world.ctx.db
      .insertInto('device_data_limits')
      .values([limit(first, 1000), limit(second, 1000), limit(third, 10), limit(wired, 10)])
      .execute();
    const day = world.clock.now() - (world.clock.now() % DAY);
    await world.ctx.db.insertInto('device_traffic').values({ device_id: second.id, day, sim: 2, sent: 500, received: 490 }).execute();
    const asked = firmware({ file_id, device_id: [first.id, second.id, third.id, wired.id], dry_run: true });
    const { data } = await admin.post('/devices/updates/firmware', asked);
    expect(data.warnings).toEqual([
      { code: 'MOBILE_DATA', params: { count: 3, megabytes: 1 } },
      { code: 'MOBILE_DATA_SIM', params: { slot: 1, count: 1, megabytes: 1 } },
      { code: 'MOBILE_DATA_SIM', params: { slot: 2, count: 2, megabytes: 1 } },
      { code: 'OVER_DATA_LIMIT', params: { count: 2 } },
    ]);
  });

  test('the newest for each model is of the own company, of those above, or of everybody; the newest stable one is among those marked so', async () => {
    const [parent, stranger] = [await makeCompany(world), await makeCompany(world)];
    const child = await makeCompany(world, { parent });
    const [above, below, other] = [
      await as(world, 'admin', { company: parent }),
      await as(world, 'admin', { company: child }),
      await as(world, 'admin', { company: stranger }),
    ];
    const old = await give('TRB1_R_00.07.09_WEBUI.bin', { company: parent, caller: above });
    await give('TRB1_R_00.07.11_WEBUI.bin', { company: parent, caller: above });
    await give('TRB1_R_00.09.00_WEBUI.bin', { company: stranger, caller: other });
    await giveGlobal('TRB1_R_00.07.10.3_WEBUI.bin');
    expect((await above.put(`/files/${old}/stable`, { is_stable: true })).status).toBe(200);
    expect((await above.get(`/files/${old}`)).data.is_stable).toBe(true);
    const device = await makeDevice(world, { company: child, model: 'TRB140', firmware: 'TRB1_R_00.07.02' });
    const unknown = await makeDevice(world, { company: child, model: 'TSW202', firmware: 'TSW2_R_01.00' });
    const body = { keep_settings: true, back_within: 5, dry_run: true, device_id: [device.id, unknown.id] };
    const newest = (await below.post('/devices/updates/firmware', { ...body, source: 'latest' })).data;
    expect(newest.groups).toMatchObject([{ group: { version: '00.07.11' } }]);
    expect(newest.skipped).toMatchObject([{ reason: 'NO_FILE', count: 1 }]);
    const stable = (await below.post('/devices/updates/firmware', { ...body, source: 'stable' })).data;
    expect(stable.groups).toMatchObject([{ group: { version: '00.07.09' } }]);
  });

  test('is for those with the right: others neither start it, nor learn of files that they do not see', async () => {
    const device = await router();
    const stranger = await makeCompany(world);
    const other = await as(world, 'admin', { company: stranger });
    const theirs = await give('RUTX_R_00.07.20_WEBUI.bin', { company: stranger, caller: other });
    const config = await give('a.cfg', { type: 'config' });
    const body = (file_id: number) => firmware({ file_id, device_id: [device.id] });
    const refusals = [
      await admin.post('/devices/updates/firmware', body(theirs)),
      await admin.post('/devices/updates/firmware', body(999_999)),
      await admin.post('/devices/updates/firmware', body(config)),
    ];
    expect(refusals.map(({ status, errors }) => [status, errors[0]?.source])).toEqual(refusals.map(() => [404, 'file_id']));
    expect(refusals[0]?.errors).toEqual(refusals[1]?.errors);
    const client = await as(world, 'end_user', { company });
    expect((await client.post('/devices/updates/firmware', body(theirs))).status).toBe(403);
    expect((await other.post('/devices/updates/firmware', { ...body(theirs) })).status).toBe(404);
    expect(verbsOf(device)).toEqual([]);
  });

  test('a check by a command is for those who may run commands', async () => {
    const device = await router();
    const file_id = await give('RUTX_R_00.07.18_WEBUI.bin');
    const role = await makeRole(world, {
      company,
      permissions: ['view_devices', 'view_files', 'view_device_updates', 'execute_device_updates'],
    });
    const updater = await as(world, role, { company });
    const body = firmware({ file_id, dry_run: true, device_id: [device.id] });
    expect((await updater.post('/devices/updates/firmware', body)).data.will_run).toBe(1);
    expect((await updater.post('/devices/updates/firmware', { ...body, check_command: 'id' })).errors).toMatchObject([
      { code: 'UNKNOWN_FIELD', source: 'check_command' },
    ]);
  });
});

describe('settings', () => {
  test('the newest backup of each device is put back; another model’s is refused', async () => {
    const [device, bare] = [await router({ serial: 'S-77' }), await router()];
    const wanted = await startJob(world, admin, '/devices/actions', { action: 'download_backup', device_id: [device.id] });
    const [order] = commandsOf(device);
    expect(order).toMatchObject({ verb: 'send', body: 'what=backup\n' });
    const given = { body: multipartBody([filePart('the settings', '../../x')]), headers: multipartHeaders(signed(device)) };
    expect((await send(world, 'POST', `/device-files/${order?.id}`, given)).status).toBe(200);
    await answer(world, device, { message: '12 bytes' });
    expect(await statesOf(admin, wanted.meta['job_id'])).toEqual(['ok']);
    const { data: files } = await admin.get('/files', { device_id: device.id });
    expect(files).toMatchObject([
      {
        type: 'config',
        name: expect.stringMatching(/^backup-S-77-\d{4}-\d\d-\d\d-\d{4}\.tar\.gz$/),
        device_model: 'RUTX50',
        file_size: 12,
      },
    ]);
    const started = await startJob(world, admin, '/devices/updates/backup', {
      source: 'own',
      back_within: 15,
      device_id: [device.id, bare.id],
    });
    expect(await statesOf(admin, started.meta['job_id'])).toEqual(['sent', 'skipped']);
    expect(commandsOf(device).at(-1)).toMatchObject({ verb: 'restore' });
    for (const _ of ['restore', 'confirm']) await answer(world, device, {});
    expect(verbsOf(device)).toEqual(['send', 'restore', 'confirm']);
    const other = await router({ model: 'RUT956', firmware: 'RUT9M_R_00.07.10' });
    const body = { source: 'file', file_id: files[0].id, back_within: 15, dry_run: true, device_id: [other.id] };
    expect((await admin.post('/devices/updates/backup', body)).data.skipped).toMatchObject([{ reason: 'WRONG_MODEL' }]);
    expect((await admin.post('/devices/updates/backup', { ...body, allow_other_model: true })).data.will_run).toBe(1);
  });

  test('troubleshoot files and logs are asked for by the names of the public API', async () => {
    const device = await router();
    for (const action of ['download_troubleshoot', 'download_eventslog']) {
      await startJob(world, admin, '/devices/actions', { action, device_id: [device.id] });
      await answer(world, device, { state: 'failed', code: 1, message: 'no' });
    }
    expect(commandsOf(device).map(({ verb, body }) => `${verb} ${body}`)).toEqual(['send what=troubleshoot\n', 'send what=eventslog\n']);
  });
});
