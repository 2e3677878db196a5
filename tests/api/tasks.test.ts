import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { answer, startJob, statesOf } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let device: Awaited<ReturnType<typeof makeDevice>>;
let admin: Caller;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

const command = (name: string, text: string, more: object = {}) => ({
  name,
  type: 'command',
  timeout: 30,
  stop_on_failure: true,
  data: { command: text },
  ...more,
});

let count = 0;
async function makeGroup(more: object = {}) {
  device = await makeDevice(world, { company });
  count += 1;
  const body = { company_id: company.id, name: `list ${count}`, tasks: [command('one', 'uptime')], ...more };
  const made = await admin.post('/devices/tasks/groups', body);
  expect([made.status, made.errors]).toEqual([201, []]);
  return made.data.id as number;
}

const sent = (): string[] =>
  world.commands.filter(({ deviceKey }) => deviceKey === device.device_key).map(({ command: { verb, body } }) => `${verb} ${body}`);
const run = (id: number, more: object = {}) =>
  startJob(world, admin, '/devices/tasks/execute', { group_id: id, device_id: [device.id], ...more });

test('a list keeps its tasks, with their numbers over a change of their order', async () => {
  const id = await makeGroup({ tasks: [command('b', 'two', { order: 1 }), command('a', 'one', { order: 0 })] });
  const { tasks } = (await admin.get(`/devices/tasks/groups/${id}`)).data;
  expect(tasks.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
  const turned = await admin.put(`/devices/tasks/groups/${id}`, { tasks: [tasks[1], tasks[0]] });
  expect(turned.data.tasks).toEqual([tasks[1], tasks[0]]);
  await admin.put(`/devices/tasks/${tasks[0].id}`, { name: 'first', order: 0, stop_on_failure: false, timeout: 5 });
  const rows = (await admin.get('/devices/tasks', { group_id: id, sort: 'order' })).data;
  expect(rows).toMatchObject([{ id: tasks[0].id, name: 'first', order: 0, stop_on_failure: false, timeout: 5 }, { name: 'b' }]);
  expect((await admin.delete(`/devices/tasks/${tasks[0].id}`)).status).toBe(200);
  expect((await admin.delete(`/devices/tasks/${tasks[1].id}`)).status).toBe(400);
});

test('its tasks run one after another, those that may fail do not end it, and its log says what each gave', async () => {
  const success = await makeTag(world, { company, name: 'well' });
  const failed = await makeTag(world, { company, name: 'ill' });
  const id = await makeGroup({
    tasks: [
      command('note', 'maybe', { stop_on_failure: false }),
      command('codes', 'odd', { data: { command: 'odd', acceptable_codes: [0, 3] } }),
    ],
    success_tag_id: [success.id],
    failed_tag_id: [failed.id],
  });
  const { meta } = await run(id);
  expect((await admin.get('/devices/tasks/groups/logs', { device_id: device.id })).data).toMatchObject([{ status: 'processing' }]);
  await answer(world, device, { state: 'failed', code: 1, message: 'exit code 1' });
  await answer(world, device, { state: 'failed', code: 3, message: 'exit code 3', output: 'fine' });
  expect(sent()).toEqual(['run maybe', 'run odd']);
  expect(await statesOf(admin, meta['job_id'])).toEqual(['ok']);
  const [log] = (await admin.get('/devices/tasks/groups/logs', { device_id: device.id, status: 'completed' })).data;
  expect(log).toMatchObject({ status: 'completed', group_id: id });
  expect((await admin.get(`/devices/tasks/groups/logs/${log.id}`)).data).toEqual(log);
  const logs = (await admin.get('/devices/tasks/logs', { group_log_id: log.id, type: 'command', sort: 'id' })).data;
  expect(logs).toMatchObject([
    { name: 'note', type: 'command', result: { state: 'failed', code: 1 } },
    { name: 'codes', data: { command: 'odd' }, result: { state: 'ok', code: 3, output: 'fine' } },
  ]);
  expect((await admin.get(`/devices/tasks/logs/${logs[1].id}`)).data).toEqual(logs[1]);
  const tags = await world.ctx.db.selectFrom('device_tags').select('tag_id').where('device_id', '=', device.id).execute();
  expect(tags).toEqual([{ tag_id: success.id }]);
});

test('a list of one task has its log too, and after a failure the other tags', async () => {
  const failed = await makeTag(world, { company, name: 'poor' });
  const id = await makeGroup({ failed_tag_id: [failed.id] });
  await run(id);
  await answer(world, device, { state: 'failed', code: 1, message: 'exit code 1' });
  const [log] = (await admin.get('/devices/tasks/groups/logs', { device_id: device.id })).data;
  expect(log.status).toBe('failed');
  expect((await admin.get('/devices/tasks/logs', { group_log_id: log.id })).data).toMatchObject([{ name: 'one', result: { code: 1 } }]);
  const tags = await world.ctx.db.selectFrom('device_tags').select('tag_id').where('device_id', '=', device.id).execute();
  expect(tags).toEqual([{ tag_id: failed.id }]);
});

test('the value of a variable reaches the shell as a value, in any quotes [IN1]', async () => {
  const id = await makeGroup({
    tasks: [command('say', `echo {{note}} "{{ note }}" '{{note}}' {{who}}`)],
    variables: [
      { name: 'note', type: 'text' },
      { name: 'who', type: 'device', field: 'serial' },
    ],
  });
  expect((await run(id)).errors).toMatchObject([{ source: 'values' }]);
  const evil = `'"; reboot #$(reboot)`;
  expect((await run(id, { values: [{ name: 'note', value: evil }] })).status).toBe(200);
  const quoted = `canopy_note=''\\''"; reboot #$(reboot)'`;
  const filled = `echo "\${canopy_note}" "\${canopy_note}" ''"\${canopy_note}"'' "\${canopy_who}"`;
  expect(sent()).toEqual([`run ${quoted}\ncanopy_who='${device.serial}'\n${filled}`]);
});

test('values are asked for as their variables say', async () => {
  const id = await makeGroup({
    tasks: [command('say', 'echo {{level}} {{mode}}')],
    variables: [
      { name: 'level', type: 'number', default: '3' },
      { name: 'mode', type: 'choice', choices: ['on', 'off'] },
    ],
  });
  const mode = { name: 'mode', value: 'on' };
  for (const values of [[], [{ name: 'mode', value: 'up' }], [mode, { name: 'level', value: '$x' }], [mode, { name: 'other', value: '1' }]])
    expect([values, (await run(id, { values })).status]).toEqual([values, 400]);
  const [task] = (await admin.get(`/devices/tasks/groups/${id}`)).data.tasks;
  const body = { device_id: [device.id], tasks: [{ task_id: task.id, variables: [mode] }] };
  const started = await startJob(world, admin, `/devices/tasks/groups/${id}`, body);
  expect(started.meta['channel']).toMatch(/^jobs\./);
  expect(sent()).toEqual([`run canopy_level='3'\ncanopy_mode='on'\necho "\${canopy_level}" "\${canopy_mode}"`]);
});

test('files go to the device and come from it, at paths that lead nowhere else', async () => {
  const { meta } = await upload(world, admin, company, 'hello', 'motd.txt', 'device_task_manager_file');
  const path = { data: { file: '/var/log/{{name}}' }, type: 'download_file' };
  const id = await makeGroup({
    tasks: [
      { ...command('put', ''), type: 'upload_file', data: { file_id: Number(meta['id']), target_path: '/etc/motd' } },
      { ...command('get', ''), ...path },
    ],
    variables: [{ name: 'name', type: 'text' }],
  });
  const refused = await run(id, { values: [{ name: 'name', value: '../../etc/shadow' }] });
  expect(refused.meta['count']).toBe(1);
  expect(await statesOf(admin, refused.meta['job_id'])).toEqual(['skipped']);
  await run(id, { values: [{ name: 'name', value: 'messages' }] });
  await answer(world, device, {});
  const [put, get] = sent();
  expect(put).toMatch(/^fetch path=\/etc\/motd\nsize=5\nsha256=[0-9a-f]{64}$/);
  expect(get).toBe('send path=/var/log/messages');
});

test('what a list cannot hold is refused at its place', async () => {
  const base = { company_id: company.id, name: 'wrong' };
  const cases: [object, string][] = [
    [{ tasks: [command('a', 'echo {{none}}')] }, 'tasks.0.data.command'],
    [{ tasks: [{ ...command('a', ''), type: 'download_file', data: { file: '/etc/../x' } }] }, 'tasks.0.data.file'],
    [{ tasks: [{ ...command('a', ''), type: 'upload_file', data: { target_path: '/x' } }] }, 'tasks.0.data.file_id'],
    [{ tasks: [command('a', 'b')], success_tag_id: [987654] }, 'success_tag_id.0'],
    [{ tasks: [command('a', 'b')], variables: [{ name: 'x', type: 'choice' }] }, 'variables.0.choices'],
  ];
  for (const [more, source] of cases) {
    const { status, errors } = await admin.post('/devices/tasks/groups', { ...base, ...more });
    expect([status < 500 && status >= 400, errors[0]?.source]).toEqual([true, source]);
  }
});

test('lists of another company answer as if they had never been, and guests change and run none [AC2]', async () => {
  const id = await makeGroup();
  const other = await as(world, 'admin', { company: await makeCompany(world) });
  const theirs = await makeDevice(world, { company: await makeCompany(world) });
  for (const path of [`/devices/tasks/groups/${id}`, `/devices/tasks/groups/${id}/export`])
    expect((await other.get(path)).status).toBe(404);
  expect((await other.put(`/devices/tasks/groups/${id}`, { name: 'mine' })).status).toBe(404);
  expect((await other.delete(`/devices/tasks/groups/${id}`)).status).toBe(404);
  expect((await other.post('/devices/tasks/execute', { group_id: id, device_id: [theirs.id] })).status).toBe(404);
  expect((await run(id, { device_id: [theirs.id] })).status).toBe(404);
  expect((await other.get('/devices/tasks/groups/logs')).data).toEqual([]);
  expect((await other.get('/devices/tasks/logs')).data).toEqual([]);
  const guest = await as(world, 'readonly_admin', { company });
  expect((await guest.get(`/devices/tasks/groups/${id}`)).status).toBe(200);
  expect((await guest.post('/devices/tasks/execute', { group_id: id, device_id: [device.id] })).status).toBe(403);
  expect((await guest.delete(`/devices/tasks/groups/${id}`)).status).toBe(403);
});

test('a tag runs a list on the devices that get it, as it is then and with the rights of who set it up', async () => {
  const id = await makeGroup();
  const tag = await makeTag(world, { company, name: 'setup' });
  const body = { action: 'execute_tasks_group', group_id: id };
  const other = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await other.post(`/tags/${tag.id}/actions`, body)).status).toBe(404);
  expect((await admin.post(`/tags/${tag.id}/actions`, { ...body, group_id: 987654 })).errors).toMatchObject([{ source: 'group_id' }]);
  expect((await admin.post(`/tags/${tag.id}/actions`, body)).status).toBe(201);
  const { name } = (await admin.get(`/devices/tasks/groups/${id}`)).data;
  expect((await admin.get(`/tags/${tag.id}`)).data.actions).toMatchObject([{ source_id: id, source_name: name }]);
  await admin.put(`/devices/tasks/groups/${id}`, { tasks: [command('later', 'whoami')] });
  await admin.put('/devices/tags/assign', { device_id: [device.id], tag_id: [tag.id] });
  await world.clock.advance(5 * SECOND);
  await world.ctx.jobs.settled();
  expect(sent()).toEqual(['run whoami']);
  expect((await admin.get('/devices/actions/logs', { tag_id: tag.id })).data).toMatchObject([
    { action_name: 'execute_tasks_group', additional_information: { source_id: id, source_name: name } },
  ]);
});

