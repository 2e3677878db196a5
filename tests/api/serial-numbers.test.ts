import { beforeAll, describe, expect, test } from 'vitest';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeEnrolmentCode } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let system: Caller;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;
let code: string;

beforeAll(async () => {
  world = await makeWorld({ config: { needsApproval: true } });
  company = await makeCompany(world);
  system = await as(world, 'super_admin');
  admin = await as(world, 'admin', { company });
  code = (await makeEnrolmentCode(world, { company, uses: 100 })).code;
  return () => world[Symbol.asyncDispose]();
});

const join = (serial: string, mac: string) =>
  send(world, 'POST', '/enrol', { body: { code, serial, mac, model: 'RUTX50', firmware: 'RUTX_R_00.07.14', agent: 'test/1' } });
const rows = (serial: string) => world.ctx.db.selectFrom('devices').select(['id', 'quarantine']).where('serial', '=', serial).execute();
const list = (lines: string, status = 'approved') => system.post('/system/serial-numbers', { lines, status });

describe('serial numbers that may join', () => {
  test('one that is approved joins at once, one that is not waits for a system administrator, and approving it lets it in', async () => {
    const imported = await list('serial, mac, imei, model\nA-1, 001e42aa0001, 356938035643809, RUTX50\nA-2\n');
    expect([imported.status, imported.data]).toEqual([201, { count: 2, released: 0 }]);
    for (const [serial, mac] of [
      ['A-1', '00:1E:42:AA:00:01'],
      ['A-2', '00:1E:42:AA:00:02'],
      ['A-3', '00:1E:42:AA:00:03'],
    ] as const)
      expect((await join(serial, mac)).status).toBe(201);
    expect(await rows('A-1')).toMatchObject([{ quarantine: null }]);
    expect(await rows('A-2')).toMatchObject([{ quarantine: null }]);
    const [waiting] = await rows('A-3');
    expect(waiting).toMatchObject({ quarantine: 'not_approved' });
    expect((await admin.put(`/devices/${waiting?.id}/quarantine`, { decision: 'accept' })).status).toBe(403);
    expect((await list('A-3')).data).toEqual({ count: 1, released: 1 });
    expect(await rows('A-3')).toMatchObject([{ id: waiting?.id, quarantine: null }]);
  });

  test('an entry with a MAC is for that device alone', async () => {
    await list('B-1, 00:1E:42:BB:00:01');
    await join('B-1', '00:1E:42:BB:00:99');
    expect(await rows('B-1')).toMatchObject([{ quarantine: 'not_approved' }]);
  });

  test('one that is denied is refused as with a wrong code, also where the serial number alone is approved', async () => {
    await list('C-1');
    await list('C-1, 00:1E:42:CC:00:01', 'denied');
    const refused = await join('C-1', '00:1E:42:CC:00:01');
    expect([refused.status, refused.codes]).toEqual([403, ['ENROLMENT_REFUSED']]);
    expect((await join('C-1', '00:1E:42:CC:00:02')).status).toBe(201);
    const { data } = await system.get('/system/serial-numbers', { status: 'denied', serial: 'C-1' });
    expect(data).toMatchObject([{ serial: 'C-1', mac: '00:1E:42:CC:00:01', status: 'denied' }]);
    await system.put(`/system/serial-numbers/${data[0].id}`, { status: 'approved' });
    expect((await join('C-1', '00:1E:42:CC:00:01')).status).toBe(201);
    expect((await system.delete(`/system/serial-numbers/${data[0].id}`)).status).toBe(200);
    expect((await system.get('/system/serial-numbers', { mac: '00:1E:42:CC' })).data).toEqual([]);
  });

  test('a wrong line is named with its number, and none of them is kept', async () => {
    for (const [lines, number] of [
      ['D-1\nD 2', 2],
      ['D-1, nonsense', 1],
      ['D-1\n\nD-3,,12', 3],
    ] as const) {
      const refused = await list(lines);
      expect([refused.status, refused.errors[0]?.source, refused.errors[0]?.message]).toEqual([
        400,
        'lines',
        expect.stringContaining(`Line ${number}:`),
      ]);
    }
    expect((await system.get('/system/serial-numbers', { serial: 'D-' })).data).toEqual([]);
  });

  test('only system administrators see and decide them [AC1]', async () => {
    await makeDevice(world, { company });
    expect((await admin.get('/system/serial-numbers')).status).toBe(403);
    expect((await admin.post('/system/serial-numbers', { lines: 'E-1', status: 'approved' })).status).toBe(403);
  });
});
