import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expireLists, LIST_DAYS } from '../../server/features/device-passwords/lists.ts';
import { forgetPasswords, runDuePlans } from '../../server/features/device-passwords/run-due.ts';
import { DAY, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { answer, startJob, statesOf } from '../helpers/jobs.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { codeOf, proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
type Device = Awaited<ReturnType<typeof makeDevice>>;

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

const RUTOS = { model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' };

const generate = (devices: Device[], more: object = {}) => ({
  device_id: devices.map(({ id }) => id),
  mode: 'generate',
  username: 'root',
  length: 12,
  use_special: false,
  keep: 'list',
  ...more,
});
const set = (devices: Device[], password: string, more: object = {}) => ({
  device_id: devices.map(({ id }) => id),
  mode: 'set',
  username: 'root',
  password,
  password_confirmation: password,
  ...more,
});
const inVault = { keep: 'vault' };

async function makeDevices(count: number, more: object = RUTOS): Promise<Device[]> {
  const devices = [];
  for (let index = 0; index < count; index += 1) devices.push(await makeDevice(world, { company, ...more }));
  return devices;
}

/** The password that a device was given last. */
function givenTo(device: Device): string {
  const command = world.commands.findLast((sent) => sent.deviceKey === device.device_key)?.command;
  expect(command?.verb).toBe('password');
  return /^user=root\npassword=(.*)\n$/.exec(command?.body ?? '')?.[1] ?? '';
}

async function start(body: object): Promise<number> {
  const started = await startJob(world, admin, '/devices/passwords', body);
  expect(started.status).toBe(200);
  return Number(started.meta['job_id']);
}

/** Everything that the database holds, as text. */
async function dump(): Promise<string> {
  const tables = [
    'jobs',
    'job_targets',
    'audit',
    'password_lists',
    'password_list_items',
    'device_passwords',
    'device_password_values',
  ] as const;
  const rows = await Promise.all(tables.map((table) => world.ctx.db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows);
}

const lookInto = async (device: Device, reason = 'Somebody is on site') => {
  const { data } = await admin.get('/devices/passwords', { device_id: device.id });
  return admin.post(`/devices/passwords/${data[0]?.id}/show`, { reason });
};

test('each device gets a password of its own that fits its firmware, downloaded once by who asked for it, and readable nowhere else', async () => {
  const devices = [...(await makeDevices(2)), ...(await makeDevices(1, { model: 'Pi', firmware: 'Debian 12' }))];
  const [first, second, third] = devices as [Device, Device, Device];
  const job = await start(generate(devices));
  const passwords = devices.map(givenTo);
  expect(new Set(passwords).size).toBe(3);
  expect(passwords.map((password) => password.length)).toEqual([12, 12, 12]);
  expect(passwords[0]).toMatch(/^[A-Za-z](?=.*[^A-Za-z0-9])/);
  expect(passwords[2]).toMatch(/^[A-Za-z0-9]+$/);
  expect((await admin.post(`/tasks/${job}/download/passwords`)).errors).toMatchObject([{ code: 'PASSWORDS_NOT_READY' }]);
  await answer(world, first, { message: 'The new password of root works' });
  await answer(world, second, { state: 'failed', code: 1, message: 'The former password of root is in force' });
  await answer(world, third, {});
  expect(await statesOf(admin, job)).toEqual(['ok', 'failed', 'ok']);
  const { data: lists } = await admin.get('/devices/passwords/generated/tasks');
  expect(lists).toMatchObject([{ id: job, state: 'ready', completed: 3, total: 3, is_mine: true, deleted_at: null }]);
  const colleague = await as(world, 'admin', { company });
  expect((await colleague.post(`/tasks/${job}/download/passwords`)).status).toBe(403);
  expect((await (await as(world, 'admin')).post(`/tasks/${job}/download/passwords`)).status).toBe(404);
  const stored = await dump();
  const shown =
    (await admin.get(`/jobs/${job}`)).text + (await admin.get(`/jobs/${job}/targets`)).text + (await admin.get('/history')).text;
  const file = await admin.post(`/tasks/${job}/download/passwords`);
  expect(file.status).toBe(200);
  expect(file.headers['cache-control']).toContain('no-store');
  const lines = file.text.trim().split('\r\n');
  expect(lines[0]).toBe('id,name,serial,mac,username,password,result');
  for (const [index, password] of passwords.entries()) {
    expect(lines.find((line) => line.startsWith(`${devices[index]?.id},`))).toContain(password);
    expect(stored).not.toContain(password);
    expect(shown).not.toContain(password);
  }
  expect(lines[2]).toMatch(/,failed$/);
  const again = await admin.post(`/tasks/${job}/download/passwords`);
  expect(again.status).toBe(410);
  expect(again.errors).toMatchObject([{ code: 'PASSWORDS_DOWNLOADED', message: expect.stringContaining('only once') }]);
  expect(await world.ctx.db.selectFrom('password_list_items').selectAll().where('job_id', '=', job).execute()).toEqual([]);
  expect((await admin.get('/devices/passwords/generated/tasks')).data).toMatchObject([{ state: 'downloaded' }]);
  expect((await admin.get(`/tasks/${job}/devices`)).data).toMatchObject([
    { id: first.id, status: 'ok' },
    { status: 'failed' },
    { status: 'ok' },
  ]);
});

test('a list that nobody downloads is deleted after some days', async () => {
  const [device] = (await makeDevices(1)) as [Device];
  const job = await start(generate([device]));
  await answer(world, device, {});
  await world.clock.jump(LIST_DAYS * DAY + MINUTE);
  await expireLists(world.ctx);
  admin = await as(world, 'admin', { company });
  expect((await admin.get('/devices/passwords/generated/tasks')).data).toMatchObject([{ id: job, state: 'expired', is_mine: false }]);
  expect(await world.ctx.db.selectFrom('password_list_items').selectAll().where('job_id', '=', job).execute()).toEqual([]);
});

test('the vault shows one password at a time with a reason, and lists every view', async () => {
  const [device] = (await makeDevices(1)) as [Device];
  await start(generate([device], inVault));
  await answer(world, device, {});
  expect((await lookInto(device, '')).errors).toMatchObject([{ source: 'reason' }]);
  expect((await admin.get('/devices/passwords/looks')).meta['total']).toBe(0);
  const shown = await lookInto(device);
  expect(shown.data).toMatchObject({ username: 'root', is_proven: true, passwords: [{ password: givenTo(device) }] });
  const [view] = (await admin.get('/devices/passwords/looks')).data;
  expect(view).toMatchObject({ device_id: device.id, username: 'root', reason: 'Somebody is on site' });
  const { data: entries } = await admin.get('/devices/passwords', { device_id: device.id });
  expect(JSON.stringify(entries)).not.toContain(givenTo(device));
  const stranger = await as(world, 'admin');
  expect((await stranger.post(`/devices/passwords/${entries[0].id}/show`, { reason: 'curious' })).status).toBe(404);
  expect((await stranger.get('/devices/passwords/looks')).meta['total']).toBe(0);
  const guest = await as(world, 'end_user', { company });
  expect((await guest.post(`/devices/passwords/${entries[0].id}/show`, { reason: 'curious' })).status).toBe(403);
  const audit = await world.ctx.db.selectFrom('audit').select('after').where('action', '=', 'device-passwords.show').execute();
  expect(audit.map(({ after }) => JSON.parse(after ?? ''))).toContainEqual({ username: 'root', reason: 'Somebody is on site' });
});

test('after a failed or lost command both passwords stay, as one of several, until a change succeeds', async () => {
  const [device] = (await makeDevices(1)) as [Device];
  await start(generate([device], inVault));
  await answer(world, device, {});
  const first = givenTo(device);
  await start(generate([device], { ...inVault, length: 14 }));
  const second = givenTo(device);
  await answer(world, device, { state: 'failed', code: 1, message: 'no' });
  const passwordsOf = async () => {
    const { data } = await lookInto(device);
    return { is_proven: data.is_proven, passwords: data.passwords.map(({ password }: { password: string }) => password) };
  };
  expect(await passwordsOf()).toEqual({ is_proven: false, passwords: [second, first] });
  const lost = await start(generate([device], { ...inVault, length: 15 }));
  const third = givenTo(device);
  await world.clock.advance(3 * MINUTE);
  await world.ctx.jobs.settled();
  expect(await statesOf(admin, lost)).toEqual(['timed-out']);
  expect(await passwordsOf()).toEqual({ is_proven: false, passwords: [third, second, first] });
  await start(set([device], 'Quay-side-7', { keep_in_vault: true }));
  await answer(world, device, {});
  expect(await passwordsOf()).toEqual({ is_proven: true, passwords: ['Quay-side-7'] });
  await start(set([device], 'Quay-side-8'));
  await answer(world, device, {});
  expect((await admin.get('/devices/passwords', { device_id: device.id })).data).toEqual([]);
});

test('one password for all is refused where the firmware asks for more, retried for those that failed, and forgotten after some days', async () => {
  const [router, other] = [...(await makeDevices(1)), ...(await makeDevices(1, { model: 'Pi', firmware: '1' }))] as [Device, Device];
  const wrong = await admin.post('/devices/passwords', { ...set([router], 'abcdefgh1'), password_confirmation: 'abcdefgh2' });
  expect(wrong.errors).toMatchObject([{ source: 'password_confirmation' }]);
  const preview = await admin.post('/devices/passwords', { ...set([router, other], 'plainpassword'), dry_run: true });
  expect(preview.data).toMatchObject({ will_run: 1, skipped: [{ reason: 'PASSWORD_UNFIT', sample: [{ id: router.id }] }] });
  const job = await start(set([router, other], 'plainpassword'));
  expect(await dump()).not.toContain('plainpassword');
  await answer(world, other, { state: 'failed', code: 1, message: 'no' });
  const retried = await admin.post(`/jobs/${job}/retry`);
  expect(retried.meta).toMatchObject({ count: 1 });
  await world.ctx.jobs.settled();
  expect(givenTo(other)).toBe('plainpassword');
  await answer(world, other, { state: 'failed', code: 1, message: 'no' });
  await world.clock.jump(8 * DAY);
  await forgetPasswords(world.ctx);
  admin = await as(world, 'admin', { company });
  expect((await admin.post(`/jobs/${retried.meta['job_id']}/retry`)).errors).toMatchObject([{ code: 'PASSWORDS_FORGOTTEN' }]);
});

test('a file gives each device its password and says what is wrong with other lines, without repeating a password', async () => {
  const [first, second] = (await makeDevices(2)) as [Device, Device];
  const foreign = await makeDevice(world, RUTOS);
  const mac = second.mac.replaceAll(':', '').toLowerCase();
  const text = ['serial,password', `${first.serial},Good-pass-1`, `${mac},Good-pass-2`, `${first.serial},Good-pass-3`]
    .concat(`${foreign.serial},Good-pass-4`, 'nobody,Good-pass-5', `${second.serial},`)
    .join('\n');
  const parts = [filePart(text, 'passwords.csv'), { name: 'show_password', text: 'true' }];
  const sent = await sendParts(world, admin, '/devices/passwords/upload', parts);
  await world.ctx.jobs.settled();
  expect(sent.status).toBe(207);
  expect(sent.data).toEqual([first.id, second.id]);
  expect(sent.errors.map(({ code, source }) => [code, source])).toEqual([
    ['CSV_DEVICE_AGAIN', 'file.4'],
    ['CSV_DEVICE_UNKNOWN', 'file.5'],
    ['CSV_DEVICE_UNKNOWN', 'file.6'],
    ['CSV_NO_PASSWORD', 'file.7'],
  ]);
  expect(JSON.stringify(sent.errors)).not.toContain('Good-pass');
  expect([givenTo(first), givenTo(second)]).toEqual(['Good-pass-1', 'Good-pass-2']);
});

test('the public calls take a length or a password for each device', async () => {
  const [first, second] = (await makeDevices(2)) as [Device, Device];
  const data = [
    { id: first.id, length: 8, use_special: 0 },
    { id: second.id, length: 32, use_special: 1 },
  ];
  const started = await startJob(world, admin, '/devices/passwords/generate', { data });
  expect(started.meta['channel']).toBe(`jobs.${started.meta['job_id']}`);
  expect([givenTo(first).length, givenTo(second).length]).toEqual([8, 32]);
  const twice = await admin.post('/devices/passwords/generate', { data: [data[0], data[0]] });
  expect(twice.errors).toMatchObject([{ source: 'data.1.id' }]);
  for (const device of [first, second]) await answer(world, device, {});
  const own = { password: 'Quay-side-7', password_confirmation: 'Quay-side-7' };
  const given = await startJob(world, admin, '/devices/passwords/set', { data: [{ id: first.id, ...own, show_password: true }] });
  expect(given.status).toBe(200);
  expect(givenTo(first)).toBe('Quay-side-7');
  expect((await admin.get('/devices/passwords/generated/tasks')).data).toHaveLength(2);
});

test('a person with a second factor is asked for it before passwords are changed, downloaded or shown', async () => {
  const [device] = (await makeDevices(1)) as [Device];
  const { secret } = await turnTotpOn(world, admin);
  const ask = async (path: string, body: object = {}) => {
    const asked = await admin.post(path, body);
    expect(asked.errors).toMatchObject([{ code: 'MFA_REQUIRED' }]);
    const done = await admin.post(path, { ...body, ...proofOf(asked, codeOf(world, secret)) });
    await world.clock.advance(MINUTE / 2);
    return done;
  };
  expect((await admin.post('/devices/passwords', { ...generate([device]), dry_run: true })).status).toBe(200);
  const started = await ask('/devices/passwords', generate([device]));
  await world.ctx.jobs.settled();
  await answer(world, device, {});
  const file = await ask(`/tasks/${String(started.meta['job_id'])}/download/passwords`);
  expect(file.text).toContain(givenTo(device));
  const upload = (more: object = {}) => {
    const parts = Object.entries(more).map(([name, value]) => ({ name, text: String(value) }));
    return sendParts(world, admin, '/devices/passwords/upload', [filePart(`${device.serial},Good-pass-1`, 'passwords.csv'), ...parts]);
  };
  const asked = await upload();
  expect(asked.codes).toEqual(['MFA_REQUIRED']);
  expect((await upload(proofOf(asked, codeOf(world, secret)))).status).toBe(201);
  await world.ctx.jobs.settled();
  expect(givenTo(device)).toBe('Good-pass-1');
});

test('a plan gives its devices new passwords repeatedly, with the rights of who set it up', async () => {
  const [tagged, other] = (await makeDevices(2)) as [Device, Device];
  const tag = await makeTag(world, { company });
  await admin.put('/devices/tags/assign', { device_id: [tagged.id], tag_id: [tag.id] });
  const plan = { name: 'Monthly', applies_to: 'tag', tag_ids: [tag.id], username: 'root', length: 20, use_special: true, every_days: 30 };
  const { data } = await admin.post('/devices/passwords/plans', plan);
  await runDuePlans(world.ctx);
  const runs: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    await world.clock.jump(30 * DAY + MINUTE);
    await runDuePlans(world.ctx);
    await runDuePlans(world.ctx);
    await world.ctx.jobs.settled();
    runs.push(givenTo(tagged));
    await answer(world, tagged, {});
  }
  expect(runs.map((password) => password.length)).toEqual([20, 20]);
  expect(runs[0]).not.toBe(runs[1]);
  expect(world.commands.some((sent) => sent.deviceKey === other.device_key)).toBe(false);
  admin = await as(world, 'admin', { company });
  expect((await lookInto(tagged)).data.passwords).toMatchObject([{ password: runs[1] }]);
  expect((await admin.get(`/devices/passwords/plans/${data.id}`)).data).toMatchObject({
    last_job_id: expect.any(Number),
    tag_ids: [tag.id],
  });
  const stranger = await as(world, 'admin');
  expect((await stranger.put(`/devices/passwords/plans/${data.id}`, plan)).status).toBe(404);
  const foreign = await makeDevice(world);
  const wrong = { ...plan, applies_to: 'device', tag_ids: undefined, device_ids: [foreign.id] };
  expect((await admin.post('/devices/passwords/plans', wrong)).errors).toMatchObject([{ source: 'device_ids.0' }]);
  expect((await admin.delete(`/devices/passwords/plans/${data.id}`)).status).toBe(200);
});

test('what a device that was removed meanwhile was given is forgotten', async () => {
  const [device] = (await makeDevices(1)) as [Device];
  const job = await start(generate([device]));
  await world.ctx.db.deleteFrom('devices').where('id', '=', device.id).execute();
  await world.clock.advance(3 * MINUTE);
  await world.ctx.jobs.settled();
  await forgetPasswords(world.ctx);
  const [target] = await world.ctx.db.selectFrom('job_targets').select('facts').where('job_id', '=', job).execute();
  expect(target?.facts).toBeNull();
});
