import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer, startJob } from '../helpers/jobs.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let device: Awaited<ReturnType<typeof makeDevice>>;
let company: Awaited<ReturnType<typeof makeCompany>>;

const ESIM = { model: 'RUTM50', firmware: 'RUTM_R_00.07.14.2' };
const PROFILE = { iccid: '8947080037110000001', profileState: 'enabled', serviceProviderName: 'Telia', profileName: 'Telia', icon: null };
const output = (profiles: unknown) => JSON.stringify({ eid: '89049032000000000000000000000001', profiles });
const lastBody = () => world.commands.at(-1)?.command.body;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  device = await makeDevice(world, { company, ...ESIM });
});
afterAll(() => world[Symbol.asyncDispose]());

test('the profiles of a device are those that it said last, with the time, and what is none is left out', async () => {
  expect((await admin.get(`/devices/${device.id}/esim`)).data).toMatchObject({ is_supported: true, profiles: [], read_at: null });
  const started = await startJob(world, admin, `/devices/${device.id}/esim/refresh`, {});
  expect(started.meta['channel']).toBe(`jobs.${String(started.meta['job_id'])}`);
  expect(world.commands.at(-1)?.command).toMatchObject({ verb: 'esim', body: 'do=list\n' });
  const strange = [
    { ...PROFILE, iccid: '<script>' },
    'x',
    null,
    { ...PROFILE, iccid: '8947080037110000002', profileName: 'n\u0000'.repeat(99) },
  ];
  await answer(world, device, { output: output([PROFILE, ...strange]) });
  const { data } = await admin.get(`/devices/${device.id}/esim`);
  expect(data).toMatchObject({ eid: '89049032000000000000000000000001', read_at: expect.any(String) });
  expect(data.profiles).toEqual([
    { iccid: PROFILE.iccid, provider: 'Telia', name: 'Telia', nickname: null, state: 'enabled', class: null },
    { iccid: '8947080037110000002', provider: 'Telia', name: 'n'.repeat(64), nickname: null, state: 'enabled', class: null },
  ]);
  await startJob(world, admin, `/devices/${device.id}/esim/refresh`, {});
  await answer(world, device, { output: 'nonsense' });
  expect((await admin.get(`/devices/${device.id}/esim`)).data.profiles).toHaveLength(2);
});

test('each change is a job; codes are sealed, and forgotten once they were used', async () => {
  const { iccid } = PROFILE;
  for (const [op, body, sent] of [
    ['enable', { iccid }, `do=enable\niccid=${iccid}\n`],
    ['disable', { iccid }, `do=disable\niccid=${iccid}\n`],
    ['remove', { iccid }, `do=delete\niccid=${iccid}\n`],
    ['rename', { iccid, nickname: 'On the quay' }, `do=rename\niccid=${iccid}\nname=On the quay\n`],
  ] as const) {
    expect((await startJob(world, admin, `/devices/${device.id}/esim/${op}`, body)).status).toBe(200);
    expect(lastBody()).toBe(sent);
    await answer(world, device, { output: output([PROFILE]) });
  }
  const codes = { activation_code: 'LPA:1$rsp.example.com$QR-SECRET', confirmation_code: '4711-secret' };
  const started = await startJob(world, admin, `/devices/${device.id}/esim/download`, codes);
  expect(lastBody()).toBe('do=download\ncode=LPA:1$rsp.example.com$QR-SECRET\nconfirmation=4711-secret\n');
  const jobId = Number(started.meta['job_id']);
  const inputOf = async () =>
    (await world.ctx.db.selectFrom('jobs').select('input').where('id', '=', jobId).executeTakeFirstOrThrow()).input;
  expect(await inputOf()).not.toContain('SECRET');
  expect((await admin.get(`/jobs/${jobId}`)).text).not.toContain('SECRET');
  await answer(world, device, { output: output([PROFILE]) });
  expect(JSON.parse(await inputOf())).toEqual({ what: 'download', secrets: '' });
  expect((await admin.post(`/devices/${device.id}/esim/download`, { activation_code: 'LPA:1$x y$z' })).errors).toMatchObject([
    { source: 'activation_code' },
  ]);
});

test('other companies, people without the right and models without a chip get nothing [AC1]', async () => {
  const stranger = await as(world, 'admin');
  for (const call of [stranger.get(`/devices/${device.id}/esim`), stranger.post(`/devices/${device.id}/esim/refresh`, {})])
    expect((await call).status).toBe(404);
  const user = await as(world, 'end_user', { company });
  expect((await user.post(`/devices/${device.id}/esim/refresh`, {})).status).toBe(403);
  const plain = await makeDevice(world, { company, model: 'RUT241', firmware: 'RUT2M_R_00.07.14' });
  expect((await admin.get(`/devices/${plain.id}/esim`)).data).toMatchObject({ is_supported: false });
  const { meta } = await startJob(world, admin, `/devices/${plain.id}/esim/refresh`, {});
  expect((await admin.get(`/jobs/${String(meta['job_id'])}/targets`)).data).toMatchObject([{ state: 'skipped', reason: 'UNSUPPORTED' }]);
});

test('programs ask for the profiles by a GET of the public API; no page can make a browser do so [SE2]', async () => {
  const own = await makeDevice(world, { company, ...ESIM });
  expect((await admin.get(`/devices/${own.id}/check/esim-bootstrap`)).status).toBe(403);
  const { secret } = await makeAccessToken(world, { user: admin.user, scopes: ['create_multi_configuration'] });
  const ask = () => send(world, 'GET', `/devices/${own.id}/check/esim-bootstrap`, { headers: { authorization: `Bearer ${secret}` } });
  const { meta } = await ask();
  expect(meta['channel']).toMatch(/^jobs\./);
  expect((await ask()).meta['channel']).toBe(meta['channel']);
});
