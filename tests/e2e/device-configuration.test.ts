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
let admin: Caller;
const routers: { device: Awaited<ReturnType<typeof makeDevice>>; files: Map<string, string> }[] = [];

beforeAll(async () => {
  world = await makeConsoleWorld();
  const company = await makeCompany(world, { name: 'Fjordline' });
  for (const [name, mtu] of [
    ['ferry', '1500'],
    ['quay', '1400'],
  ] as const) {
    const device = await makeDevice(world, { company, status: 1, name, model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' });
    const network = `config interface 'lan'\n\toption ipaddr '192.168.1.1'\n\toption mtu '${mtu}'\n`;
    const rules = ['ssh', 'web', 'drop'].map((rule) => `config rule '${rule}'\n\toption name 'Rule ${rule}'\n`).join('');
    const files = new Map([['etc/config/network', network], ['etc/config/firewall', rules]]); // prettier-ignore
    routers.push({ device, files });
  }
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

/** The devices do what they were asked for, and what follows. */
async function answerAll(from: number, count: number): Promise<void> {
  for (let next = from; next < from + count; next += 1) {
    await until('a command', () => world.commands.length > next);
    const { deviceKey, command } = world.commands[next] ?? {};
    const router = routers.find(({ device }) => device.device_key === deviceKey);
    if (!router || !command) throw new Error('a command for no router');
    if (command.verb === 'configure') expect(changeSettings(router.files, command.body)).toBeUndefined();
    const output = command.verb === 'read' ? (readSettings(router.files, command.body).output ?? null) : null;
    await answer(world, router.device, { output });
  }
}

/** The page with the settings of both devices. */
async function openConfigurator() {
  const watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/device-configuration`);
  for (const name of ['ferry', 'quay']) await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Continue with 2 devices' }).click();
  return watched;
}

test('settings of two devices are read, compared, previewed and changed, for both and for one alone', async () => {
  await using watched = await openConfigurator();
  const { page } = watched;
  await page.getByRole('button', { name: t('configurator.read'), exact: true }).click();
  await answerAll(0, 2);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'lan', exact: true }).click();
  await page.getByText('Mixed values: 1500 · 1400. Leave it empty to change nothing.').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByLabel('Gateway', { exact: true }).fill('192.168.1.254');
  await page.getByLabel('quay MTU').fill('1300');
  await page.getByRole('button', { name: t('configurator.preview'), exact: true }).click();
  const changes = page.getByRole('table', { name: t('configurator.what_changes') });
  await changes.getByRole('row').filter({ hasText: 'quay' }).filter({ hasText: '1300' }).waitFor();
  expect(await changes.getByRole('row').count()).toBe(4);
  await page.getByRole('button', { name: 'Apply to 2 devices' }).click();
  await answerAll(2, 6);
  const [ferry, quay] = routers.map(({ files }) => files.get('etc/config/network'));
  expect(ferry).toContain("option gateway '192.168.1.254'");
  expect(ferry).toContain("option mtu '1500'");
  expect(quay).toContain("option mtu '1300'");
  expect(watched.faults()).toEqual([]);
});

test('unique values come from a CSV file, and the logs of the group say what was done', async () => {
  await using watched = await openConfigurator();
  const { page } = watched;
  await page.getByRole('button', { name: 'lan', exact: true }).click();
  await page.getByLabel(t('configurator.unique.file')).setInputFiles({
    name: 'addresses.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,ipaddr\nferry,10.1.0.1\nquay,10.2.0.1\nnobody,10.3.0.1\n'),
  });
  await page.getByText('Line 4: no chosen device is called “nobody”.').waitFor();
  await page.getByRole('button', { name: t('configurator.preview'), exact: true }).click();
  const changes = page.getByRole('table', { name: t('configurator.what_changes') });
  await changes.getByRole('row').filter({ hasText: 'quay' }).filter({ hasText: '10.2.0.1' }).waitFor();
  expect(await changes.getByRole('row').count()).toBe(3);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const from = world.commands.length;
  await page.getByRole('button', { name: 'Apply to 2 devices' }).click();
  await answerAll(from, 6);
  expect(routers.map(({ files }) => files.get('etc/config/network')?.match(/10\.\d\.0\.1/)?.[0])).toEqual(['10.1.0.1', '10.2.0.1']);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('configurator.group.title') }).click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('tab', { name: t('configurator.group.group_logs') }).click();
  await dialog.getByRole('button', { name: 'Settings changed' }).first().waitFor();
  await dialog.getByRole('tab', { name: t('configurator.group.status') }).click();
  await dialog.getByRole('button', { name: `${t('configurator.group.data')}: quay` }).click();
  await dialog
    .getByRole('region', { name: t('configurator.group.data') })
    .getByText('10.2.0.1')
    .waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(watched.faults()).toEqual([]);
});

test('what is entered is not lost by another section or page, and a preview is that of what is entered now', async () => {
  await using watched = await openConfigurator();
  const { page } = watched;
  await page.getByRole('button', { name: 'lan', exact: true }).click();
  const gateway = page.getByLabel('Gateway', { exact: true });
  const stay = page.getByRole('button', { name: t('form.unsaved.stay') });
  await gateway.fill('192.168.7.7');
  await page.getByRole('button', { name: 'ssh', exact: true }).click();
  await stay.click();
  await page.getByRole('link', { name: t('resources.devices.title'), exact: true }).click();
  await stay.click();
  await page.getByRole('button', { name: t('configurator.other_devices') }).click();
  await stay.click();
  await expect.poll(() => gateway.inputValue()).toBe('192.168.7.7');
  await page.getByRole('button', { name: t('configurator.preview'), exact: true }).click();
  await page.getByRole('button', { name: 'Apply to 2 devices' }).waitFor();
  await gateway.fill('192.168.8.8');
  await page.getByRole('button', { name: 'Apply to 2 devices' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'ssh', exact: true }).click();
  await page.getByRole('button', { name: t('form.unsaved.leave') }).click();
  await gateway.waitFor({ state: 'detached' });
  expect(watched.faults()).toEqual([]);
});

test('a section is added to the devices that do not have it, with a value of its own for one, copied, and removed again after a warning', async () => {
  await using watched = await openConfigurator();
  const { page } = watched;
  const title = (await page.getByRole('heading', { level: 3 }).first().textContent()) ?? '';
  await page.getByRole('button', { name: t('configurator.add.of', { section: title }), exact: true }).click();
  const name = page.getByRole('textbox', { name: t('configurator.add.name') });
  await name.fill('no good');
  await page.getByText(t('configurator.add.name_wrong')).waitFor();
  await name.fill('guest');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: t('configurator.add.next'), exact: true }).click();
  await page.getByLabel('Gateway', { exact: true }).fill('10.0.0.1');
  await page.getByLabel('quay MTU').fill('1280');
  await page.getByRole('button', { name: t('configurator.preview'), exact: true }).click();
  let from = world.commands.length;
  await page.getByRole('button', { name: 'Apply to 2 devices' }).click();
  await answerAll(from, 6);
  const [ferry, quay] = routers.map(({ files }) => files.get('etc/config/network'));
  expect(ferry).toMatch(/config interface '?guest'?\n\toption gateway '10\.0\.0\.1'/);
  expect(quay).toContain("option mtu '1280'");
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'guest', exact: true }).click();
  await page.getByRole('button', { name: t('configurator.copy.of').replace('{name}', 'guest'), exact: true }).click();
  await name.fill('guest2');
  await name.press('Enter');
  await page.getByText('guest2', { exact: false }).first().waitFor();
  await expect.poll(() => page.getByLabel('Gateway', { exact: true }).inputValue()).toBe('10.0.0.1');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'guest', exact: true }).click();
  await page.getByRole('button', { name: t('configurator.remove_other', { count: '2' }), exact: true }).click();
  await page.getByText(t('configurator.remove.lost')).waitFor();
  from = world.commands.length;
  await page.getByRole('button', { name: 'Apply to 2 devices' }).click();
  await answerAll(from, 6);
  for (const { files } of routers) expect(files.get('etc/config/network')).not.toContain('guest');
  expect(watched.faults()).toEqual([]);
});

test('sections are put in order by keyboard and by buttons, and each device shows what changes', async () => {
  await using watched = await openConfigurator();
  const { page } = watched;
  const section = page.getByRole('button', { name: t('configurator.order.of', { section: 'Firewall rules' }), exact: true });
  await section.click();
  const rows = page.getByRole('list').filter({ hasText: 'Rule drop' }).getByRole('listitem');
  const up = page.getByRole('button', { name: t('configurator.order.up', { name: 'drop' }) });
  await up.click();
  await page.getByText(t('configurator.order.moved', { name: 'drop', place: '2', count: '3' })).waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText(t('configurator.order.moved', { name: 'drop', place: '1', count: '3' })).waitFor();
  expect(await rows.allInnerTexts()).toEqual([/drop/, /ssh/, /web/].map((name) => expect.stringMatching(name)));
  // At the top only the way down is left.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move drop down');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: t('configurator.preview'), exact: true }).click();
  const changes = page.getByRole('table', { name: t('configurator.what_changes') });
  await changes.getByRole('row').filter({ hasText: 'quay' }).filter({ hasText: 'drop, ssh, web' }).waitFor();
  const from = world.commands.length;
  await page.getByRole('button', { name: 'Apply to 2 devices' }).click();
  await answerAll(from, 6);
  for (const { files } of routers)
    expect([...(files.get('etc/config/firewall') ?? '').matchAll(/rule '(\w+)'/g)].map(([, name]) => name)).toEqual(['drop', 'ssh', 'web']);
  expect(watched.faults()).toEqual([]);
});

test('a list of objects is filled in for all devices, copied and moved, and devices that differ show their own beside it', async () => {
  const key = (letter: string) => `${letter.repeat(43)}=`;
  for (const [index, { files }] of routers.entries())
    files.set(
      'etc/config/network',
      `${files.get('etc/config/network')}config wireguard_lan 'old'\n\toption public_key '${key(String(index))}'\n\toption description 'Old ${index}'\n`,
    );
  await using watched = await openConfigurator();
  const { page } = watched;
  let from = world.commands.length;
  await page.getByRole('button', { name: t('configurator.read'), exact: true }).click();
  await answerAll(from, 2);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'lan', exact: true }).click();
  await page.getByText(/Mixed values: .*description: Old 0.* · .*description: Old 1/).waitFor();
  const peers = page.getByRole('group', { name: 'WireGuard peers' });
  await peers.getByRole('button', { name: 'Add' }).click();
  await peers.getByLabel('Public key').fill(key('A'));
  await peers.getByLabel('Preshared key').fill(key('s'));
  await peers.getByRole('button', { name: 'Copy item 1' }).click();
  await peers.getByLabel('Public key').nth(1).fill(key('B'));
  await peers.getByRole('button', { name: 'Move item 2 up' }).click();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: t('configurator.preview'), exact: true }).click();
  const changes = page.getByRole('table', { name: t('configurator.what_changes') });
  await changes.getByRole('row').filter({ hasText: 'quay' }).filter({ hasText: 'Old 1' }).waitFor();
  expect(await changes.textContent()).not.toContain(key('s'));
  from = world.commands.length;
  await page.getByRole('button', { name: 'Apply to 2 devices' }).click();
  await answerAll(from, 6);
  for (const { files } of routers) {
    const keys = [...(files.get('etc/config/network') ?? '').matchAll(/option public_key '(.)/g)].map(([, letter]) => letter);
    expect(keys).toEqual(['B', 'A']);
  }
  expect(watched.faults()).toEqual([]);
});
