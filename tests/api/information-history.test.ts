import { beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, wireTime } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: Awaited<ReturnType<typeof makeCompany>>;
beforeAll(async () => {
  place = await makeReportingWorld();
  company = await makeCompany(place.world);
  return () => place.world[Symbol.asyncDispose]();
});
const admin = (): Promise<Caller> => as(place.world, 'admin', { company });

test('the public API says what a device was at a past moment, and when a parameter changed', async () => {
  const device = await makeDevice(place.world, { company, operator: null, signal: null, sent: 0, received: 0 });
  const path = `/devices/${device.id}/information-history`;
  await place.say(device, 'status', { operator: 'Telia', signal: -70, sim_slot: 1, tx_bytes: 100, rx_bytes: 1000 });
  const first = wireTime(place.world.clock.now());
  await place.world.clock.jump(HOUR);
  await place.say(device, 'status', { operator: 'Telia', signal: -80, sim_slot: 1, tx_bytes: 150, rx_bytes: 1500 });
  await place.world.clock.jump(HOUR);
  await place.say(device, 'status', { operator: 'Telenor', signal: -80, sim_slot: 2, tx_bytes: 150, rx_bytes: 1500 });
  const caller = await admin();
  const before = (await caller.get(path, { datetime: first })).data[0];
  const now = (await caller.get(path)).data[0];
  expect(before).toMatchObject({ device_id: device.id, operator: 'Telia', signal: -70, sim_slot: 1, mcc: null });
  expect(now).toMatchObject({ operator: 'Telenor', signal: -80, sim_slot: 2 });
  expect([now.rx_day, now.rx_month].map(Number).every((bytes) => bytes >= 500)).toBe(true);

  const operators = await caller.get(`${path}/parameter`, { parameter: 'operator' });
  expect(operators.meta['total']).toBe(2);
  expect(operators.data[1]).toEqual({ created_at: first });
  expect((await caller.get(`${path}/parameter`, { parameter: 'signal' })).data).toHaveLength(2);
  expect((await caller.get(`${path}/parameter`, { parameter: 'operator', datetime: first })).data).toEqual([{ created_at: first }]);
  const days: { date: string; times: string[] }[] = (await caller.get(`${path}/datetimes`)).data;
  expect(days.flatMap(({ date, times }) => times.map((time) => `${date} ${time}`))).toContain(first);
});

test('nothing is known of a time before the first report, and nothing of a device of somebody else', async () => {
  const device = await makeDevice(place.world, { company });
  const path = `/devices/${device.id}/information-history`;
  const before = wireTime(place.world.clock.now() - 400 * DAY);
  expect((await (await admin()).get(path, { datetime: before })).data[0]).toMatchObject({ firmware: null, signal: null, rx_day: '0' });
  const stranger = await as(place.world, 'admin');
  for (const end of ['', '/parameter?parameter=operator', '/datetimes']) expect((await stranger.get(`${path}${end}`)).status).toBe(404);
  expect((await (await admin()).get(`${path}/parameter`, { parameter: 'password' })).status).toBe(400);
});

test('events of all devices are one list, of visible devices only', async () => {
  const mine = await makeDevice(place.world, { company });
  const foreign = await makeDevice(place.world);
  for (const device of [mine, foreign]) await place.say(device, 'log', { message: `from ${device.id}` });
  const caller = await admin();
  const { data, meta } = await caller.get('/devices/logs', { limit: '5' });
  expect(data.length).toBeGreaterThan(0);
  expect(meta['total']).toBeGreaterThan(0);
  expect(data.every(({ company_id }: { company_id: number }) => company_id === company.id)).toBe(true);
  expect(data[0]).toMatchObject({ device_id: mine.id, serial: mine.serial });
});
