import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings, readSettings } from '../../agent/fleet/uci.ts';
import type { Row } from '../../server/db/schema.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, PHONE, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const en = textsOf('en');
const nb = textsOf('nb');
const ROUTER = { status: 1, model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' } as const;
const channel = recordingChannel();
let world: World;
let browser: Browser;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
const routers = new Map<string, { device: Row<'devices'>; files: Map<string, string> }>();

beforeAll(async () => {
  const base = await makeConsoleWorld({ parts: { devices: async () => channel } });
  world = Object.assign(base, { commands: channel.commands });
  company = await makeCompany(world, { name: 'Fjordline' });
  for (let number = 1; number <= 50; number += 1) {
    const name = `quay-${String(number).padStart(2, '0')}`;
    const device = await makeDevice(world, { company, name, ...ROUTER });
    const wireless = `config wifi-iface 'wifi0'\n\toption ssid 'old'\n\toption key 'old key 123'\n`;
    const system = `config system 'system'\n\toption hostname '${name}'\n`;
    routers.set(device.device_key, {
      device,
      files: new Map([
        ['etc/config/wireless', wireless],
        ['etc/config/system', system],
      ]),
    });
  }
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

const routerOf = (name: string) => {
  const router = [...routers.values()].find(({ device }) => device.name === name);
  if (!router) throw new Error(`no router ${name}`);
  return router;
};

/** The devices do what they were asked for; the one that is `lost` does not report after a change, and goes back by itself. */
async function answerAll(from: number, count: number, lost?: string): Promise<void> {
  for (let next = from; next < from + count; next += 1) {
    await until('a command', () => world.commands.length > next);
    const { deviceKey, command } = world.commands[next] ?? {};
    const router = routers.get(deviceKey ?? '');
    if (!router || !command) throw new Error('a command for no router');
    const isLost = router.device.name === lost;
    const before = new Map(router.files);
    if (command.verb === 'configure') {
      expect(changeSettings(router.files, command.body)).toBeUndefined();
      if (isLost) kept.set(router.device.name, before);
    }
    const output = command.verb === 'read' ? (readSettings(router.files, command.body).output ?? null) : null;
    const isSilent = isLost && command.verb === 'confirm';
    if (isSilent) for (const [path, text] of kept.get(router.device.name) ?? []) router.files.set(path, text);
    await answer(world, router.device, { output, ...(isSilent ? { state: 'failed', message: 'not confirmed in time' } : {}) });
  }
}
/** Settings of devices before a change that was not confirmed. */
const kept = new Map<string, Map<string, string>>();

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).first().click();

test('vouchers of a hotspot are made in the browser, and each card to print has its network, code, time and data, in Norwegian and dark', async () => {
  const { device } = routerOf('quay-01');
  const hotspot = { index: 1, ssid: 'Havnegjest', active: true, ip: '10.0.0.1', users: 0, auth: 'password' };
  await channel.handlers?.deliver([
    { kind: 'message', message: { deviceKey: device.device_key, topic: 'details', payload: { hotspots: [hotspot] } } },
  ]);
  await using watched = await openAs(browser, world, admin, 'nb-NO');
  const { page } = watched;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${world.url}/management/hotspots/vouchers`);
  await press(page, nb('actions.hotspot-vouchers.new'));
  const dialog = page.getByRole('dialog', { name: nb('forms.hotspots.new-vouchers.title') });
  await dialog.getByRole('textbox', { name: nb('fields.name'), exact: true }).fill('Dagsbilletter juni');
  await dialog.getByRole('combobox', { name: nb('fields.device_id') }).click();
  await page.getByRole('option', { name: /quay-01/ }).click();
  await dialog.getByLabel(nb('fields.ssid')).fill('Havnegjest');
  await dialog.getByLabel(nb('fields.amount')).fill('6');
  await dialog.getByLabel(nb('fields.minutes')).fill('1440');
  await dialog.getByLabel(nb('fields.megabytes')).fill('500');
  expect(await findAccessibilityFaults(page, { part: '[role=dialog]' })).toEqual([]);
  await dialog.getByRole('button', { name: nb('forms.hotspots.new-vouchers.submit') }).click();
  await dialog.waitFor({ state: 'detached' });
  const { data } = await admin.get('/hotspots/vouchers');
  const { data: made } = await admin.get(`/hotspots/vouchers/${data[0].id}/codes`);
  await until('the command', () => world.commands.some(({ deviceKey }) => deviceKey === device.device_key));
  const body = world.commands.at(-1)?.command.body ?? '';
  expect(body).toBe(`do=add\nindex=1\n${made.codes.map((code: string) => `account=${code} ${code} 1440 500 0\n`).join('')}`);
  await answer(world, device, { output: JSON.stringify({ accounts: [], sessions: [] }) });

  await page.goto(`${world.url}/management/hotspots/vouchers`);
  await page.getByRole('link', { name: 'Dagsbilletter juni' }).click();
  await press(page, nb('wireless.show_codes'));
  const cards = page.getByRole('list', { name: nb('wireless.voucher_cards') }).getByRole('listitem');
  await cards.nth(5).waitFor();
  const shown = await cards.allInnerTexts();
  expect(shown).toHaveLength(6);
  for (const [index, code] of made.codes.entries()) {
    const text = shown[index]?.replaceAll(/\s/g, ' ') ?? '';
    for (const part of ['Havnegjest', code, '1 440 minutter', '500 MB']) expect(text).toContain(part);
  }
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await press(page, nb('wireless.print'));
  expect(await page.locator('body').getAttribute('data-printed')).toBe('yes');
  // On paper there are the cards, and nothing to press.
  await page.emulateMedia({ media: 'print' });
  expect(await cards.nth(5).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: nb('wireless.print') }).isVisible()).toBe(false);
  expect(watched.faults()).toEqual([]);
});

test('a device that was changed by hand is found in the list by its badge and the filter, and made equal to its template again by a job', async () => {
  const { device, files } = routerOf('quay-02');
  const call = { path: '/system/general/config/system', method: 'put', request_data: { data: { hostname: 'harbour-{{device.name}}' } } };
  const made = await admin.post('/devices/configurator/templates', {
    company_id: company.id,
    name: 'Host names',
    version: '1',
    template: [call],
  });
  const template = `${world.url}/configuration-templates/${made.data.id}`;
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${template}/devices`);
  await press(page, en('actions.configuration-templates.use'));
  const dialog = page.getByRole('dialog', { name: en('forms.configuration-templates.use.title') });
  await dialog.getByRole('combobox').fill('quay-02');
  await page.getByRole('option', { name: /quay-02/ }).click();
  const applied = world.commands.length;
  await dialog.getByRole('button', { name: en('forms.configuration-templates.use.submit'), exact: true }).click();
  await answerAll(applied, 3);
  expect(files.get('etc/config/system')).toContain("option hostname 'harbour-quay-02'");
  const row = page.getByRole('row').filter({ hasText: 'quay-02' });
  const state = (name: string) => row.getByText(en(`values.configuration_drift.state.${name}`), { exact: true });
  await page.reload();
  await state('equal').waitFor();

  files.set('etc/config/system', "config system 'system'\n\toption hostname 'by-hand'\n");
  const compared = world.commands.length;
  await admin.post('/devices/configurator/read', { device_id: [device.id] });
  await answerAll(compared, 1);
  await page.goto(`${world.url}/management/devices`);
  await page.getByRole('link', { name: 'quay-03', exact: true }).waitFor();
  await press(page, 'Columns');
  await page.getByRole('checkbox', { name: en('fields.configuration_state') }).check();
  await page.keyboard.press('Escape');
  const badge = page.getByRole('row').filter({ hasText: 'quay-02' }).getByText(en('values.device.configuration_state.differs'));
  await badge.waitFor();
  await page.goto(`${world.url}/management/devices?configuration_state=differs`);
  await badge.waitFor();
  expect(await page.getByRole('link', { name: 'quay-03', exact: true }).count()).toBe(0);
  expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);

  await page.goto(`${template}/devices`);
  await row.getByText('by-hand').waitFor();
  await row.getByRole('button', { name: /actions/i }).click();
  await page.getByRole('menuitem', { name: en('actions.configuration-drift.make-equal') }).click();
  const mended = world.commands.length;
  const window = page.getByRole('dialog', { name: en('forms.configuration-drift.make-equal.title') });
  await window.getByRole('button', { name: en('forms.configuration-drift.make-equal.submit'), exact: true }).click();
  await answerAll(mended, 3);
  expect(files.get('etc/config/system')).toContain("option hostname 'harbour-quay-02'");
  await page.reload();
  await state('equal').waitFor();
  expect((await admin.get('/jobs', { device_id: device.id, sort: '-id' })).data[0]).toMatchObject({ state: 'finished', counts: { ok: 1 } });
  expect(watched.faults()).toEqual([]);
});

