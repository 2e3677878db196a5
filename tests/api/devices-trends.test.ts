import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeFile } from '../helpers/factories.ts';
import { addReading } from '../helpers/readings.ts';
import { makeReportingWorld, passTime } from '../helpers/reporting.ts';

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: { id: number };

beforeAll(async () => {
  place = await makeReportingWorld();
  company = await makeCompany(place.world);
});
afterAll(() => place?.world[Symbol.asyncDispose]());

const admin = (): Promise<Caller> => as(place.world, 'admin', { company });

describe('the list of devices', () => {
  test('the last day of many devices comes in one call, without those out of sight [AC2]', async () => {
    const device = await makeDevice(place.world, { company, status: 1, status_changed_at: place.world.clock.now() - 2 * HOUR });
    const foreign = await makeDevice(place.world);
    for (const [age, value] of [[MINUTE, -70], [MINUTE * 2, -80], [5 * HOUR, -90]] as const) await addReading(place.world, device, { age, value, metric: 'signal' }); // prettier-ignore
    await passTime(place.world, MINUTE);
    const { data } = await (await admin()).get('/devices/trends', { id: `${device.id},${foreign.id},987654321` });
    expect(data).toHaveLength(1);
    expect(data[0].signal).toHaveLength(24);
    expect(data[0].signal.filter((value: number | null) => value !== null).toSorted((a: number, b: number) => a - b)[0]).toBe(-90);
    expect(data[0].online.at(-1)).toBe(100);
    expect(data[0].online[0]).toBeNull();
    expect((await (await admin()).get('/devices/trends', { id: '1,x' })).status).toBe(400);
  });

  test('is filtered by modem, by updates that wait and by the state of the firmware', async () => {
    const modem = { modem_manufacturer: 'Quectel', modem_model: 'EG06', modem_firmware: 'R01' };
    const one = await makeDevice(place.world, { company, ...modem, model: 'RUTX11', firmware: 'RUTX_R_00.07.13' });
    const other = await makeDevice(place.world, { company, model: 'RUTX11', firmware: 'RUTX_R_00.07.14' });
    const ids = async (query: Record<string, string>) =>
      (await (await admin()).get('/devices', { id: `${one.id},${other.id}`, ...query })).data.map(({ id }: { id: number }) => id);
    expect(await ids({ modem_model: 'EG06' })).toEqual([one.id]);
    expect(await ids({ 'ne:modem_manufacturer': 'Quectel' })).toEqual([other.id]);
    expect(await ids({ firmware_state: 'unknown' })).toHaveLength(2);
    await makeFile(place.world, { company, type: 'firmware', name: 'RUTX_R_00.07.14.bin', device_model: 'RUTX', version: '00.07.14' });
    expect(await ids({ firmware_state: 'older' })).toEqual([one.id]);
    expect(await ids({ firmware_state: 'newest' })).toEqual([other.id]);
    expect(await ids({ task: 'pending_firmware' })).toEqual([]);
    expect(await ids({ task: 'no_pending_task' })).toHaveLength(2);
    const { data } = await (await admin()).get('/devices/modem-models');
    expect(data).toContainEqual({ modem_model: 'EG06', devices_count: 1 });
    const listed = (await (await admin()).get('/devices', { id: String(one.id) })).data[0];
    expect(listed).toMatchObject(modem);
    expect(listed).not.toHaveProperty('signal_day');
  });
});
