import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, asUser, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeRole, makeUser, PASSWORD } from '../helpers/factories.ts';
import { makeEntry, startService } from '../helpers/remote.ts';
import { startSshd, startVncDesktop, type SshServer } from '../helpers/remote-counterparts.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, openPage, signIn, type Browser } from './browser.ts';
import { openAs } from './console-world.ts';
import { makeRemoteWorld, signInByKey } from './remote-console.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let admin: Caller;
let device: { id: number };
let company: Awaited<ReturnType<typeof makeCompany>>;
let sshd: SshServer;

beforeAll(async () => {
  world = await makeRemoteWorld();
  company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  await admin.post('/storage', { key: 'prompt.remote-cost', value: 'What a session costs' });
  device = await makeDevice(world, { company, name: 'Quay router', status: 0 });
  sshd = await startSshd();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await sshd?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

async function openEntry(page: string, protocol: 'ssh' | 'sftp' | 'vnc' | 'telnet', port: number) {
  const entry = await makeEntry(admin, { device_id: device.id, port, protocol });
  const watched = await openAs(browser, world, admin, 'en-GB');
  await watched.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await watched.page.goto(`${world.url}/rms-connect/${page}?entry=${entry}`);
  return watched;
}

test('files are listed, edited in place, sent and fetched', async () => {
  writeFileSync(join(sshd.folder, 'banner.txt'), 'Welcome\n');
  await using watched = await openEntry('sftp', 'sftp', sshd.port);
  const { page } = watched;
  await signInByKey(watched.page, sshd);
  const trust = page.getByRole('button', { name: t('remote.key.trust') });
  const path = page.getByRole('textbox', { name: t('files_remote.path') });
  await trust.or(path).first().waitFor();
  if (await trust.isVisible()) await trust.click();
  await path.fill(sshd.folder);
  await path.press('Enter');
  await page.getByRole('button', { name: 'banner.txt', exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Actions for banner.txt' }).click();
  await page.getByRole('menuitem', { name: t('files_remote.edit') }).click();
  const editor = page.getByRole('dialog').getByRole('textbox');
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('aboard');
  await page.getByRole('button', { name: t('files_remote.save') }).click();
  await until('the text to be saved', () => readFileSync(join(sshd.folder, 'banner.txt'), 'utf8') === 'Welcome\naboard');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
  const content = randomBytes(6_000_000);
  const local = join(sshd.folder, 'picture.local');
  writeFileSync(local, content);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: t('files_remote.upload') }).click();
  await (await chooser).setFiles({ name: 'picture.bin', mimeType: 'application/octet-stream', buffer: content });
  await page.getByRole('button', { name: 'picture.bin', exact: true }).waitFor();
  expect(readFileSync(join(sshd.folder, 'picture.bin')).equals(content)).toBe(true);
  const fetched = page.waitForEvent('download');
  await page.getByRole('button', { name: 'picture.bin', exact: true }).click();
  const sum = createHash('sha256')
    .update(readFileSync(await (await fetched).path()))
    .digest('hex');
  expect(sum).toBe(createHash('sha256').update(content).digest('hex'));
  expect(watched.faults()).toEqual([]);
});

test('a whole folder is sent by the button, with the folders in it', async () => {
  const local = mkdtempSync(join(tmpdir(), 'canopy-folder-'));
  mkdirSync(join(local, 'site', 'pictures'), { recursive: true });
  writeFileSync(join(local, 'site', 'index.html'), '<h1>Quay</h1>');
  const picture = randomBytes(300_000);
  writeFileSync(join(local, 'site', 'pictures', 'crane.bin'), picture);
  await using watched = await openEntry('sftp', 'sftp', sshd.port);
  const { page } = watched;
  await signInByKey(watched.page, sshd);
  const trust = page.getByRole('button', { name: t('remote.key.trust') });
  const path = page.getByRole('textbox', { name: t('files_remote.path') });
  await trust.or(path).first().waitFor();
  if (await trust.isVisible()) await trust.click();
  await path.fill(sshd.folder);
  await path.press('Enter');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: t('files_remote.upload_folder') }).click();
  await (await chooser).setFiles(join(local, 'site'));
  await page.getByRole('button', { name: 'site', exact: true }).click();
  await page.getByRole('button', { name: 'index.html', exact: true }).waitFor();
  await page.getByRole('button', { name: 'pictures', exact: true }).click();
  await page.getByRole('button', { name: 'crane.bin', exact: true }).waitFor();
  const sent = join(sshd.folder, 'site');
  expect(readFileSync(join(sent, 'index.html'), 'utf8')).toBe('<h1>Quay</h1>');
  await until('the picture', () => readFileSync(join(sent, 'pictures', 'crane.bin')).equals(picture));
  rmSync(local, { recursive: true, force: true });
});

