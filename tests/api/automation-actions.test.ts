import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let say: Awaited<ReturnType<typeof makeReportingWorld>>['say'];

beforeAll(async () => {
  ({ world, say } = await makeReportingWorld());
  company = await makeCompany(world);
  return () => world[Symbol.asyncDispose]();
});

// Time passes in a test: the session of the one before is over.
beforeEach(async () => {
  admin = await as(world, 'admin', { company });
});

type Device = Awaited<ReturnType<typeof makeDevice>>;
const weak = { parameter: 'signal', operator: '<', value: '-100' };
const branch = (actions: object[], expression: object[] = [weak]) => ({ type: 'if', expression, actions });
const runForm = (form: string, form_data: object = {}) => ({ name: 'RunForm', options: { form, form_data } });

async function report(device: Device, payload: Record<string, unknown>): Promise<void> {
  await say(device, 'status', { uptime: 60, ...payload });
  await world.clock.advance(3 * SECOND);
}

async function add(device: Device, branches: object[], more: object = {}): Promise<number> {
  const { data, errors } = await admin.post('/automations', {
    ...{ name: 'Weak signal', applies_to: 'device', device_ids: [device.id], cooldown_duration: 0, recovery_duration: 0 },
    conditions_body: branches,
    ...more,
  });
  expect(errors ?? []).toEqual([]);
  return data.id;
}

const logOf = async (id: number) => (await admin.get(`/automations/${id}/logs`)).data;
const jobsOf = (device: Device) =>
  world.ctx.db
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['jobs.id', 'jobs.kind', 'jobs.input', 'jobs.paused_at'])
    .where('job_targets.device_id', '=', device.id)
    .orderBy('jobs.id')
    .execute();

describe('a device action of a rule', () => {
  test('is any form that starts a job, with its fields, and the entry names the job', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const id = await add(device, [
      branch([
        runForm('devices/run-command', { command: 'uptime', timeout: 20 }),
        runForm('devices/network-tools', { tool: 'neighbours' }),
      ]),
    ]);
    await report(device, { signal: -104 });
    await report(device, { signal: -105 });
    const jobs = await jobsOf(device);
    expect(jobs.map(({ kind }) => kind)).toEqual(['run', 'form']);
    expect(JSON.parse(jobs[0]?.input ?? '{}')).toMatchObject({ command: 'uptime', timeout: 20 });
    expect((await logOf(id))[0]).toMatchObject({
      status: 'done',
      actions: jobs.map((job) => ({ name: 'RunForm', status: 'ok', job_id: job.id })),
    });
  });

  test('is refused at its field when the form would refuse it, and where the person may not send the form', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const sourceOf = async (action: object, caller = admin) => {
      const { errors } = await caller.post('/automations', {
        ...{ name: 'Wrong', applies_to: 'device', device_ids: [device.id] },
        conditions_body: [branch([action])],
      });
      return errors[0]?.source;
    };
    const at = 'conditions_body.0.actions.0.options';
    expect(await sourceOf(runForm('devices/run-command', { command: 'uptime', timeout: 'soon' }))).toBe(`${at}.form_data.timeout`);
    expect(await sourceOf(runForm('devices/run-command'))).toBe(`${at}.form_data.command`);
    expect(await sourceOf(runForm('devices/no-such-form'))).toBe(`${at}.form`);
    expect(await sourceOf({ name: 'RunForm' })).toBe(`${at}.form`);
    // Passwords would be kept in the rule, and removing devices is never done by itself.
    expect(await sourceOf(runForm('devices/passwords', { mode: 'generate' }))).toBe(`${at}.form`);
    expect(await sourceOf(runForm('devices/remove'))).toBe(`${at}.form`);
    const { data: forms } = await admin.get('/automations/forms');
    const ids = forms.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['devices/switch-output', 'devices/update-firmware', 'devices/site-blocking']));
    expect(ids).not.toContain('devices/remove');
  });

  test('is not done any more when the person lost the right to it', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const owner = await as(world, 'admin', { company });
    const { data } = await owner.post('/automations', {
      ...{ name: 'Command', applies_to: 'device', device_ids: [device.id], cooldown_duration: 0, recovery_duration: 0 },
      conditions_body: [branch([runForm('devices/run-command', { command: 'uptime', timeout: 20 })])],
    });
    await (await as(world, 'super_admin')).put(`/users/${owner.user.id}/status`, { disabled: true });
    await report(device, { signal: -104 });
    expect(await jobsOf(device)).toEqual([]);
    expect((await logOf(data.id))[0]).toMatchObject({ status: 'failed', action_status_message: 'no-right' });
  });
});

