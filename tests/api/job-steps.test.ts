import { expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { findUserActor } from '../../server/kernel/auth/find-actor.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';
import type { DeviceStep, EndedTarget, JobKind } from '../../server/domain/jobs/types.ts';
import { send } from '../helpers/as.ts';
import { makeDevice } from '../helpers/factories.ts';
import { download, upload } from '../helpers/files.ts';
import { answer, place, statesOf } from '../helpers/jobs.ts';
import { filePart, multipartBody, multipartHeaders } from '../helpers/multipart.ts';
import type { World } from '../helpers/world.ts';

type Input = { fileId?: number };

/** Work of several steps: `flash`, `check`, `confirm`, and after a failure `rollback`. */
function kindOf(ended: EndedTarget[][]): JobKind<Input> {
  const step = (name: string, more: Partial<DeviceStep> = {}): DeviceStep => ({
    name,
    verb: 'run',
    timeoutSeconds: 30,
    body: name,
    ...more,
  });
  return {
    name: 'several',
    permission: 'execute_device_actions',
    skipReason: () => undefined,
    runs: {
      on: 'device',
      note: (_input, device) => ({ signal: device.signal }),
      steps: ({ fileId }, _device, facts) => [
        step('flash', fileId === undefined ? {} : { fileId }),
        step('check', { body: `check ${JSON.stringify(facts)}`, acceptedCodes: [3] }),
        step('note', { isOptional: true }),
        step('backup', { receives: { type: 'config', name: 'backup.tar.gz' } }),
        step('rollback', { when: 'failed' }),
      ],
      async ended(_trx, { targets }) {
        ended.push([...targets]);
      },
    },
  };
}

async function begin(count = 1, input: Input = {}) {
  const started = await place(count);
  const ended: EndedTarget[][] = [];
  const { world, devices, admin } = started;
  world.ctx.jobs.register(kindOf(ended));
  const actor = { ...(await actorOf(world, admin.user.id)) };
  const job = await world.ctx.jobs.create(actor, origin, { kind: 'several', input, target: { device_id: devices.map(({ id }) => id) } });
  await world.ctx.jobs.settled();
  const [device] = devices;
  if (!device) throw new Error('a device');
  return { ...started, device, ended, jobId: job.jobId };
}

const origin = { ip: '127.0.0.1', requestId: 'test', userAgent: 'test' };

async function actorOf(world: World, userId: number) {
  const membership = await world.ctx.db.selectFrom('memberships').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow();
  const actor = await findUserActor(world.ctx, { userId, companyId: membership.company_id, onBehalfOf: null });
  if (!actor) throw new Error('an actor');
  return actor;
}

const bodies = (world: World): string[] => world.commands.map(({ command }) => command.body);
const lastId = (world: World): string => world.commands.at(-1)?.command.id ?? '';
const signed = (device: { device_key: string }, password = 'secret') => ({
  authorization: `Basic ${Buffer.from(`${device.device_key}:${password}`).toString('base64')}`,
});

test('steps are done one after another, each by a command of its own; what each gave can be read', async () => {
  const { world, device, admin, jobId, ended } = await begin();
  await using _end = world;
  await answer(world, device, { output: 'written' });
  await answer(world, device, { state: 'failed', code: 3, message: 'exit code 3' });
  await answer(world, device, { state: 'failed', code: 9, message: 'nothing to note' });
  expect(bodies(world)).toEqual(['flash', 'check {"signal":null}', 'note', 'backup']);
  expect(new Set(world.commands.map(({ command }) => command.id)).size).toBe(4);
  const headers = multipartHeaders(signed(device));
  const given = { body: multipartBody([filePart('config', 'x')]), headers };
  expect((await send(world, 'POST', `/device-files/${lastId(world)}`, given)).status).toBe(200);
  await answer(world, device, {});
  expect(await statesOf(admin, jobId)).toEqual(['ok']);
  const [target] = (await admin.get(`/jobs/${jobId}/targets`)).data;
  expect(target).toMatchObject({ step: 4, steps: 5, step_name: 'backup', message: null });
  const steps = (await admin.get(`/jobs/${jobId}/steps`, { target_id: target.id })).data;
  expect(steps.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)).toEqual([
    'flash ok',
    'check ok',
    'note failed',
    'backup ok',
  ]);
  expect(steps[0].output).toBe('written');
  expect((await admin.get(`/files/${steps[3].file_id}`)).data).toMatchObject({
    name: 'backup.tar.gz',
    type: 'config',
    device_id: device.id,
    file_size: 6,
  });
  expect(ended).toEqual([[{ id: target.id, device_id: device.id, state: 'ok', output: null }]]);
});

test('a step whose file did not come has failed', async () => {
  const { world, device, admin, jobId } = await begin();
  await using _end = world;
  for (const _ of ['flash', 'check', 'note', 'backup', 'rollback']) await answer(world, device, {});
  expect((await admin.get(`/jobs/${jobId}/targets`)).data).toMatchObject([{ state: 'failed', message: 'The file did not arrive.' }]);
});