test('a special key asks for its parameters and sends what it was made for', async () => {
  await using echo = await startService();
  await using watched = await openEntry('telnet', 'telnet', echo.port);
  const { page } = watched;
  await page.getByText(t('terminal.phase.open'), { exact: true }).waitFor();
  await page.getByRole('button', { name: t('remote.keys.menu') }).click();
  await page.getByRole('menuitem', { name: t('remote.keys.add') }).click();
  const form = page.getByRole('dialog', { name: t('forms.remote-access.new-key.title') });
  await form.getByRole('textbox', { name: t('forms.remote-access.key_label') }).fill('Ping');
  await form.getByRole('textbox', { name: t('forms.remote-access.key_text') }).fill('ping -c {count:number} {host} {line:eth0|eth1}');
  await form.getByRole('button', { name: t('forms.remote-access.new-key.submit') }).click();
  await page
    .getByRole('toolbar', { name: t('remote.keys.own') })
    .getByRole('button', { name: 'Ping' })
    .click();
  const asked = page.getByRole('dialog', { name: 'Ping' });
  await asked.getByRole('textbox', { name: 'count' }).fill('three');
  await asked.getByRole('textbox', { name: 'host' }).fill('gw.example');
  await asked.getByRole('button', { name: t('remote.keys.send') }).click();
  await asked.getByText(t('remote.keys.no_number')).waitFor();
  await asked.getByRole('textbox', { name: 'count' }).fill('3');
  await asked.getByRole('textbox', { name: 'count' }).press('Enter');
  await until('the text to come back', async () => (await page.locator('.xterm-rows').innerText()).includes('ping -c 3 gw.example eth0'));
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(watched.faults()).toEqual([]);
});

test('somebody of another company opens what was shared with them after signing in, and nothing of it before', async () => {
  await using echo = await startService();
  const entry = await makeEntry(admin, { device_id: device.id, port: echo.port, protocol: 'telnet', name: 'shared-shell' });
  const guest = await makeUser(world, { role: 'read_only', company: await makeCompany(world) });
  const given = { email: guest.email, purpose: 'Camera is dark', hours: 2 };
  const { data } = await admin.post(`/remote/entries/${entry}/links`, given);
  await using watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${world.url}/rms-connect/telnet?link=${data.id}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await page.content()).not.toContain('shared-shell');
  await signIn(page, world.url, { email: guest.email, password: PASSWORD });
  await page.goto(`${world.url}/remote/shared`);
  await page.getByText('shared-shell').first().waitFor();
  await page.goto(`${world.url}/rms-connect/telnet?link=${data.id}`);
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('remote.connect') })
    .click();
  await page.getByText(t('terminal.phase.open'), { exact: true }).waitFor();
  await page.getByText('Camera is dark').waitFor();
  await page.keyboard.type('ahoy');
  await until('the text to come back', async () => (await page.locator('.xterm-rows').innerText()).includes('ahoy'));
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await admin.delete(`/remote/links/${data.id}`);
  await world.clock.advance(1000);
  await page.getByText(t('remote.reasons.right-lost')).waitFor();
});