test('a network name and 50 own passwords come from CSV; a device that is cut off by them goes back by itself', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  const read = world.commands.length;
  const ids = [...routers.values()].map(({ device }) => device.id);
  await admin.post('/devices/configurator/read', { device_id: ids });
  await answerAll(read, 50);
  await page.goto(`${world.url}/device-configuration`);
  await page.getByRole('row').filter({ hasText: 'quay-01' }).waitFor();
  await press(page, en('table.selectAllMatching_other', { count: '50' }));
  await press(page, 'Continue with 50 devices');
  await press(page, 'wifi0');
  const names = [...routers.values()].map(({ device }) => device.name);
  const lines = names.map((name) => `${name},Fjordline,own-${name}-secret`);
  await page.getByLabel(en('configurator.unique.file')).setInputFiles({
    name: 'keys.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`name,ssid,key\n${lines.join('\n')}\n`),
  });
  await press(page, en('configurator.preview'));
  const changes = page.getByRole('table', { name: en('configurator.what_changes') });
  await changes.getByText('Fjordline').first().waitFor();
  expect(await changes.innerText()).not.toContain('secret');
  const from = world.commands.length;
  await press(page, 'Apply to 50 devices');
  await answerAll(from, 150, 'quay-27');
  const wireless = (name: string) => routerOf(name).files.get('etc/config/wireless') ?? '';
  for (const name of names.filter((name) => name !== 'quay-27'))
    expect(wireless(name)).toMatch(new RegExp(`ssid 'Fjordline'[^]*key 'own-${name}-secret'`));
  expect(wireless('quay-27')).toContain("option key 'old key 123'");
  const [job] = (await admin.get('/jobs', { sort: '-id' })).data;
  expect(job).toMatchObject({ state: 'finished', counts: { ok: 49, failed: 1 } });
  await page.goto(`${world.url}/jobs/${job.id}`);
  await page.getByText('not confirmed in time').first().waitFor();
  expect(watched.faults()).toEqual([]);
});

test('a dashboard on a phone has each widget in the width of the screen, light and dark', async () => {
  const made = await admin.post('/dashboards', { name: 'Harbour', kind: 'fleet', template: 'overview', share: 'company' });
  await using watched = await openAs(browser, world, admin, 'nb-NO');
  const { page } = watched;
  await page.setViewportSize(PHONE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${world.url}/management/dashboards/${made.data.id}`);
    const widgets = page.getByRole('main').getByRole('region');
    await widgets.nth(3).waitFor();
    for (const widget of await widgets.all()) {
      const box = await widget.boundingBox();
      expect(box?.width).toBeGreaterThan(300);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    expect(await findAccessibilityFaults(page)).toEqual([]);
  }
  expect(watched.faults()).toEqual([]);
});
