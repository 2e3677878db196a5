import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings, readSettings } from '../../agent/fleet/uci.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let second: Caller;
const routers: { device: Awaited<ReturnType<typeof makeDevice>>; files: Map<string, string> }[] = [];
const NAMES = ['ferry', 'quay', 'pier'];

beforeAll(async () => {
  world = await makeConsoleWorld();
  company = await makeCompany(world, { name: 'Fjordline' });
  for (const name of NAMES) {
    const device = await makeDevice(world, { company, status: 1, name, model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' });
    const wireless = "config wifi-iface 'wifi0'\n\toption ssid 'old'\n\toption key 'old key 123'\n";
    routers.push({ device, files: new Map([['etc/config/wireless', wireless]]) });
  }
  admin = await as(world, 'admin', { company });
  second = await as(world, 'admin', { company });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

/** The devices do what they were asked for; a device in `broken` does not report after a change. */
async function answerAll(from: number, count: number, broken?: string): Promise<void> {
  for (let next = from; next < from + count; next += 1) {
    await until('a command', () => world.commands.length > next);
    const { deviceKey, command } = world.commands[next] ?? {};
    const router = routers.find(({ device }) => device.device_key === deviceKey);
    if (!router || !command) throw new Error('a command for no router');
    if (command.verb === 'configure') expect(changeSettings(router.files, command.body)).toBeUndefined();
    const output = command.verb === 'read' ? (readSettings(router.files, command.body).output ?? null) : null;
    const isLost = command.verb === 'confirm' && router.device.name === broken;
    await answer(world, router.device, { output, ...(isLost ? { state: 'failed', message: 'not confirmed in time' } : {}) });
  }
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
async function confirm(page: Page, action: string, submit: string): Promise<void> {
  const shown = page.getByRole('main').getByRole('button', { name: action, exact: true });
  const more = page.getByRole('main').getByRole('button', { name: 'More actions' });
  await shown.or(more).first().waitFor();
  if ((await shown.count()) > 0) await shown.first().click();
  else {
    await more.first().click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  }
  const window = page.getByRole('dialog').or(page.getByRole('alertdialog')).last();
  await window.getByRole('button', { name: submit, exact: true }).click();
}

test('a network name and own keys from CSV are drafted, approved by a second person and applied; a device that lost its line goes back [M1]', async () => {
  await admin.put(`/companies/${company.id}/reasons`, { asks_reason: false, asks_review: true });
  await admin.post('/devices/configurator/read', { device_id: routers.map(({ device }) => device.id) });
  await answerAll(0, 3);
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/device-configuration`);
  for (const name of NAMES) await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  await press(page, 'Continue with 3 devices');
  await press(page, 'wifi0');
  await page.getByLabel(t('configurator.unique.file')).setInputFiles({
    name: 'keys.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'name,ssid,key\nferry,Fjordline,ferry key 1\nquay,Fjordline,quay key 2\npier,Fjordline,pier key 3\nnobody,Fjordline,key 4\n',
    ),
  });
  await page.getByText('Line 5: no chosen device is called “nobody”.').waitFor();
  await press(page, t('configurator.preview'));
  await page.getByText(t('configurator.set.review_needed')).waitFor();
  expect(await page.getByRole('button', { name: /^Apply to/ }).count()).toBe(0);
  await press(page, t('configurator.set.add'));
  await page.getByRole('link', { name: t('configurator.set.open') }).click();
  // The page that one leaves has a table of the same name, with the keys in its boxes.
  await page.waitForURL('**/change-sets/*');
  await page.getByLabel('ferry Key').waitFor({ state: 'detached' });
  await page
    .getByRole('table', { name: t('configurator.what_changes') })
    .getByText('Fjordline')
    .first()
    .waitFor();
  expect(await page.content()).not.toContain('ferry key 1');
  expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);
  await confirm(page, 'Send to review', 'Send');
  await page.getByText('In review', { exact: true }).first().waitFor();

  await using other = await openAs(browser, world, second, 'en-GB');
  await other.page.goto(page.url());
  await confirm(other.page, 'Approve', 'Approve');
  await other.page.getByText('Approved', { exact: true }).first().waitFor();

  await page.reload();
  const from = world.commands.length;
  await confirm(page, 'Apply', 'Apply');
  await answerAll(from, 9, 'pier');
  const wireless = routers.map(({ files }) => files.get('etc/config/wireless'));
  expect(wireless[0]).toContain("option key 'ferry key 1'");
  expect(wireless[1]).toContain("option key 'quay key 2'");
  const verbs = (name: string) => {
    const key = routers.find(({ device }) => device.name === name)?.device.device_key;
    return world.commands.slice(from).filter(({ deviceKey }) => deviceKey === key).map(({ command }) => command.verb); // prettier-ignore
  };
  expect(verbs('ferry')).toEqual(['configure', 'confirm', 'read']);
  expect(verbs('pier')).toEqual(['configure', 'confirm', 'rollback']);
  await admin.put(`/companies/${company.id}/reasons`, { asks_reason: false, asks_review: false });
  expect(watched.faults()).toEqual([]);
});

test('the network map of a site is walked by arrow keys and says what changed; a device is placed on the floor plan by keys [M3]', async () => {
  const now = world.clock.now();
  const router = routers[0]?.device;
  if (!router) throw new Error('no router');
  const host = (number: number, name: string) => ({ mac: `02:00:00:00:00:0${number}`, ip: `192.168.1.${number}`, name });
  const ports = [{ name: 'lan1', link: true, speed: 1000, duplex: 'full', poe: null, poe_watts: null, hosts: [host(1, 'camera'), host(2, 'till')] }]; // prettier-ignore
  const details = JSON.stringify({ ports, leases: null, interfaces: null, wireless: null, routes: null, dns: null });
  await world.ctx.db.insertInto('device_details').values({ device_id: router.id, details, received_at: now, changed_at: now }).execute();
  const seen = { device_id: router.id, port: 'lan1', gone_at: null, changed_at: null, former_ip: null, former_port: null };
  await world.ctx.db
    .insertInto('device_hosts')
    .values([
      { ...seen, ...host(1, 'camera'), first_seen_at: null },
      { ...seen, ...host(2, 'till'), first_seen_at: now - 1000 },
    ])
    .execute();
  const site = Number((await admin.post('/sites', { company_id: company.id, name: 'Strandkaien', router_id: router.id })).data.id);
  await admin.put('/devices/site', { device_id: routers.map(({ device }) => device.id), site_id: site });
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/sites/${site}`);
  const tree = page.getByRole('tree', { name: t('map.network') });
  await tree.getByRole('treeitem', { name: /^ferry/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => tree.locator('[aria-selected=true]').innerText()).toMatch(/^(lan1|quay|pier)/);
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'till', exact: true }).click();
  await expect.poll(() => tree.locator('[aria-selected=true]').innerText()).toMatch(/^till/);
  expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);
  await page.getByRole('button', { name: 'Changes: 1' }).click();
  const dialog = page.getByRole('dialog', { name: t('map.network.changes.title') });
  await dialog.getByText('till').waitFor();
  await page.keyboard.press('Escape');

  const image = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#e8eef5' } })
    .png()
    .toBuffer();
  await press(page, t('sites.plan.edit'));
  await press(page, t('sites.plan.upload'));
  const upload = page.getByRole('dialog', { name: 'Upload image' });
  await upload.locator('input[type=file]').setInputFiles({ name: 'hall.png', mimeType: 'image/png', buffer: image });
  await upload.getByRole('button', { name: 'Upload', exact: true }).click();
  await upload.waitFor({ state: 'detached' });
  const list = page.getByRole('list', { name: t('sites.plan.devices') });
  await list.getByRole('button', { name: /^quay/ }).focus();
  await page.keyboard.press('ArrowRight');
  await list.getByRole('button', { name: /^ferry/ }).click();
  await page.getByRole('img', { name: t('sites.plan') }).click({ position: { x: 80, y: 60 } });
  await list.getByText(t('sites.plan.placed'), { exact: true }).nth(1).waitFor();
  await press(page, t('sites.plan.save'));
  await page.getByText(t('sites.plan.saved')).waitFor();
  const { data: plan } = await admin.get(`/sites/${site}/plan`);
  expect(plan.spots).toMatchObject([{ name: 'quay', x: 55, y: 50 }, { name: 'ferry' }]);
  expect(watched.faults()).toEqual([]);
});

test('two people edit one dashboard, and nothing of either is lost [M1]', async () => {
  const made = await admin.post('/dashboards', { name: 'Control room', kind: 'fleet', template: 'empty', share: 'company' });
  const id = Number(made.data.id);
  const text = (name: string, y: number) => ({ id: name, type: 'text', x: 0, y, w: 6, h: 2, title: `Note ${name}`, text: name });
  await admin.put(`/dashboards/${id}/layout`, { version: 1, widgets: [text('a', 0), text('b', 2)] });
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/dashboards/${id}`);
  await press(page, 'Edit widgets');
  await page.getByRole('button', { name: 'Size of Note a (arrow keys)' }).focus();
  await page.keyboard.press('ArrowLeft');
  await second.put(`/dashboards/${id}/layout`, { version: 2, widgets: [text('a', 0), text('b', 2), text('c', 4)] });
  await press(page, 'Save');
  await page.getByText(t('dashboards.conflict.text').split('.')[0] ?? '').waitFor();
  expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);
  await press(page, t('dashboards.conflict.merge'));
  await page.getByText('Dashboard saved').waitFor();
  const { data } = await admin.get(`/dashboards/${id}`);
  expect(JSON.parse(data.widgets)).toMatchObject([{ id: 'a', w: 5 }, { id: 'b' }, { id: 'c' }]);

  // On a phone each widget has the width of the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const box = await page.getByRole('region', { name: 'Note a', exact: true }).boundingBox();
  expect(box?.width).toBeGreaterThan(300);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