test('a desktop that the company records says so, and its recording shows the same picture, also after going back', async () => {
  await using desktop = await startVncDesktop();
  await admin.put(`/companies/${admin.user.company_id}/remote-access`, {
    records_terminals: false,
    records_desktops: true,
    idle_minutes: 30,
  });
  await using watched = await openEntry('desktop', 'vnc', desktop.port);
  const { page } = watched;
  await page.getByLabel(t('remote.login.password')).first().fill(desktop.password);
  await page.getByRole('button', { name: t('remote.login.submit') }).click();
  await page.getByText(t('desktop.phase.open')).waitFor();
  await page.getByText(t('remote.recorded')).waitFor();
  const canvas = page.locator('canvas').first();
  /** Size, and the pixels without the pointer's, which is no part of the canvas. */
  const picture = () =>
    canvas.evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement;
      const { data } = (element as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] };
      let sum = 0;
      for (const value of data) sum = (Math.imul(sum, 31) + value) | 0;
      const isBlue = data[4 * (40 * width + 40) + 2] === 255 && data[4 * (40 * width + 40)] === 0;
      return { width, height, sum, isBlue };
    });
  await until('the blue window', async () => (await picture()).isBlue);
  await world.clock.advance(9000);
  await canvas.click({ position: { x: 200, y: 150 } });
  await until('typing to arrive', async () => {
    await page.keyboard.type('ahoy');
    return desktop.typed().includes('ahoy');
  });
  const last = await picture();
  await page.goto('about:blank');
  const ended = await until('the recording', async () => {
    const { data } = await admin.get('/devices/connect/logs?protocol=vnc');
    return (data as { id: number; has_recording: number; active: number }[]).find((one) => one.active === 0 && one.has_recording === 1);
  });

  await page.goto(`${world.url}/rms-connect/replay-desktop?session=${ended.id}`);
  await page.getByRole('button', { name: t('remote.replay.play') }).waitFor();
  await page.getByRole('heading', { name: /^Quay router: entry-\d+$/ }).waitFor();
  await until('the same picture', async () => (await picture()).sum === last.sum);
  expect(await picture()).toEqual(last);
  await page.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await until('the same picture again', async () => (await picture()).sum === last.sum);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(watched.faults()).toEqual([]);
  await admin.put(`/companies/${admin.user.company_id}/remote-access`, {
    records_terminals: false,
    records_desktops: false,
    idle_minutes: 30,
  });
});

test('a VNC desktop is drawn after its password, and what is typed arrives there', async () => {
  await using desktop = await startVncDesktop();
  await using watched = await openEntry('desktop', 'vnc', desktop.port);
  const { page } = watched;
  await page
    .getByRole('textbox', { name: t('remote.login.password') })
    .or(page.getByLabel(t('remote.login.password')))
    .first()
    .fill(desktop.password);
  await page.getByRole('button', { name: t('remote.login.submit') }).click();
  await page.getByText(t('desktop.phase.open')).waitFor();
  const canvas = page.locator('canvas').first();
  await canvas.hover({ position: { x: 200, y: 150 } });
  await canvas.click({ position: { x: 200, y: 150 } });
  await until('typing to arrive', async () => {
    await page.keyboard.type('ahoy');
    return desktop.typed().includes('ahoy');
  });
  await page.getByRole('button', { name: t('desktop.clipboard') }).click();
  const panel = page.getByRole('region', { name: t('desktop.clipboard') });
  execFileSync('xsel', ['-ib'], { env: { ...process.env, DISPLAY: desktop.display }, input: 'copied there' });
  await until('what was copied', async () => (await panel.getByRole('textbox').last().inputValue()) === 'copied there');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(watched.faults()).toEqual([]);
});

test('somebody without the right to the clipboard sees the desktop and types there, and has no clipboard', async () => {
  await using desktop = await startVncDesktop();
  const entry = await makeEntry(admin, { device_id: device.id, port: desktop.port, protocol: 'vnc' });
  const role = await makeRole(world, {
    company,
    permissions: ['view_devices', 'view_device_remote_access', 'execute_device_remote_access'],
  });
  const caller = await asUser(world, await makeUser(world, { role, company }));
  await caller.post('/storage', { key: 'prompt.remote-cost', value: 'What a session costs' });
  await using watched = await openAs(browser, world, caller, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/rms-connect/desktop?entry=${entry}`);
  await page.getByLabel(t('remote.login.password')).first().fill(desktop.password);
  await page.getByRole('button', { name: t('remote.login.submit') }).click();
  await page.getByText(t('desktop.phase.open')).waitFor();
  await page
    .locator('canvas')
    .first()
    .click({ position: { x: 200, y: 150 } });
  await until('typing to arrive', async () => {
    await page.keyboard.type('ahoy');
    return desktop.typed().includes('ahoy');
  });
  // The blue of the window: the picture is drawn.
  const hasBlue = () =>
    page.evaluate(() => {
      const canvas = document.querySelector('canvas');
      return canvas?.getContext('2d')?.getImageData(300, 200, 1, 1).data.slice(0, 3).join() === '0,0,255';
    });
  await until('the picture', hasBlue);
  expect(await page.getByRole('button', { name: t('desktop.clipboard') }).count()).toBe(0);
  expect(watched.faults()).toEqual([]);
});