test('after a failure the rest is left out and what undoes it is done; the target says what failed first', async () => {
  const { world, device, admin, jobId, ended } = await begin();
  await using _end = world;
  await answer(world, device, {});
  await answer(world, device, { state: 'failed', code: 1, message: 'no WAN' });
  expect(bodies(world)).toEqual(['flash', 'check {"signal":null}', 'rollback']);
  expect(await statesOf(admin, jobId)).toEqual(['sent']);
  await answer(world, device, { message: 'The old image runs again' });
  expect((await admin.get(`/jobs/${jobId}/targets`)).data).toMatchObject([{ state: 'failed', message: 'no WAN', code: 1 }]);
  expect(ended).toMatchObject([[{ state: 'failed' }]]);
});

test('a step that is not answered in its time is timed out, and undone; a late answer to it goes on with nothing', async () => {
  const { world, device, admin, jobId } = await begin();
  await using _end = world;
  const lateId = lastId(world);
  await world.clock.advance(2 * MINUTE);
  await world.ctx.jobs.settled();
  expect(bodies(world).at(-1)).toBe('rollback');
  const said = { connectedAt: null, state: 'ok', code: 0, message: null, output: null, truncated: false } as const;
  const late = { deviceId: device.id, commandId: lateId, ...said };
  await inTransaction(world.ctx.db, (trx) => world.ctx.jobs.takeResults(trx, [late]));
  await world.ctx.jobs.settled();
  expect(bodies(world).filter((body) => body.startsWith('check'))).toEqual([]);
  await answer(world, device, {});
  expect(await statesOf(admin, jobId)).toEqual(['timed-out']);
});

test('the file of a command is for its device, while the command lasts, in ranges [IN4]', async () => {
  const { world, company, admin } = await place(0);
  await using _end = world;
  const { meta } = await upload(world, admin, company, 'firmware!', 'a.cfg');
  const [device, other] = [await makeDevice(world, { company }), await makeDevice(world, { company })];
  world.ctx.jobs.register(kindOf([]));
  const actor = await actorOf(world, admin.user.id);
  const input = { fileId: Number(meta['id']) };
  await world.ctx.jobs.create(actor, origin, { kind: 'several', input, target: { device_id: [device.id] } });
  await world.ctx.jobs.settled();
  const get = (caller: object, more = {}) =>
    world.app.fastify.inject({ url: `/api/device-files/${lastId(world)}`, headers: { ...caller, ...more } });
  expect((await get(signed(device))).body).toBe('firmware!');
  expect((await get(signed(device), { range: 'bytes=4-' })).body).toBe('ware!');
  for (const caller of [signed(other), signed(device, 'guess'), {}, admin.headers]) expect((await get(caller)).statusCode).toBe(404);
  expect((await download(world, admin, `/device-files/${lastId(world)}`)).statusCode).toBe(404);
  const given = { body: multipartBody([filePart('x', 'x')]), headers: multipartHeaders(signed(device)) };
  expect((await send(world, 'POST', `/device-files/${lastId(world)}`, given)).status).toBe(404);
  const before = lastId(world);
  await answer(world, device, {});
  const again = await world.app.fastify.inject({ url: `/api/device-files/${before}`, headers: signed(device) });
  expect(again.statusCode).toBe(404);
});

test('the file of a command is not given out after the time of the command [IN4]', async () => {
  const { world, company, admin } = await place(0);
  await using _end = world;
  const { meta } = await upload(world, admin, company, 'firmware!', 'a.cfg');
  const device = await makeDevice(world, { company });
  world.ctx.jobs.register(kindOf([]));
  const input = { fileId: Number(meta['id']) };
  await world.ctx.jobs.create(await actorOf(world, admin.user.id), origin, { kind: 'several', input, target: { device_id: [device.id] } });
  await world.ctx.jobs.settled();
  const get = () => world.app.fastify.inject({ url: `/api/device-files/${lastId(world)}`, headers: signed(device) });
  expect((await get()).statusCode).toBe(200);
  await world.clock.jump(60 * MINUTE);
  expect((await get()).statusCode).toBe(404);
});

test('what a device says of a command that another one was given changes nothing [IN4]', async () => {
  const { world, devices, jobId, admin } = await begin(2);
  await using _end = world;
  const [own, other] = devices;
  if (!own || !other) throw new Error('two devices');
  const command = world.commands.find((sent) => sent.deviceKey === own.device_key)?.command;
  const said = { connectedAt: null, state: 'ok', code: 0, message: null, output: 'forged', truncated: false } as const;
  await inTransaction(world.ctx.db, (trx) =>
    world.ctx.jobs.takeResults(trx, [{ deviceId: other.id, commandId: command?.id ?? '', ...said }]),
  );
  await world.ctx.jobs.settled();
  expect(await statesOf(admin, jobId)).toEqual(['sent', 'sent']);
  expect(JSON.stringify((await admin.get(`/jobs/${jobId}/targets`)).data)).not.toContain('forged');
});
