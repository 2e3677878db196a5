import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { asProgram } from '../helpers/program.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: { id: number };
let admin: Caller;
let two: Awaited<ReturnType<typeof makeDevice>>;
let one: Awaited<ReturnType<typeof makeDevice>>;

const FIRST = { signal: -70, operator: 'Telenor NO', operator_number: '24201', connection_type: 'LTE', network_state: 'Home', sim_slot: 1, wan_state: 'Mobile', cell_id: '1A2B3C', lac: 4021 }; // prettier-ignore
const SECOND = { signal_2: -98, rsrp_2: -120, operator_2: 'Telia N', operator_number_2: '24202', connection_type_2: '3G', network_state_2: 'Roaming', sim_slot_2: 2, mobile_ip_2: '100.96.0.2', imei_2: '350000000000014', cell_id_2: 'FF' }; // prettier-ignore
const bytes = (rx: number, tx: number) => ({ rx_bytes: rx * 10, tx_bytes: tx * 10, rx_bytes_2: rx, tx_bytes_2: tx });

beforeAll(async () => {
  place = await makeReportingWorld();
  company = await makeCompany(place.world);
  admin = await as(place.world, 'admin', { company });
  two = await makeDevice(place.world, { company, status: 1, model: 'RUTX12', name: 'quay' });
  one = await makeDevice(place.world, { company, status: 1, model: 'RUTX11', name: 'pier' });
  await place.say(two, 'status', { ...FIRST, ...SECOND, ...bytes(1000, 100) });
  await place.say(two, 'status', { ...FIRST, ...SECOND, ...bytes(5000, 400) });
  await place.say(one, 'status', FIRST);
});
afterAll(() => place?.world[Symbol.asyncDispose]());

describe('a device with two modems', () => {
  test('shows both, in the list and by itself', async () => {
    const { data } = await admin.get(`/devices/${two.id}`);
    expect(data).toMatchObject({ signal: -70, cell_id: '1A2B3C', lac: '4021', operator_number: '24201', ...SECOND, received_2: 5000, sent_2: 400 }); // prettier-ignore
    const listed = await admin.get('/devices', { fields: 'name,signal_2,operator_2', sort: 'signal_2' });
    expect(listed.data).toEqual([
      { name: 'quay', signal_2: -98, operator_2: 'Telia N' },
      { name: 'pier', signal_2: null, operator_2: null },
    ]);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ signal_2: 'low' }, ['quay']],
    [{ signal_2: 'no_signal' }, ['pier']],
    [{ 'ne:signal_2': 'low' }, ['pier']],
    [{ connection_type_2: '3g' }, ['quay']],
    [{ connection_type_2: 'unknown' }, ['pier']],
    [{ network_state_2: 'roaming' }, ['quay']],
    [{ operator_2: 'Telia N' }, ['quay']],
    [{ operator_2: 'unknown' }, ['pier']],
    [{ 'ne:operator_2': 'Telia N' }, ['pier']],
  ])('is found by %j', async (filter, names) => {
    expect((await admin.get('/devices', { ...filter, fields: 'name' })).data).toEqual(names.map((name) => ({ name })));
  });

  test('is counted by each of them', async () => {
    const program = await asProgram(place.world, 'admin', { company });
    const { data } = await program.get('/devices/statistics', { charts: 'signal_2,operator_2,connection_type_2,network_state_2' });
    expect(data).toEqual({
      signal_2: { low: 1, no_signal: 1 },
      operator_2: { 'Telia N': 1, unknown: 1 },
      connection_type_2: { '3g': 1, unknown: 1 },
      network_state_2: { roaming: 1, unknown: 1 },
    });
  });

  test('has its data by modem and SIM, and what went over the second counts for the month', async () => {
    const [day] = (await admin.get(`/devices/${two.id}/data-usage`)).data;
    expect(day.modems).toEqual([
      { modem_id: '1', sims: [{ sim_id: 1, data: { tx: 3000, rx: 40_000 } }] },
      { modem_id: '2', sims: [{ sim_id: 2, data: { tx: 300, rx: 4000 } }] },
    ]);
    expect((await admin.get(`/devices/${two.id}/data-limit`)).data.used_bytes).toBe(47_300);
  });

  test('is reported by the public API moment by moment, with the cell and the country', async () => {
    const program = await asProgram(place.world, 'admin', { company });
    await place.world.clock.advance(1000);
    const [moment] = (await program.get(`/devices/${two.id}/information/dynamic`)).data;
    expect(moment).toMatchObject({ signal: -70, signal_2: -98, sim_slot_2: 2, operator_2: 'Telia N', sim1_sent: 1000, sim2_sent: null });
    const device = (await program.get(`/devices/${two.id}`)).data;
    expect(device).toMatchObject({ mcc: '242', mnc: '01', mcc_2: '242', mnc_2: '02', cell_id_2: 'FF', original_model: 'RUTX12', mqtt: 4 });
    const moments = await program.get(`/devices/${two.id}/information-history`, { datetime: device.last_update_at });
    expect([moments.data].flat()[0]).toMatchObject({ cell_id: '1A2B3C', lac: '4021', operator_number: '24201', mcc: '242', mnc: '01' });
  });

  test('what is no number, no code and no cell is dropped, each by itself [AC6]', async () => {
    await place.say(one, 'status', { ...SECOND, signal_2: '-98', operator_number_2: '<b>', cell_id_2: 'zz', lac_2: -1, mobile_ip_2: 'me', sim_slot_2: 99 }); // prettier-ignore
    expect((await admin.get(`/devices/${one.id}`)).data).toMatchObject({
      operator_2: 'Telia N',
      signal_2: null,
      operator_number_2: null,
      cell_id_2: null,
      lac_2: null,
      mobile_ip_2: null,
      sim_slot_2: null,
    });
  });
});

describe('what programs read of inputs, outputs and places', () => {
  test('comes from the last details, by the names that devices give them', async () => {
    const device = await makeDevice(place.world, { company, status: 1, model: 'RUT956-facelift', name: 'shore' });
    await place.say(device, 'details', {
      pins: [
        { name: 'din1', direction: 'in', kind: 'digital', state: 1 },
        { name: 'relay0', direction: 'out', kind: 'relay', state: 0 },
        { name: 'acl0', direction: 'in', kind: 'analog', state: 12.5, unit: 'mA' },
      ],
      position: { lat: 60.4, lon: 5.3, altitude: 12, satellites: 9, accuracy: 3, at: 1_790_000_000 },
      interfaces: [{ name: 'wlan0', mac: '00:1E:42:00:00:09' }],
      modems: [{ name: '1', sim_state: 'inserted', pin_state: 'READY' }, { name: '2', temperature: 381, model: 'EG06' }],
    }); // prettier-ignore
    const program = await asProgram(place.world, 'admin', { company });
    expect((await program.get(`/devices/${device.id}`)).data).toMatchObject({
      digital_input: 1,
      relay_output: '0',
      analog_current_loop: '12.5',
      relay_output_2: null,
      altitude: 12,
      satellites: 9,
      accuracy: 3,
      fix_status: 1,
      wlan_mac: '00:1E:42:00:00:09',
      sim_state: 'inserted',
      pin_state: 'READY',
      temperature_2: 381,
      modem_model_2: 'EG06',
      original_model: 'RUT956',
      is_facelift: 1,
    });
  });
});
