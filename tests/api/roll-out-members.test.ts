import { beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { answer, reboot, startJob } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Device = Awaited<ReturnType<typeof makeDevice>>;

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

async function routers(model: string, count: number, more: object = {}): Promise<Device[]> {
  const made: Device[] = [];
  for (let index = 0; index < count; index += 1) made.push(await makeDevice(world, { company, model, ...more }));
  return made;
}

async function tagged(devices: readonly Device[]): Promise<number> {
  const tag = await makeTag(world, { company });
  const rows = devices.map(({ id }) => ({ device_id: id, tag_id: tag.id }));
  await world.ctx.db.insertInto('device_tags').values(rows).execute();
  return tag.id;
}

const sentTo = (devices: readonly Device[]): number[] =>
  devices.filter((device) => world.commands.some((sent) => sent.deviceKey === device.device_key)).map(({ id }) => id);

describe('the first wave of a roll-out is the devices with a tag [B7]', () => {
  test('those that it runs on go first, whatever their order; the others follow in waves [B7]', async () => {
    const devices = await routers('RUTX50', 4);
    const [, second, , fourth] = devices;
    if (!second || !fourth) throw new Error('four devices');
    const first_tag_id = await tagged([second, fourth]);
    const { meta } = await startJob(world, admin, '/devices/actions', { ...reboot(devices), waves: { size: 2, first_tag_id } });
    expect(sentTo(devices)).toEqual([second.id, fourth.id]);
    const path = `/jobs/${String(meta['job_id'])}`;
    expect((await admin.get(path)).data.waves).toMatchObject({ first: 2, size: 2, number: 1, total: 2, newcomers: false });
    await answer(world, second, {});
    await answer(world, fourth, {});
    expect(sentTo(devices)).toHaveLength(4);
  });

  test('a tag that none of them has, one of another company, and a number of devices beside it are refused at the field', async () => {
    const devices = await routers('RUTX51', 2);
    const unused = await tagged(await routers('RUTX52', 1));
    const foreign = await makeTag(world);
    for (const waves of [
      { size: 1, first_tag_id: unused },
      { size: 1, first_tag_id: foreign.id },
      { size: 1, first: 1, first_tag_id: unused },
    ]) {
      const refused = await admin.post('/devices/actions', { ...reboot(devices), waves });
      expect([refused.status, refused.errors[0]?.source]).toEqual([400, 'waves.first_tag_id']);
    }
    expect(sentTo(devices)).toEqual([]);
  });
});

describe('newcomers of a roll-out [B7]', () => {
  const all = (model: string, count: number) => ({ action: 'reboot', selection: { query: { model }, count } });

  test('devices that match later join the next wave, and once more after the last; then it is over [B7]', async () => {
    const [first, second] = await routers('TRB140', 2);
    if (!first || !second) throw new Error('two devices');
    const body = { ...all('TRB140', 2), waves: { size: 1, newcomers: true } };
    const { meta } = await startJob(world, admin, '/devices/actions', body);
    const path = `/jobs/${String(meta['job_id'])}`;
    const [third] = await routers('TRB140', 1);
    const [, off] = await routers('TRB140', 2, { status: 0 });
    const [other] = await routers('TRB141', 1);
    if (!third || !off || !other) throw new Error('three more');
    await answer(world, first, {});
    expect((await admin.get(path)).data).toMatchObject({
      total: 3,
      counts: { ok: 1, sent: 1, queued: 1, skipped: 0 },
      waves: { newcomers: true, total: 3 },
    });
    await answer(world, second, {});
    await answer(world, third, {});
    expect((await admin.get(path)).data).toMatchObject({ state: 'finished', total: 3, counts: { ok: 3 } });
    expect(sentTo([third, off, other])).toEqual([third.id]);
  });

  test('one that comes during the last wave gets its own; nobody joins a job that was cancelled', async () => {
    const [first] = await routers('TRB142', 1);
    if (!first) throw new Error('a device');
    const { meta } = await startJob(world, admin, '/devices/actions', { ...all('TRB142', 1), waves: { size: 5, newcomers: true } });
    const path = `/jobs/${String(meta['job_id'])}`;
    const [late] = await routers('TRB142', 1);
    if (!late) throw new Error('a device');
    await answer(world, first, {});
    expect((await admin.get(path)).data).toMatchObject({ state: 'running', waves: { number: 2 } });
    expect(sentTo([late])).toEqual([late.id]);
    const [later] = await routers('TRB142', 1);
    if (!later) throw new Error('a device');
    await admin.post(`${path}/cancel`);
    await answer(world, late, {});
    await world.clock.advance(2 * MINUTE);
    await world.ctx.jobs.settled();
    expect(sentTo([later])).toEqual([]);
    expect((await admin.get(path)).data.total).toBe(2);
  });

  test('they are asked for only where the job is for all that match a query', async () => {
    const refused = await admin.post('/devices/actions', { ...reboot(await routers('TRB143', 2)), waves: { size: 1, newcomers: true } });
    expect([refused.status, refused.errors[0]?.source]).toEqual([400, 'waves.newcomers']);
  });
});
