import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { readDetails } from '../../server/features/device-channel/wire-details.ts';
import { MINUTE } from '../../server/kernel/clock.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { addReading } from '../helpers/readings.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, PHONE, type Browser } from './browser.ts';
import { makeConsoleWorld, openAsAdministrator } from './console-world.ts';

let world: World;
let browser: Browser;
let company: { id: number };
let device: Row<'devices'>;

const REPORT = {
  ports: [
    { name: 'port1', link: true, speed: 1000, duplex: 'full', poe: true, poe_watts: 4.5, hosts: [{ mac: '00:1E:42:00:00:02', ip: '192.168.1.20', name: 'camera' }] },
    { name: 'port2', link: false },
  ],
  interfaces: [{ name: 'br-lan', up: true, addresses: ['192.168.1.1/24', 'fe80::21e:42ff:fe00:1/64'] }],
  leases: [{ mac: '00:1E:42:00:00:02', ip: '192.168.1.20', name: 'camera' }],
  routes: [{ to: 'default', via: '100.64.0.1', interface: 'wwan0' }],
  dns: ['1.1.1.1'],
  pins: [{ name: 'relay0', direction: 'out', kind: 'relay', state: 0 }, { name: 'acl0', direction: 'in', kind: 'analog', state: 12.5, unit: 'mA' }],
  position: { lat: 60.39299, lon: 5.32415, satellites: 9 },
  modems: [{ name: '1', manufacturer: 'Quectel', model: 'EG06', signal: -70 }],
  wireless: [{ interface: 'wlan0', ssid: 'Kai <b>4</b>', active: true, band: '5 GHz', clients: 3 }],
}; // prettier-ignore

const TABS = ['activity', 'metrics/dynamic', 'mobile-data', 'ports', 'network', 'io', 'gps', 'services'];

beforeAll(async () => {
  world = await makeConsoleWorld();
  company = await makeCompany(world);
  const now = world.clock.now();
  device = await makeDevice(world, {
    company,
    status: 1,
    model: 'RUT956',
    firmware: 'RUT9M_R_00.07.14',
    signal: -70,
    sim_slot: 1,
    status_changed_at: now,
  });
  const details = JSON.stringify(readDetails(REPORT));
  await world.ctx.db.insertInto('device_details').values({ device_id: device.id, details, received_at: now, changed_at: now }).execute();
  await addReading(world, device, { age: MINUTE, value: -70, metric: 'signal' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

describe('the page of a device', () => {
  test('each part is whole, on a desk in the dark and on a phone [X3]', async () => {
    await using watched = await openAsAdministrator(browser, world, company);
    const { page } = watched;
    for (const [viewport, colorScheme] of [
      [{ width: 1440, height: 900 }, 'dark'],
      [PHONE, 'light'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      for (const tab of TABS) {
        await page.goto(`${world.url}/devices/${device.id}/${tab}`);
        await page.getByRole('navigation', { name: 'Device sections' }).getByRole('link', { name: 'Ports' }).waitFor();
        await page.waitForLoadState('networkidle');
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect([tab, wider, await findAccessibilityFaults(page), watched.faults()]).toEqual([tab, 0, [], []]);
      }
    }
  });

  test('says who is behind a port, where it is, and asks before it switches an output', async () => {
    await using watched = await openAsAdministrator(browser, world, company);
    const { page } = watched;
    await page.goto(`${world.url}/devices/${device.id}/ports`);
    await page.getByRole('row', { name: /port1.*Connected.*1 Gbit\/s.*4\.5 W.*camera.*192\.168\.1\.20/ }).waitFor();
    await page.goto(`${world.url}/devices/${device.id}/gps`);
    await expect.poll(() => page.getByLabel('Coordinates').inputValue()).toBe('60.392990, 5.324150');
    await page.goto(`${world.url}/devices/${device.id}/io`);
    await page.getByRole('button', { name: 'relay0: Switch on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch output' }).click();
    await expect.poll(() => world.ctx.reads.selectFrom('jobs').select(['kind', 'input']).execute()).toEqual([{ kind: 'io', input: '{"pin":"relay0","state":"on"}' }]); // prettier-ignore
  });

  test('names every part in a menu where the tabs do not fit, by keyboard too [X1]', async () => {
    await using watched = await openAsAdministrator(browser, world, company);
    const { page } = watched;
    await page.setViewportSize(PHONE);
    await page.goto(`${world.url}/devices/${device.id}/activity`);
    await page.getByRole('button', { name: 'All tabs' }).press('Enter');
    await page.getByRole('menuitemradio', { name: 'Activity', checked: true }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByRole('menuitemradio', { name: 'GPS' }).press('Enter');
    await page.waitForURL(`${world.url}/devices/${device.id}/gps`);
    const isInSight = async (): Promise<boolean> => {
      const tab = await page.getByRole('link', { name: 'GPS', exact: true }).boundingBox();
      return tab !== null && tab.x >= 0 && tab.x + tab.width <= PHONE.width;
    };
    await expect.poll(isInSight).toBe(true);
  });

  test('turns the monitoring of the device off beside its resources', async () => {
    const other = await makeDevice(world, { company, status: 1, name: 'ferry' });
    await using watched = await openAsAdministrator(browser, world, company);
    const { page } = watched;
    await page.goto(`${world.url}/devices/${other.id}/services`);
    await page.getByText('On: the device reports and takes commands.').waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).last().click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByRole('checkbox', { name: 'Monitoring' }).uncheck();
    await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
    await dialog.getByRole('button', { name: 'Change 1 device', exact: true }).click();
    await page.getByText('Off: the device cannot connect.').waitFor();
  });

  test('has no tab for what the device does not report', async () => {
    const plain = await makeDevice(world, { company, status: 1, model: 'TSW202' });
    await using watched = await openAsAdministrator(browser, world, company);
    await watched.page.goto(`${world.url}/devices/${plain.id}/activity`);
    await watched.page.getByRole('link', { name: 'Services', exact: true }).waitFor();
    await watched.page.waitForLoadState('networkidle');
    expect(await watched.page.getByRole('link', { name: /^(Ports|Network|GPS|Inputs and outputs)$/ }).count()).toBe(0);
  });
});
