import { beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer, startJob } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const SECRET = "s3cret key with 'quotes'";

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;
let device: Awaited<ReturnType<typeof makeDevice>>;
let group: number;

const command = (text: string) => ({ name: 'set', type: 'command', timeout: 30, data: { command: text } });
const secret = { name: 'key', type: 'secret' };

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  device = await makeDevice(world, { company });
  const body = { company_id: company.id, name: 'keys', tasks: [command('set-key {{key}}')], variables: [secret] };
  group = Number((await admin.post('/devices/tasks/groups', body)).data.id);
  return () => world[Symbol.asyncDispose]();
});

test('a secret reaches the device, and is in no job, answer, log or history', async () => {
  const run = { group_id: group, device_id: [device.id], values: [{ name: 'key', value: SECRET }] };
  const { meta } = await startJob(world, admin, '/devices/tasks/execute', run);
  const { command: sent } = world.commands.at(-1) ?? {};
  expect(sent?.body).toContain(`canopy_key='s3cret key with '\\''quotes'\\'''`);
  await answer(world, device, { output: `key is ${SECRET}\n`, message: `set to ${SECRET}` });
  const id = String(meta['job_id']);
  const [target] = (await admin.get(`/jobs/${id}/targets`)).data;
  expect(target).toMatchObject({ state: 'ok', output: 'key is ***\n', message: 'set to ***' });
  const rows = [
    await world.ctx.db.selectFrom('jobs').selectAll().execute(),
    await world.ctx.db.selectFrom('job_targets').selectAll().execute(),
    await world.ctx.db.selectFrom('job_target_steps').selectAll().execute(),
    await world.ctx.db.selectFrom('audit').selectAll().execute(),
  ];
  expect(JSON.stringify(rows)).not.toContain('s3cret');
  expect((await admin.get(`/jobs/${id}`)).data.input).toMatchObject({ values: {}, secrets: '***' });
});

test('a retry has the secret of the first run', async () => {
  const run = { group_id: group, device_id: [device.id], values: [{ name: 'key', value: SECRET }] };
  const { meta } = await startJob(world, admin, '/devices/tasks/execute', run);
  await answer(world, device, { state: 'failed', code: 1 });
  const before = world.commands.length;
  await startJob(world, admin, `/jobs/${String(meta['job_id'])}/retry`, {});
  expect(world.commands.length).toBeGreaterThan(before);
  expect(world.commands.at(-1)?.command.body).toContain('s3cret');
});

test('no plan keeps a secret; it has no default, and is in no path', async () => {
  const plan = {
    company_id: company.id,
    name: 'nightly',
    group_id: group,
    applies_to: 'company',
    period: 'day',
    time: '03:00',
    timezone: 'UTC',
  };
  const planned = await admin.post('/task-plans', { ...plan, values: [{ name: 'key', value: SECRET }] });
  expect([planned.status, planned.errors[0]?.source]).toEqual([400, 'values']);
  const list = { company_id: company.id, name: 'more keys' };
  const refused = async (content: object) => (await admin.post('/devices/tasks/groups', { ...list, ...content })).errors[0]?.source;
  expect(await refused({ tasks: [command('a {{key}}')], variables: [{ ...secret, default: 'x' }] })).toBe('variables.0.default');
  const download = { name: 'get', type: 'download_file', timeout: 30, data: { file: '/tmp/{{key}}' } };
  expect(await refused({ tasks: [download], variables: [secret] })).toBe('tasks.0.data.file');
});
