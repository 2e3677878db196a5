import { describe, expect, test } from 'vitest';
import { inTransaction } from '../../server/kernel/db/database.ts';
import { SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { changeMember, makeDevice, makeFile, makeRole, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function makePlace(world: World) {
  const { top, middle, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const tag = await makeTag(world, { company: top, name: 'ferry' });
  const device = await makeDevice(world, { company: middle, serial: '1001' });
  return { top, middle, foreign, admin, tag, device };
}

const assign = (caller: Caller, device: { id: number }, tag: { id: number }) =>
  caller.put('/devices/tags/assign', { device_id: [device.id], tag_id: [tag.id] });

async function passTime(world: World): Promise<void> {
  await world.clock.advance(5 * SECOND);
  await world.ctx.jobs.settled();
}

/** The device says that it has done the newest command, over a connection that it opened after that. */
async function done(world: World, device: { id: number }): Promise<void> {
  const command = world.commands.at(-1)?.command;
  const result = { connectedAt: Number.MAX_SAFE_INTEGER, state: 'ok', code: 0, message: null, output: '', truncated: false } as const;
  await inTransaction(world.ctx.db, (trx) =>
    world.ctx.jobs.takeResults(trx, [{ deviceId: device.id, commandId: command?.id ?? '', ...result }]),
  );
  await world.ctx.jobs.settled();
}

async function logOf(caller: Caller, query: Record<string, string | number> = {}) {
  const { data } = await caller.get('/devices/actions/logs', { sort: 'id', ...query });
  return data.map((row: { action_name: string; request_target_state: string; reason: string | null }) => [
    row.action_name,
    row.request_target_state,
    row.reason,
  ]);
}

const verbs = (world: World) => world.commands.map(({ command }) => [command.verb, command.body]);

describe('the actions of a tag', () => {
  test('come with a new tag in one call, for people who may do them; without a command nothing is made', async () => {
    await using world = await makeWorld();
    const { admin, top, device } = await makePlace(world);
    const tag = { company_id: top.id, name: 'substation' };
    const refused = await admin.post('/tags', { ...tag, actions: [{ action: 'reboot' }, { action: 'run' }] });
    expect([refused.status, refused.errors[0]?.source]).toEqual([400, 'actions.1.command']);
    const role = await makeRole(world, { permissions: ['view_tags', 'create_tags', 'view_device_actions'], company: top });
    const writer = await as(world, role, { company: top });
    expect((await writer.post('/tags', { ...tag, actions: [{ action: 'reboot' }] })).status).toBe(403);
    expect((await admin.get('/tags', { q: 'substation' })).data).toEqual([]);
    const made = await admin.post('/tags', { ...tag, actions: [{ action: 'run', command: 'uptime' }, { action: 'refresh' }] });
    expect(made.status).toBe(201);
    expect((await admin.get(`/tags/${made.data.id}`)).data.actions).toMatchObject([
      { action: 'run', source_name: 'uptime' },
      { action: 'refresh', source_name: null },
    ]);
    await assign(admin, device, made.data);
    await passTime(world);
    expect(verbs(world)).toEqual([['run', 'uptime']]);
  });

  test('run when it is put on a device, one after the other, and are written down', async () => {
    await using world = await makeWorld();
    const { admin, tag, device } = await makePlace(world);
    expect((await admin.post(`/tags/${tag.id}/actions`, { action: 'run', command: 'uptime', timeout: 10 })).status).toBe(201);
    expect((await admin.post(`/tags/${tag.id}/actions`, { action: 'refresh' })).status).toBe(201);
    await assign(admin, device, tag);
    expect(await logOf(admin)).toEqual([
      ['run', 'waiting', null],
      ['refresh', 'waiting', null],
    ]);
    await passTime(world);
    expect(verbs(world)).toEqual([['run', 'uptime']]);
    await passTime(world);
    expect(verbs(world), 'the second waits for the first').toHaveLength(1);
    await done(world, device);
    await passTime(world);
    expect(verbs(world)).toEqual([
      ['run', 'uptime'],
      ['refresh', ''],
    ]);
    expect(await logOf(admin, { tag_id: tag.id })).toEqual([
      ['run', 'ok', null],
      ['refresh', 'sent', null],
    ]);
    expect((await admin.get('/devices/actions/logs', { request_target_state: 'ok' })).data[0]).toMatchObject({
      device_serial: '1001',
      action_tag_name: 'ferry',
      user_name: admin.user.username,
      action_initialized_from: 'tag_action',
      action_tag_id: tag.id,
      additional_information: { source_id: null, source_name: 'uptime' },
    });
    const [{ events, scheduler_id, job_id }] = (await admin.get('/devices/actions/logs', { request_target_state: 'ok' })).data;
    expect(scheduler_id).toBe(String(job_id));
    const course = events.map((event: { action: string; reference_id: string }) => [event.action, event.reference_id]);
    expect(course.at(0)).toEqual(['waiting', scheduler_id]);
    expect(course.at(-1)).toEqual(['ok', scheduler_id]);
    expect(course.length).toBeGreaterThan(2);
  });

  test('do not run again for a device that carries the tag already', async () => {
    await using world = await makeWorld();
    const { admin, tag, device } = await makePlace(world);
    await assign(admin, device, tag);
    await admin.post(`/tags/${tag.id}/actions`, { action: 'reboot' });
    await assign(admin, device, tag);
    await passTime(world);
    expect([await logOf(admin), world.commands]).toEqual([[], []]);
  });

  test('wait for a device that is offline, and are forgotten when it loses the tag meanwhile', async () => {
    await using world = await makeWorld();
    const { admin, tag, middle } = await makePlace(world);
    const away = await makeDevice(world, { company: middle, status: 0 });
    await admin.post(`/tags/${tag.id}/actions`, { action: 'reboot' });
    await assign(admin, away, tag);
    await passTime(world);
    expect(await logOf(admin)).toEqual([['reboot', 'waiting', null]]);
    await admin.put('/devices/tags/unassign', { device_id: [away.id], tag_id: [tag.id] });
    await world.ctx.db.updateTable('devices').set({ status: 1 }).where('id', '=', away.id).execute();
    await passTime(world);
    expect([await logOf(admin), world.commands]).toEqual([[], []]);
    await assign(admin, away, tag);
    await passTime(world);
    expect(verbs(world)).toEqual([['reboot', '']]);
  });

  test('run with the rights of who set them up, as they are then', async () => {
    await using world = await makeWorld();
    const { admin, top, tag, device } = await makePlace(world);
    const owner = await as(world, 'admin', { company: top });
    await owner.post(`/tags/${tag.id}/actions`, { action: 'reboot' });
    await changeMember(world, owner.user, { disabled_at: 1 });
    await assign(admin, device, tag);
    await passTime(world);
    expect([await logOf(admin), world.commands]).toEqual([[['reboot', 'refused', 'NO_RIGHT']], []]);
  });

  test('nobody sets up what they may not do themselves [AC5]', async () => {
    await using world = await makeWorld();
    const { top, tag, foreign } = await makePlace(world);
    const keeper = await as(
      world,
      await makeRole(world, { company: top, permissions: ['view_tags', 'update_tags', 'execute_device_actions'] }),
      {
        company: top,
      },
    );
    expect((await keeper.post(`/tags/${tag.id}/actions`, { action: 'run', command: 'id' })).codes).toEqual(['FORBIDDEN']);
    expect((await keeper.post(`/tags/${tag.id}/actions`, { action: 'reboot' })).status).toBe(201);
    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.post(`/tags/${tag.id}/actions`, { action: 'reboot' })).status).toBe(404);
  });

  test('a command is asked for where one runs, and refused elsewhere', async () => {
    await using world = await makeWorld();
    const { admin, tag } = await makePlace(world);
    const path = `/tags/${tag.id}/actions`;
    expect((await admin.post(path, { action: 'run' })).errors[0]?.source).toBe('command');
    expect((await admin.post(path, { action: 'reboot', command: 'id' })).errors[0]?.source).toBe('command');
    expect((await admin.post(path, { action: 'move' })).errors[0]?.source).toBe('action');
  });

  test('are listed and removed, with what waits of them; both are in the history', async () => {
    await using world = await makeWorld();
    const { admin, tag, device } = await makePlace(world);
    const { data } = await admin.post(`/tags/${tag.id}/actions`, { action: 'run', command: 'uptime' });
    expect((await admin.get(`/tags/${tag.id}/actions`)).data).toMatchObject([{ action: 'run', command: 'uptime', timeout: 30 }]);
    expect((await admin.get(`/tags/${tag.id}/usage`)).data).toMatchObject({ actions_count: 1 });
    await assign(admin, device, tag);
    expect((await admin.delete(`/tags/actions/${data.id}`)).status).toBe(200);
    await passTime(world);
    expect([(await admin.get(`/tags/${tag.id}/actions`)).data, await logOf(admin), world.commands]).toEqual([[], [], []]);
    const rows = await world.ctx.db.selectFrom('audit').select('action').where('action', 'like', 'tags.%').orderBy('id').execute();
    expect(rows.map((row) => row.action)).toEqual(['tags.new-action', 'tags.remove-action']);
  });

  test('what ran is seen only where both the tag and the device are [AC2]', async () => {
    await using world = await makeWorld();
    const { admin, tag, device, middle } = await makePlace(world);
    await admin.post(`/tags/${tag.id}/actions`, { action: 'reboot' });
    await assign(admin, device, tag);
    const below = await as(world, 'admin', { company: middle });
    expect(await logOf(below)).toEqual([]);
    expect(await logOf(admin)).toHaveLength(1);
  });
});

describe('files that a tag brings', () => {
  test('firmware and settings are put on devices that get the tag, one after the other, with the names of the public API', async () => {
    await using world = await makeWorld();
    const { admin, top, device } = await makePlace(world);
    const image = { company: top, type: 'firmware', name: 'RUTX_R_00.07.20_WEBUI.bin', device_model: 'RUTX', version: '00.07.20' } as const;
    const [firmware, config] = [await makeFile(world, image), await makeFile(world, { company: top, type: 'config', name: 'start.cfg' })];
    const actions = [
      { action: 'firmware_upload', source_id: firmware.id },
      { action: 'config_upload', source_id: config.id },
    ];
    const tag = await admin.post('/tags', { company_id: top.id, name: 'new here', actions });
    expect((await admin.get(`/tags/${tag.data.id}`)).data.actions).toMatchObject([
      { action: 'firmware_upload', source_id: firmware.id, source_name: image.name },
      { action: 'config_upload', source_id: config.id, source_name: 'start.cfg' },
    ]);
    await assign(admin, device, tag.data);
    for (const _ of ['firmware', 'confirm', 'restore', 'confirm']) {
      await passTime(world);
      await done(world, device);
    }
    expect(world.commands.map(({ command }) => command.verb)).toEqual(['firmware', 'confirm', 'restore', 'confirm']);
    expect(await logOf(admin, { action_name: 'firmware_upload' })).toEqual([['firmware_upload', 'ok', null]]);
  });

  test('are named by who sees them, and may put them on devices', async () => {
    await using world = await makeWorld();
    const { admin, top, foreign, tag } = await makePlace(world);
    const theirs = await makeFile(world, { company: foreign, type: 'firmware' });
    const config = await makeFile(world, { company: top, type: 'config' });
    const add = (caller: Caller, body: object) => caller.post(`/tags/${tag.id}/actions`, body);
    for (const firmware_id of [theirs.id, config.id, 999_999])
      expect((await add(admin, { action: 'firmware_upload', firmware_id })).errors).toMatchObject([
        { code: 'NOT_FOUND', source: 'firmware_id' },
      ]);
    expect((await add(admin, { action: 'config_upload' })).errors[0]?.source).toBe('configuration_id');
    const client = await as(world, 'end_user', { company: top });
    expect((await add(client, { action: 'config_upload', configuration_id: config.id })).status).toBe(403);
    expect((await add(admin, { action: 'config_upload', configuration_id: config.id })).status).toBe(201);
  });
});
