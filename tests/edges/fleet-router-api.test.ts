import { expect, test } from 'vitest';
import { Collection } from '../../agent/fleet/collection.ts';
import { makeIdentity } from '../../agent/fleet/models.ts';
import { Parts } from '../../agent/fleet/parts.ts';
import { makeRandom } from '../../agent/fleet/random.ts';
import { Vitals } from '../../agent/fleet/vitals.ts';
import { isPath, readVariables } from '../../schemas/kit/devices/collected.ts';
import { KNOWN_SOURCES } from '../../schemas/kit/devices/known-sources.ts';
import { isSource } from '../../server/features/monitoring-templates/sources.ts';

/** The paths that programs and templates in use ask routers for. */
const EVERY_ROUTER = [
  ...['/interfaces/config', '/interfaces/basic/status', '/dhcp/servers/ipv4/config', '/dhcp/static_leases/ipv4/config'],
  ...['/dhcp/leases/ipv4/status', '/firewall/zones/config', '/firewall/zones/config/1', '/date_time/ntp/client/config'],
  ...['/ip_routes/ipv4/status', '/system/device/usage/status', '/ports_settings/config', '/bluetooth/config/general'],
];
const MOBILE = ['/modems/status', '/modems/status/1-1', '/sim_cards/status'];
const WIRELESS = ['/wireless/devices/config', '/wireless/interfaces/config', '/wireless/interfaces/status'];

function routerWhere(fits: (made: ReturnType<typeof makeIdentity>) => boolean): Collection {
  for (let index = 0; index < 500; index += 1) {
    const random = makeRandom(`router ${index}`);
    const identity = makeIdentity(index, random, { old: false, namePrefix: '' });
    if (!fits(identity)) continue;
    const vitals = new Vitals(identity, random, { weak: false });
    const parts = new Parts(identity, vitals);
    return new Collection({ identity, vitals, details: () => parts.report(), publish: () => undefined });
  }
  throw new Error('no such router');
}

test('a simulated router answers the paths that templates in use ask for, each with what it has', () => {
  const router = routerWhere(({ model }) => model.modem !== undefined && model.wifi);
  for (const path of [...EVERY_ROUTER, ...MOBILE, ...WIRELESS]) {
    const { state, output = '' } = router.probe(`source=api ${path}`);
    expect([path, state]).toEqual([path, 'ok']);
    expect(JSON.parse(output)).toMatchObject({ success: true, data: expect.anything() });
    expect(output.length).toBeLessThan(16_384);
  }
  expect(router.probe('source=api /modems/nothing')).toMatchObject({ state: 'failed', code: 1 });
});

test('a router without a modem and without Wi-Fi has an empty list of each', () => {
  const router = routerWhere(({ model }) => model.modem === undefined && !model.wifi);
  for (const path of ['/modems/status', '/wireless/interfaces/status'])
    expect(JSON.parse(router.probe(`source=api ${path}`).output ?? '')).toEqual({ success: true, data: [] });
});

test('a documented filter finds the signal of the modem in use', () => {
  const router = routerWhere(({ model }) => model.modem !== undefined);
  const { output = '' } = router.probe('source=api /modems/status');
  const rsrp = { id: 'rsrp', filter: '$.http_body.data[@.primary=true].rsrp', type: 'number' } as const;
  const { values, faults } = readVariables('/api/modems/status', [rsrp], { code: 0, output });
  expect(faults).toEqual([]);
  expect(values['rsrp']).toBeLessThan(-40);
});

test('what the console offers to choose from can be asked for, and a simulated router has it', () => {
  for (const { url, fields } of Object.values(KNOWN_SOURCES).flat()) {
    expect([url, isSource(url)]).toEqual([url, true]);
    for (const { filter } of fields) expect([filter, isPath(filter)]).toEqual([filter, true]);
  }
  const router = routerWhere(({ model }) => model.modem !== undefined && model.wifi);
  for (const path of [
    '/modems/status',
    '/sim_cards/status',
    '/interfaces/basic/status',
    '/wireless/interfaces/status',
    '/system/device/usage/status',
  ]) {
    const url = `/api${path}`;
    const fields = KNOWN_SOURCES.api.find((source) => source.url === url)?.fields ?? [];
    const variables = fields.map(({ filter, type }, index) => ({ id: `v${index}`, filter, type }));
    const { output = '' } = router.probe(`source=api ${path}`);
    expect(readVariables(url, variables, { code: 0, output }).faults).toEqual([]);
  }
});

test('a device of a fleet that is started again boots: it does not report data of before once more', () => {
  const random = makeRandom('again');
  const identity = makeIdentity(0, random, { old: false, namePrefix: '' });
  const bytes = (isBooting: boolean): number => Number(new Vitals(identity, random, { weak: false, isBooting }).report()['rx_bytes']);
  expect(bytes(false)).toBeGreaterThan(1_000_000);
  expect(bytes(true)).toBeLessThan(1_000_000);
});