test('a list is copied, exported and imported, and comes back after its removal', async () => {
  const id = await makeGroup({ tasks: [command('a', 'echo {{x}}')], variables: [{ name: 'x', type: 'text', default: '1' }] });
  const before = (await admin.get(`/devices/tasks/groups/${id}`)).data;
  const copy = await admin.post(`/devices/tasks/groups/${id}/copy`, { name: `${before.name} again` });
  expect((await admin.get(`/devices/tasks/groups/${copy.data.id}`)).data.tasks).toMatchObject([{ name: 'a' }]);
  const text = (await world.app.fastify.inject({ url: `/api/devices/tasks/groups/${id}/export`, headers: admin.headers })).body;
  const read = JSON.parse(text);
  const imported = await admin.post('/devices/tasks/groups/import', {
    company_id: company.id,
    text: JSON.stringify({ ...read, name: `${before.name} in` }),
  });
  expect((await admin.get(`/devices/tasks/groups/${imported.data.id}`)).data).toMatchObject({ variables: before.variables });
  for (const wrong of ['{', '[]', '{"name":"x"}', JSON.stringify({ ...read, tasks: 'all' })])
    expect((await admin.post('/devices/tasks/groups/import', { company_id: company.id, text: wrong })).status).toBe(400);
  await admin.delete(`/devices/tasks/groups/${id}`);
  const row = await world.ctx.db
    .selectFrom('audit')
    .select('id')
    .where('action', '=', 'task-groups.remove')
    .where('entity_id', '=', id)
    .executeTakeFirstOrThrow();
  expect((await admin.post(`/history/${row.id}/undo`, {})).status).toBe(200);
  expect((await admin.get(`/devices/tasks/groups/${id}`)).data).toMatchObject({ name: before.name, variables: before.variables });
});
