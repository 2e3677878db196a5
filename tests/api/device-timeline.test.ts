import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld, passTime } from '../helpers/reporting.ts';

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: { id: number };

beforeAll(async () => {
  place = await makeReportingWorld();
  company = await makeCompany(place.world);
});
afterAll(() => place?.world[Symbol.asyncDispose]());

/** A session of its own for each use: time passes in these tests, and sessions end. */
const caller = (role: 'admin' | 'read_only' = 'admin'): Promise<Caller> => as(place.world, role, { company });
const newDevice = (values: Partial<Row<'devices'>> = {}): Promise<Row<'devices'>> => makeDevice(place.world, { company, ...values });

interface Entry {
  id: string;
  kind: string;
  job?: { kind: string; state: string; output: string | null };
  change?: { action: string };
  event?: { type: string };
}
async function readAll(device: { id: number }, query: Record<string, string | number>): Promise<Entry[]> {
  const admin = await caller();
  const all: Entry[] = [];
  let before: unknown;
  for (let page = 0; page < 50; page += 1) {
    const { data } = await admin.get(`/devices/${device.id}/timeline`, { ...query, ...(before ? { before: String(before) } : {}) });
    all.push(...data.entries);
    before = data.next;
    if (!before) return all;
  }
  throw new Error('the timeline has no end');
}

describe('the timeline of a device', () => {
  test('has events, jobs with outcome and changes together, newest first, page by page without a gap or a repetition', async () => {
    const device = await newDevice({ status: 1 });
    for (let turn = 0; turn < 4; turn += 1) {
      await place.say(device, 'log', { level: 'info', message: `line ${turn}` });
      await (await caller()).put(`/devices/${device.id}`, { name: `Name ${turn}` });
      await (await caller()).post('/devices/commands', { device_id: [device.id], command: `uptime; echo ${turn}`, timeout: 5 });
      await place.world.ctx.jobs.settled();
      await (await caller()).post('/devices/notes', { device_id: device.id, text: `note ${turn}` });
      if (turn % 2) await passTime(place.world, MINUTE);
      const target = await place.world.ctx.db
        .selectFrom('job_targets')
        .select('command_id')
        .where('device_id', '=', device.id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      await place.say(device, 'result', { id: target.command_id, state: 'ok', code: 0, output: `up ${turn} days\nmore` });
    }
    const whole = await readAll(device, { limit: 100 });
    const counts = Object.groupBy(whole, ({ kind }) => kind);
    expect(counts['job']).toHaveLength(4);
    expect(counts['note']).toHaveLength(4);
    expect(counts['event']?.filter(({ event }) => event?.type === 'log')).toHaveLength(4);
    expect(counts['change']?.filter(({ change }) => change?.action === 'devices.edit')).toHaveLength(4);
    expect(counts['job']?.map(({ job }) => job?.output)).toEqual(['up 3 days', 'up 2 days', 'up 1 days', 'up 0 days']);
    const times = whole.map(({ id }) => Number(id.split('-')[0]));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const limit of [1, 2, 5]) expect((await readAll(device, { limit })).map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    expect((await readAll(device, { kinds: 'job', limit: 3 })).every(({ kind }) => kind === 'job')).toBe(true);
  });

  test('a wrong cursor and a wrong kind are refused, a device out of sight is not found', async () => {
    const device = await newDevice();
    const admin = await caller();
    expect((await admin.get(`/devices/${device.id}/timeline`, { before: 'x' })).status).toBe(400);
    expect((await admin.get(`/devices/${device.id}/timeline`, { kinds: 'job,other' })).status).toBe(400);
    const foreign = await makeDevice(place.world);
    for (const path of ['timeline', 'evidence', 'namesakes', 'data-limit'])
      expect([path, (await admin.get(`/devices/${foreign.id}/${path}`)).status]).toEqual([path, 404]);
  });
});

describe('why a device is offline', () => {
  test('commands and changes from about that time are included', async () => {
    const device = await newDevice({ status: 0, operator: 'Telia' });
    await place.say(device, 'status', { operator: 'Telia', signal: -80 });
    await place.world.clock.advance(10 * MINUTE);
    await place.say(device, 'status', { operator: 'Telenor', signal: -111 });
    await place.say(device, 'status', { online: false });
    await place.world.clock.advance(2 * MINUTE);
    const { data } = await (await caller()).get(`/devices/${device.id}/evidence`);
    // It was silent for too long, came back, and said goodbye.
    expect(data.disconnects).toBe(2);
    expect(data.events[0]).toMatchObject({ type: 'disconnected' });
    expect(data.readings.find(({ metric }: { metric: string }) => metric === 'signal')).toMatchObject({ value: -111 });
    expect(data.since).toBe(data.events[0].created_at);
  });

  test('devices with the same serial number are compared, as far as they are visible', async () => {
    const serial = 'SAME-1';
    const [one, other] = [await newDevice({ serial }), await newDevice({ serial, quarantine: 'duplicate_serial', status: 2 })];
    await makeDevice(place.world, { serial });
    const { data } = await (await caller()).get(`/devices/${other.id}/namesakes`);
    expect(data.map(({ id }: { id: number }) => id)).toEqual([one.id, other.id]);
  });
});

describe('the data limit of a device', () => {
  test('is set with a day on which the month begins, and used data is counted from then on', async () => {
    const device = await newDevice({ sent: 0, received: 0 });
    await place.say(device, 'status', { wan_state: 'Mobile', sim_slot: 1, tx_bytes: 100, rx_bytes: 900 });
    await place.say(device, 'status', { wan_state: 'Wired', tx_bytes: 5000, rx_bytes: 5000 });
    const admin = await caller();
    expect((await admin.get(`/devices/${device.id}/data-limit`)).data).toMatchObject({ limit_gb: null, starts_on: 1, used_bytes: 1000 });
    expect((await admin.put(`/devices/${device.id}/data-limit`, { limit_gb: 0.5, starts_on: 15 })).status).toBe(200);
    const { data } = await admin.get(`/devices/${device.id}/data-limit`);
    expect(data).toMatchObject({ limit_gb: 0.5, limit_bytes: 536_870_912, starts_on: 15 });
    expect(data).toMatchObject({ forecast_bytes: null, reached_on: null });
    expect(data.since).toMatch(/-15 00:00:00$/);
    const entry = await place.world.ctx.db
      .selectFrom('audit')
      .select(['before', 'after'])
      .where('action', '=', 'devices.data-limit')
      .where('entity_id', '=', device.id)
      .executeTakeFirstOrThrow();
    expect([JSON.parse(entry.before ?? ''), JSON.parse(entry.after ?? '')]).toEqual([
      { limit_gb: null, starts_on: 1 },
      { limit_gb: 0.5, starts_on: 15 },
    ]);
    expect((await (await caller('read_only')).put(`/devices/${device.id}/data-limit`, { starts_on: 1 })).status).toBe(403);
    await place.world.clock.jump(32 * DAY + HOUR);
    expect((await (await caller()).get(`/devices/${device.id}/data-limit`)).data.used_bytes).toBe(0);
  });
});
