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

test('the history of chosen parameters is exported by changes or by steps, as CSV, JSON and Excel, of visible devices only', async () => {
  const device = await makeDevice(place.world, { company, operator: null, signal: null, status: 1, activated_at: 1 });
  const start = place.world.clock.now();
  await place.say(device, 'status', { operator: 'Telia', signal: -70 });
  await place.world.clock.jump(2 * HOUR);
  await place.say(device, 'status', { operator: '=cmd()', signal: -80 });
  const [start_date, end_date] = [wireTime(start).slice(0, 10), wireTime(place.world.clock.now()).slice(0, 10)];
  const asked = { format: 'csv', interval: 'changes', start_date, end_date, parameters: ['operator', 'signal'] };
  const path = `/devices/${device.id}/information-history/export`;
  const caller = await admin();
  const csv = (await caller.post(path, asked)).text.trim().split(/\r?\n/);
  expect(csv[0]).toBe('time (UTC),operator,signal');
  expect(csv).toHaveLength(3);
  expect(csv[1]).toContain('Telia,-70');
  // A spreadsheet would take it for a formula.
  expect(csv[2]).not.toContain(',=cmd');
  const json: Record<string, unknown>[] = JSON.parse((await caller.post(path, { ...asked, format: 'json', interval: 'minutes' })).text);
  expect(json.map(({ operator, signal }) => [operator, signal])).toEqual([
    ['Telia', -70],
    ['=cmd()', -80],
  ]);
  expect((await caller.post(path, { ...asked, format: 'xlsx' })).text.slice(0, 2)).toBe('PK');
  expect((await caller.post(path, { ...asked, start_date: '2020-01-01' })).errors[0]?.source).toBe('start_date');
  expect((await caller.post(path, { ...asked, start_date: end_date, end_date: '2020-01-01' })).errors[0]?.source).toBe('end_date');
  expect((await (await as(place.world, 'admin')).post(path, asked)).status).toBe(404);
});
