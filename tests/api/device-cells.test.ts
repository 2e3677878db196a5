import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Logger } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCells } from '../../server/domain/places/cell-table.ts';
import { openCells, placeByCells } from '../../server/domain/places/open-cells.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

const folder = mkdtempSync(join(tmpdir(), 'canopy-cells-'));
const file = join(folder, 'cells.csv');
writeFileSync(
  file,
  `radio,mcc,net,area,cell,unit,lon,lat,range
LTE,242,1,4021,1715004,0,5.32,60.39,1000
LTE,242,1,255,99,0,200,60,1000
no line of a table
GSM,310,410,7,42,0,-74,40.7,500
`,
);

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let admin: Caller;
let company: { id: number };
const where = async (id: number) => (await admin.get(`/devices/${id}/location`)).data;

beforeAll(async () => {
  place = await makeReportingWorld();
  Object.assign(place.world.ctx, { cells: await readCells(file) });
  company = await makeCompany(place.world);
  admin = await as(place.world, 'admin', { company });
});
afterAll(async () => {
  await place?.world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('a device without GPS, a place by hand or a site is where its cell is, and is elsewhere when it moves on', async () => {
  const device = await makeDevice(place.world, { company, status: 1 });
  await place.say(device, 'status', { operator_number: '24201', cell_id: '1A2B3C', lac: 4021 });
  expect(await where(device.id)).toMatchObject({ latitude: 60.39, longitude: 5.32, source: 'cell' });
  await place.say(device, 'status', { operator_number: '310410', cell_id: '42', lac: 7 });
  expect(await where(device.id)).toMatchObject({ latitude: 40.7, longitude: -74, source: 'cell' });
  await admin.put(`/devices/${device.id}/location`, { user_set_latitude: 1, user_set_longitude: 2 });
  expect(await where(device.id)).toMatchObject({ latitude: 1, source: 'user' });
  await admin.put(`/devices/${device.id}/location`, { user_set_latitude: null, user_set_longitude: null });
  expect(await where(device.id)).toMatchObject({ latitude: 40.7, source: 'cell' });
  await place.say(device, 'status', { operator_number: '24201', cell_id: 'FFFF', lac: 4021 });
  expect(await where(device.id)).toMatchObject({ latitude: null, source: null });
});

test('devices that were there before the table are placed when the server starts with it', async () => {
  const values = { operator_number: '24201', cell_id: '1A2B3C', lac: '4021' };
  const device = await makeDevice(place.world, { company, status: 1, ...values });
  expect(await where(device.id)).toMatchObject({ source: null });
  await placeByCells(place.world.ctx);
  expect(await where(device.id)).toMatchObject({ latitude: 60.39, source: 'cell' });
});

test('a table that cannot be read leaves the server without one, and odd digits find nothing', async () => {
  const { log } = place.world.ctx;
  expect((await openCells(join(folder, 'gone.csv'), log)).size).toBe(0);
  const cells = await openCells(file, log);
  expect(cells.size).toBe(2);
  for (const [network, area, cell] of [
    ['24202', '4021', '1A2B3C'],
    ['24201', '4021', null],
    ['242', '4021', '1A2B3C'],
    ['24201', '4021', '__proto__'],
  ] as const)
    expect(cells.find(network, area, cell)).toBeUndefined();
});

test.each<[string, string | Buffer]>([
  ['packed', gzipSync('radio,mcc,net,area,cell,unit,lon,lat\nGSM,242,1,16417,1715004,0,5.3,60.4\n')],
  ['one endless line', Buffer.alloc(30_000_000, '242,')],
  ['no columns of places', 'mcc,net\n242,1\n'],
  ['numbers that are none', 'LTE,242,1,NaN,1,0,5,60\nLTE,242,1,1,1,0,1e400,60\nLTE,__proto__,1,1,1,0,5,60\nLTE,242,1,1,1,0,5,91\n'],
])('a table that is %s has no cells, and the log says how it has to be', async (_kind, content) => {
  const path = join(folder, 'odd.csv');
  writeFileSync(path, content);
  const said: string[] = [];
  const log = { info: () => undefined, error: () => undefined, warn: (_about: object, text: string) => said.push(text) };
  expect((await openCells(path, log as unknown as Logger)).size).toBe(0);
  expect(said).toEqual([expect.stringContaining('no line that is a cell')]);
});
