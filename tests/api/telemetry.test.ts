import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { addReading } from '../helpers/readings.ts';
import { makeReportingWorld, passTime } from '../helpers/reporting.ts';

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: { id: number };

beforeAll(async () => {
  place = await makeReportingWorld();
  company = await makeCompany(place.world);
});
afterAll(() => place?.world[Symbol.asyncDispose]());

/** A session of its own for each use: time passes in these tests, and sessions end. */
const admin = (): Promise<Caller> => as(place.world, 'admin', { company });
const newDevice = (values: Partial<Row<'devices'>> = {}): Promise<Row<'devices'>> => makeDevice(place.world, { company, ...values });
const day = (age = 0): string => new Date(place.world.clock.now() - age).toISOString().slice(0, 10);

describe('readings of a device', () => {
  test('of some days come one by one, of some weeks by the hour, of a year by the day', async () => {
    const device = await newDevice();
    for (const age of [HOUR, 30 * DAY, 200 * DAY]) await addReading(place.world, device, { age, value: 10, metric: 'signal' });
    await addReading(place.world, device, { age: HOUR - 10 * MINUTE, value: 20, metric: 'signal' });
    const read = async (age: number) =>
      (await (await admin()).get(`/devices/${device.id}/series`, { metrics: 'signal', start_date: day(age), end_date: day() })).data;
    const [recent, month, year] = [await read(DAY), await read(40 * DAY), await read(250 * DAY)];
    expect([recent, month, year].map(({ resolution }) => resolution)).toEqual(['raw', 'hour', 'day']);
    expect(recent.series[0].points.map(([, average]: number[]) => average)).toEqual([10, 20]);
    expect(month.series[0].points).toHaveLength(2);
    expect(year.series[0].points).toHaveLength(3);
    expect(year.series[0].points.at(-1).slice(1)).toEqual([15, 10, 20]);
    expect(year.series[0].unit).toBe('dBm');
  });

  test('a report that comes twice is counted once', async () => {
    const device = await newDevice();
    for (let turn = 0; turn < 2; turn += 1) await addReading(place.world, device, { age: 90 * MINUTE, value: 4, metric: 'load5' });
    const rows = await place.world.ctx.db
      .selectFrom('device_hours')
      .select(['readings', 'total'])
      .where('device_id', '=', device.id)
      .execute();
    expect(rows).toEqual([{ readings: 1, total: 4 }]);
  });

  test('the names of what it has reported', async () => {
    const device = await newDevice();
    await place.say(device, 'telemetry', { values: { load5: 1, disk_used_kb: 5 } });
    expect((await (await admin()).get(`/devices/${device.id}/metrics`)).data).toEqual([
      { name: 'disk_used_kb', unit: 'KiB', kind: 'number' },
      { name: 'load5', unit: '', kind: 'number' },
    ]);
  });

  test('texts are kept where they change, from what they were before the period on', async () => {
    const device = await newDevice({ operator: null, connection_type: null });
    await place.say(device, 'status', { operator: 'Telia', connection_type: 'LTE' });
    await passTime(place.world, HOUR);
    await place.say(device, 'status', { operator: 'Telia', connection_type: '5G' });
    await passTime(place.world, HOUR);
    const { data } = await (await admin()).get(`/devices/${device.id}/series`, { states: 'operator,connection_type' });
    const values = data.states.map(({ spans }: { spans: [number, number, string][] }) =>
      spans.map(([from, to, value]) => [to - from, value]),
    );
    expect(values).toEqual([
      [[7200, 'Telia']],
      [
        [3600, 'LTE'],
        [3600, '5G'],
      ],
    ]);
  });

  test('when it was online, and how much of the time', async () => {
    const device = await newDevice({ status: 0, status_changed_at: place.world.clock.now(), report_seconds: 3600 });
    await place.say(device, 'status', { uptime: 1 });
    await passTime(place.world, HOUR);
    await place.say(device, 'status', { online: false });
    await passTime(place.world, HOUR);
    const { data } = await (await admin()).get(`/devices/${device.id}/presence`);
    expect(data.spans.map((span: { is_online: boolean; from: number; to: number }) => [span.is_online, span.to - span.from])).toEqual([
      [true, 3600],
      [false, 3600],
    ]);
    expect(data.online_percent).toBe(50);
  });

  test('data used by day and SIM, and what went another way; a counter that begins again is no traffic', async () => {
    const device = await newDevice({ sent: 0, received: 0 });
    await place.say(device, 'status', { wan_state: 'Mobile', sim_slot: 1, tx_bytes: 100, rx_bytes: 1000 });
    await place.say(device, 'status', { wan_state: 'Mobile', sim_slot: 2, tx_bytes: 150, rx_bytes: 1500 });
    await place.say(device, 'status', { wan_state: 'Wired', tx_bytes: 10, rx_bytes: 20 });
    await place.say(device, 'status', { wan_state: 'Wired', tx_bytes: 14, rx_bytes: 22 });
    const sims = [
      { sim_id: 0, data: { tx: 4, rx: 2 } },
      { sim_id: 1, data: { tx: 100, rx: 1000 } },
      { sim_id: 2, data: { tx: 50, rx: 500 } },
    ];
    expect((await (await admin()).get(`/devices/${device.id}/data-usage`)).data).toEqual([
      { date: day(), modems: [{ modem_id: '1', sims }] },
    ]);
  });

  test('the public API gets them moment by moment', async () => {
    const device = await newDevice({ operator: null });
    await place.say(device, 'status', { operator: 'Telia', signal: -70, temperature: 360 });
    await place.world.clock.jump(MINUTE);
    const { data } = await (await admin()).get(`/devices/${device.id}/information/dynamic`);
    expect(data).toMatchObject([{ signal: -70, temperature: 360, operator: 'Telia', connection_type: null }]);
  });

  test('those of a device out of sight are not found, like those of none [AC2]', async () => {
    const foreign = await makeDevice(place.world);
    for (const path of ['metrics', 'series', 'presence', 'data-usage', 'information/dynamic'])
      for (const id of [foreign.id, 987_654_321])
        expect([path, (await (await admin()).get(`/devices/${id}/${path}`)).status]).toEqual([path, 404]);
  });

  test('a period that ends before it begins, and names that are none, are refused at their field [IN7]', async () => {
    const device = await newDevice();
    const ask = async (query: Record<string, string>) =>
      (await (await admin()).get(`/devices/${device.id}/series`, query)).errors[0]?.source;
    expect(await ask({ start_date: '2026-03-02', end_date: '2026-03-01' })).toBe('end_date');
    expect(await ask({ metrics: "a';--" })).toBe('metrics');
  });
});

test('what is older than it is kept goes: readings, hours and days, each after its time', async () => {
  const { world } = await makeReportingWorld({ config: { telemetryRawMs: DAY, telemetryHoursMs: 2 * DAY, telemetryDaysMs: 10 * DAY } });
  await using _world = world;
  const device = await makeDevice(world);
  for (const age of [0, 1.5 * DAY, 5 * DAY, 20 * DAY]) await addReading(world, device, { age });
  await world.clock.jump(HOUR);
  const count = async (table: 'device_samples' | 'device_hours' | 'device_days') =>
    (await world.ctx.db.selectFrom(table).select('at').where('device_id', '=', device.id).execute()).length;
  expect([await count('device_samples'), await count('device_hours'), await count('device_days')]).toEqual([1, 2, 3]);
});
