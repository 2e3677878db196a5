import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeConsoleWorld();
  company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

test('a client is added to a hub in the console, and reaches another only after a rule [DV5]', async () => {
  const hub = await admin.post('/vpn/hubs', {
    name: 'Quay',
    endpoint: 'vpn.example',
    port: 51820,
    ip: '10.77.0.0',
    netmask: '255.255.255.0',
  });
  const other = await admin.post('/vpn/hubs/users/custom', { vpn_hub_id: hub.data.id, username: 'Engine room' });
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/vpn/hubs`);
  await page.getByRole('link', { name: 'Quay' }).click();
  await page.getByText(t('vpn.not_run')).waitFor();
  await page.getByRole('link', { name: t('resources.vpn-clients.title') }).click();
  await page
    .getByRole('button', { name: t('actions.vpn-clients.new') })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: t('forms.vpn.new-client.title') });
  await dialog.getByRole('textbox').first().fill('Laptop');
  await dialog.getByRole('button', { name: t('forms.vpn.new-client.submit'), exact: true }).click();
  await page.getByRole('rowheader', { name: 'Laptop' }).waitFor();
  const { data } = await admin.get('/vpn/hubs/users', { vpn_hub_id: hub.data.id, q: 'Laptop' });
  const ask = async () => {
    await page.goto(`${world.url}/vpn/hubs/${hub.data.id}/general`);
    await page.getByRole('textbox', { name: t('fields.ip_address') }).fill('10.77.0.3');
    await page.getByRole('button', { name: t('vpn.ask') }).click();
  };
  await ask();
  await page.getByText('No: no rule lets Engine room reach Laptop.').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await admin.post('/vpn/hubs/rules', { vpn_hub_id: hub.data.id, from_client_id: other.data.id, to_client_id: data[0].id });
  await ask();
  await page.getByText('Yes: rule Engine room → Laptop allows it.').waitFor();
  // What is no address is said at the question, not as a page that could not be loaded.
  await page.getByRole('textbox', { name: t('fields.ip_address') }).fill('quay');
  await page.getByRole('button', { name: t('vpn.ask') }).click();
  await page.getByRole('alert').getByText('This is no IPv4 address.').waitFor();
  expect(await page.getByRole('button', { name: t('common.tryAgain') }).count()).toBe(0);
});

test('a quick connection leads to its page, which shows each step as it is done', async () => {
  const device = await makeDevice(world, { company, name: 'Ferry router', status: 1 });
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/vpn/quick-connect`);
  await page
    .getByRole('button', { name: t('actions.vpn-quick-hubs.new') })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: t('forms.vpn.quick-connect.title') });
  await dialog
    .getByRole('textbox', { name: t('fields.name') })
    .first()
    .fill('Ticket 4711');
  await dialog.getByRole('combobox', { name: t('entities.device') }).click();
  await page.getByRole('option', { name: 'Ferry router' }).click();
  await dialog.getByRole('button', { name: t('forms.vpn.quick-connect.submit'), exact: true }).click();
  await page.waitForURL(/\/vpn\/quick-connect\/\d+\/general$/);
  expect(await page.getByRole('dialog').count()).toBe(0);
  const first = page.getByRole('listitem').filter({ hasText: t('vpn.step_device') });
  await first.getByText(t('vpn.step_waiting')).waitFor();
  await world.ctx.db.updateTable('vpn_clients').set({ sync_state: 'done' }).where('device_id', '=', device.id).execute();
  await first.getByText(t('vpn.step_done')).waitFor();
});

test('what a hub could not tell is said, and not shown as nothing', async () => {
  const hub = await admin.post('/vpn/hubs', { name: 'Pier', endpoint: 'vpn.example' });
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  const base = `/vpn/hubs/${hub.data.id}`;
  for (const path of ['sessions', 'dhcp', 'devices/rules'])
    await page.route(`**/api${base}/${path}*`, (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }));
  const retry = page.getByRole('button', { name: t('common.tryAgain') });
  await page.goto(`${world.url}${base}/general`);
  await retry.waitFor();
  expect(await page.getByText(t('vpn.nobody')).count()).toBe(0);
  await page.goto(`${world.url}${base}/configuration`);
  await retry.nth(1).waitFor();
  expect(
    await page
      .getByText(t('vpn.no_dhcp'))
      .or(page.getByText(t('vpn.no_devices')))
      .count(),
  ).toBe(0);
});

test('the page of a hub that is not there says so instead of loading without end', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  for (const path of ['/vpn/hubs/99999', '/vpn/quick-connect/99999', '/remote/access/99999']) {
    await page.goto(world.url + path);
    await page.getByRole('heading', { name: t('pages.notFound.title'), level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: t('resources.vpn-clients.title') }).count()).toBe(0);
  }
});
