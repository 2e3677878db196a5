import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevice } from '../helpers/factories.ts';
import { pointOf } from '../../schemas/kit/resources/mercator.ts';
import { findAccessibilityFaults } from './browser.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

let place: OpenConsole;
let page: Page;
/** Answers everything with a page, as a tile server behind a sign-in does. */
const wrongTiles = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'));

beforeAll(async () => {
  await new Promise<void>((done) => wrongTiles.listen(0, '127.0.0.1', done));
  const { port } = wrongTiles.address() as AddressInfo;
  const mapTilesUrl = `http://127.0.0.1:${port}/{z}/{x}/{y}.png`;
  place = await openConsole({ config: { mapTilesUrl, mapAttribution: 'Maps <of> ours' } }, async (world, company) => {
    const places = [
      ['Bergen', 60.39, 5.32, 1],
      ['Oslo', 59.91, 10.75, 0],
      ['Sydney', -33.87, 151.2, 1],
    ] as const;
    for (const [name, latitude, longitude, status] of places) {
      const device = await makeDevice(world, { company, name, status, last_update_at: world.clock.now() });
      const values = { device_id: device.id, latitude, longitude, ...pointOf(latitude, longitude), source: 'user' as const, at: 1 };
      await world.ctx.db.insertInto('device_places').values(values).execute();
    }
  });
  ({ page } = place);
});

afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  wrongTiles.close();
});

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
async function bulk(name: string): Promise<void> {
  const bar = page.getByRole('region', { name: 'Selected rows' });
  const shown = bar.getByRole('button', { name, exact: true });
  await bar.getByRole('button').first().waitFor();
  if ((await shown.count()) > 0) return shown.click();
  await bar.getByRole('button', { name: 'More actions' }).click();
  return page.getByRole('menuitem', { name }).click();
}
const mark = (name: RegExp) => page.getByRole('application').getByRole('button', { name });

test('the map shows the fleet without any other server, says so, and its list follows it [M3]', async () => {
  await page.goto(`${place.world.url}/management/map`);
  await mark(/^Sydney/).waitFor();
  await mark(/Bergen|2 devices/)
    .first()
    .waitFor();
  await page.getByText('The map server does not answer with pictures').waitFor();
  await page.getByText('Maps <of> ours').waitFor();
  await row('Sydney').waitFor();
  await mark(/^Sydney/).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('link', { name: 'Sydney' }).first().waitFor();
  // Marks of neighbours may overlap: where they are is what they say (WCAG 2.5.8, essential).
  expect((await findAccessibilityFaults(page)).filter((fault) => !fault.startsWith('target-size: button[title='))).toEqual([]);
  expect(place.watched.faults()).toEqual([]);
});

test('an area drawn by keyboard narrows the list down, and its devices are rebooted [M1 M3]', async () => {
  await page.goto(`${place.world.url}/management/map?area=55:0,55:30,65:30,65:0`);
  await row('Oslo').waitFor();
  await row('Bergen').waitFor();
  expect(await row('Sydney').count()).toBe(0);
  await page.getByRole('button', { name: 'Remove the area' }).click();
  await row('Sydney').waitFor();
  await page.getByRole('button', { name: 'Draw an area' }).click();
  const map = page.getByRole('application');
  await map.focus();
  for (const moves of [
    ['ArrowUp', 'ArrowUp'],
    ['ArrowRight', 'ArrowRight'],
    ['ArrowDown', 'ArrowDown'],
  ]) {
    for (const key of moves) await page.keyboard.press(key);
    // The map glides to its place.
    await page.getByRole('status').filter({ hasText: 'corner' }).waitFor();
    await page.keyboard.press('Enter');
  }
  await page.getByRole('status').filter({ hasText: '3 corners' }).waitFor();
  await page.getByRole('button', { name: 'Finish the area' }).click();
  await page.getByRole('button', { name: 'Remove the area' }).waitFor();
  await page.goto(`${place.world.url}/management/map?area=55:0,55:30,65:30,65:0`);
  await row('Bergen').getByRole('checkbox').check();
  await bulk('Reboot');
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: /Reboot/ })
    .last()
    .click();
  await expect.poll(() => place.world.commands.map(({ command }) => command.verb)).toContain('reboot');
  expect(place.watched.faults()).toEqual([]);
});

test('the selection of the list of devices is shown on a map', async () => {
  await page.goto(`${place.world.url}/management/devices`);
  await row('Sydney').getByRole('checkbox').check();
  await bulk('Show on map');
  const window = page.getByRole('dialog', { name: 'Map of devices' });
  await window.getByText('1 device on the map').waitFor();
  await window.getByRole('button', { name: /^Sydney/ }).waitFor();
});
