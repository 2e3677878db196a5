import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeEntry, startService } from '../helpers/remote.ts';
import { startSshd, type SshServer } from '../helpers/remote-counterparts.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { launchBrowser, type Browser } from './browser.ts';
import { openAs } from './console-world.ts';
import { makeRemoteWorld, signInByKey } from './remote-console.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let admin: Caller;
let device: { id: number };
let sshd: SshServer;

beforeAll(async () => {
  world = await makeRemoteWorld();
  const company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  device = await makeDevice(world, { company, name: 'Quay router', status: 0 });
  sshd = await startSshd();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await sshd?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

async function openEntry(page: string, protocol: 'ssh' | 'sftp' | 'telnet', port: number) {
  const entry = await makeEntry(admin, { device_id: device.id, port, protocol });
  const watched = await openAs(browser, world, admin, 'en-GB');
  await watched.page.goto(`${world.url}/rms-connect/${page}?entry=${entry}`);
  await watched.page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('remote.connect') })
    .click();
  return watched;
}

const shownBy = (page: Page): Promise<string> =>
  page
    .locator('.xterm-rows')
    .allInnerTexts()
    .then((rows) => rows.join('\n'));

test('a question for the name takes the keyboard, so that one types on', async () => {
  await using watched = await openEntry('ssh', 'ssh', sshd.port);
  const name = watched.page.getByRole('textbox', { name: t('remote.login.username') });
  await name.waitFor();
  await watched.page.keyboard.type('kari');
  expect(await name.inputValue()).toBe('kari');
});

test('a terminal shows colours of 24 bits and marks what was searched for', async () => {
  await using echo = await startService();
  await using watched = await openEntry('telnet', 'telnet', echo.port);
  const { page } = watched;
  await page.getByText(t('terminal.phase.open'), { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('[38;2;255;0;7mcrane crane');
  const spans = page.locator('.xterm-rows span');
  const style = (name: 'color' | 'backgroundColor') =>
    spans.evaluateAll((all, wanted) => all.map((span) => getComputedStyle(span)[wanted]), name);
  await until('the colour', async () => (await style('color')).includes('rgb(255, 0, 7)'));
  await page.getByRole('button', { name: t('terminal.search') }).click();
  await page.keyboard.type('crane');
  await until('a mark', async () => (await style('backgroundColor')).includes('rgb(240, 180, 64)'));
  expect(watched.faults()).toEqual([]);
});

test('typing goes to all terminals at once after the button, which ends with the second terminal', async () => {
  await using echo = await startService();
  await using watched = await openEntry('telnet', 'telnet', echo.port);
  const { page } = watched;
  await page.getByText(t('terminal.phase.open'), { exact: true }).waitFor();
  await page.getByRole('button', { name: t('terminal.split') }).click();
  const panes = page.locator('.xterm');
  await until('two terminals', async () => (await panes.count()) === 2);
  await page.getByText(t('terminal.phase.open'), { exact: true }).waitFor();
  const all = page.getByRole('button', { name: t('terminal.broadcast') });
  await all.click();
  await page.keyboard.type('ahoy there');
  await until('the text in both', async () => (await shownBy(page)).split('ahoy there').length === 3);
  expect(await all.getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: t('terminal.more') }).click();
  await page.getByRole('menuitem', { name: t('terminal.close_pane') }).click();
  await until('one terminal', async () => (await panes.count()) === 1);
  expect(await all.getAttribute('aria-pressed')).toBe('false');
});

test('several files are sent at once, and a folder that is there already is asked about', async () => {
  const local = mkdtempSync(join(tmpdir(), 'canopy-files-'));
  mkdirSync(join(local, 'site'));
  for (const name of ['one.txt', 'two.txt', join('site', 'index.html')]) writeFileSync(join(local, name), 'new');
  mkdirSync(join(sshd.folder, 'site'));
  writeFileSync(join(sshd.folder, 'site', 'index.html'), 'of somebody else');
  await using watched = await openEntry('sftp', 'sftp', sshd.port);
  const { page } = watched;
  await signInByKey(page, sshd);
  await page.getByRole('button', { name: t('remote.key.trust') }).click();
  const path = page.getByRole('textbox', { name: t('files_remote.path') });
  await path.fill(sshd.folder);
  await path.press('Enter');
  await page.getByRole('button', { name: 'site', exact: true }).waitFor();
  const files = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: t('files_remote.upload'), exact: true }).click();
  await (await files).setFiles([join(local, 'one.txt'), join(local, 'two.txt')]);
  await page.getByRole('button', { name: 'two.txt', exact: true }).waitFor();
  const folder = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: t('files_remote.upload_folder') }).click();
  await (await folder).setFiles(join(local, 'site'));
  const question = page.getByRole('alertdialog', { name: t('files_remote.overwrite') });
  await question.getByText('site', { exact: true }).waitFor();
  await question.getByRole('button', { name: t('dialogs.cancel') }).click();
  await question.waitFor({ state: 'hidden' });
  expect(readFileSync(join(sshd.folder, 'site', 'index.html'), 'utf8')).toBe('of somebody else');
  await page.getByRole('button', { name: t('files_remote.new_folder') }).click();
  const asked = page.getByRole('dialog', { name: t('files_remote.new_folder') });
  await asked.getByRole('textbox').fill('a/b');
  await asked.getByRole('textbox').press('Enter');
  await page.getByText(t('files_remote.no_slash')).waitFor();
  rmSync(local, { recursive: true, force: true });
});

test('a text that is written while the session ends is saved after connecting again, in the folder where one was', async () => {
  mkdirSync(join(sshd.folder, 'etc'));
  writeFileSync(join(sshd.folder, 'etc', 'motd'), 'Welcome');
  await using watched = await openEntry('sftp', 'sftp', sshd.port);
  const { page } = watched;
  await signInByKey(page, sshd);
  const path = page.getByRole('textbox', { name: t('files_remote.path') });
  const trust = page.getByRole('button', { name: t('remote.key.trust') });
  await trust.or(path).first().waitFor();
  if (await trust.isVisible()) await trust.click();
  await path.fill(join(sshd.folder, 'etc'));
  await path.press('Enter');
  await page.getByRole('button', { name: 'Actions for motd' }).click();
  await page.getByRole('menuitem', { name: t('files_remote.edit') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' aboard');
  const [session] = (await admin.get('/devices/connect/logs', { active: '1', device_id: device.id, protocol: 'sftp' })).data;
  await admin.post(`/devices/connect/sessions/${session.id}/end`, {});
  await dialog.getByText(t('files_remote.lost')).waitFor();
  await dialog.getByRole('button', { name: t('remote.reconnect') }).click();
  await signInByKey(page, sshd);
  await path.waitFor();
  expect(await path.inputValue()).toBe(join(sshd.folder, 'etc'));
  await page
    .getByRole('button', { name: join(sshd.folder, 'etc', 'motd') })
    .first()
    .click();
  await dialog.getByRole('button', { name: t('files_remote.save') }).click();
  await until('the text to be saved', () => readFileSync(join(sshd.folder, 'etc', 'motd'), 'utf8') === 'Welcome aboard');
});