test('a roll-out that the device is part of is paused, and goes on when a person resumes it', async () => {
  const router = { company, status: 1, model: 'RUTX50', firmware: 'RUTX_R_00.07.10' } as const;
  const [device, other] = await Promise.all([makeDevice(world, router), makeDevice(world, router)]);
  const file = await upload(world, admin, company, 'firmware', 'RUTX_R_00.07.11_WEBUI.bin', 'firmware');
  const { meta, errors } = await admin.post('/devices/updates/firmware', {
    ...{ device_id: [device.id, other.id], source: 'file', file_id: Number(file.meta['id']), keep_settings: true, back_within: 15 },
    waves: { size: 1, pause_seconds: 3600 },
  });
  expect(errors ?? []).toEqual([]);
  const jobId = meta.job_id;
  const id = await add(device, [branch([{ name: 'PauseRollOuts' }])]);
  await report(device, { signal: -104 });
  expect((await logOf(id))[0]).toMatchObject({ actions: [{ name: 'PauseRollOuts', status: 'ok', job_id: jobId }] });
  expect((await admin.get(`/jobs/${jobId}`)).data.paused_at).toBeTruthy();
  await report(device, { signal: -80 });
  await report(device, { signal: -104 });
  expect((await logOf(id))[0]).toMatchObject({ actions: [{ status: 'ok', message: 'no-roll-out' }] });
});

test('an incident stays open when what opened it is over, is open once, and is closed by another automation', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const open = { name: 'OpenIncident', options: { title: 'Bad line', severity: 'critical', message: '%ex' } };
  await add(device, [branch([open])]);
  await add(device, [branch([open])], { name: 'Another one' });
  await add(device, [
    branch([{ name: 'CloseIncident', options: { title: 'Bad line' } }], [{ parameter: 'temperature', operator: '>', value: '40' }]),
  ]);
  await report(device, { signal: -104 });
  await report(device, { signal: -80 });
  const alerts = async () => (await admin.get('/alerts', { device_id: String(device.id) })).data;
  expect(await alerts()).toMatchObject([{ name: 'Bad line', severity: 'critical', state: 'open' }]);
  await report(device, { temperature: 450 });
  expect(await alerts()).toMatchObject([{ name: 'Bad line', state: 'ended' }]);
});

describe('automations that cause each other', () => {
  test('are held back after three rounds, and the entry names the other one', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const command = runForm('devices/run-command', { command: 'uptime', timeout: 20 });
    const down = await add(device, [branch([command])], { name: 'Down' });
    await add(device, [branch([command], [{ ...weak, operator: '>' }])], { name: 'Up' });
    for (let round = 0; round < 4; round += 1) {
      await report(device, { signal: -104 });
      await world.clock.advance(MINUTE);
      await report(device, { signal: -80 });
      await world.clock.advance(MINUTE);
    }
    const logs = await logOf(down);
    expect(logs[0]).toMatchObject({ status: 'failed', actions: [{ message: 'loop: Up' }] });
    expect(logs.filter(({ status }: { status: string }) => status !== 'failed').length).toBeLessThanOrEqual(3);
  });

  test('are not taken for a loop where they only notify somebody, or put on a tag that decides nothing', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const tag = await makeTag(world, { company });
    const down = await add(device, [branch([{ name: 'AddTag', options: { tag_id: tag.id } }])], { name: 'Down' });
    await add(device, [branch([{ name: 'RemoveTag', options: { tag_id: tag.id } }], [{ ...weak, operator: '>' }])], { name: 'Up' });
    for (let round = 0; round < 5; round += 1) {
      await report(device, { signal: -104 });
      await report(device, { signal: -80 });
    }
    expect((await logOf(down)).map(({ status }: { status: string }) => status)).toEqual(Array.from({ length: 5 }, () => 'done'));
  });
});
