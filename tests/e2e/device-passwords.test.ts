import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let admin: Caller;
let fleet: Fleet;

beforeAll(async () => {
  world = await makeConsoleWorld({ mqtt: true });
  const company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  const { data } = await admin.post('/devices/enrolment-codes', { company_id: company.id, uses: 5, expires_in_hours: 1 });
  fleet = await startFleet({ url: world.url, devices: 5, code: data.code, moods: { good: 4, failing: 1 } });
  await until('five devices are online', async () => (await admin.get('/devices', { status: 'online' })).meta['total'] === 5);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await world?.[Symbol.asyncDispose]();
});

const passwordsIn = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([id = '', , serial = '', , username = '', password = '', result = '']) => ({ id, serial, username, password, result }));

test('passwords are generated for five devices, downloaded once, and looked up in the vault with a reason', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  await page.goto(`${world.url}/management/devices`);
  await page.getByRole('checkbox', { name: t('table.selectAll') }).check();
  await press(t('actions.devices.passwords'));
});
