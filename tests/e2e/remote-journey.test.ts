import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { DEVICE_LOGIN, startLoginPage } from '../helpers/login-page.ts';
import { startSshd, type SshServer } from '../helpers/remote-counterparts.ts';
import { until } from '../helpers/until.ts';
import { startAgent, type AgentProcess } from './agent-process.ts';
import { call, startInstallation, type Installation } from './installation.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
/** A device on a busy machine may take a minute for its tunnel, and somebody who wants in clicks a second time. */
const PATIENCE_MS = 90_000;
let installation: Installation;
let agent: AgentProcess;
let sshd: SshServer;
let device: { id: number };

beforeAll(async () => {
  const ports = { TUNNEL_PORT: String(await freePort()), REMOTE_PORT: String(await freePort()) };
  installation = await startInstallation({ ...ports, TUNNEL_PUBLIC_HOST: '127.0.0.1' });
  const { page } = installation.system;
  const made = await call(page, 'POST', '/devices/enrolment-codes', { company_id: 1, uses: 1, expires_in_hours: 1 });
  const { code } = made.data as { code: string };
  agent = await startAgent({ url: installation.url, code, name: 'Quay router' });
  device = await until('the device is online', async () =>
    ((await call(page, 'GET', '/devices')).data as { id: number; status: number }[]).find(({ status }) => status === 1),
  );
  sshd = await startSshd();
  const entry = { device_id: device.id, name: 'Quay shell', protocol: 'ssh', destination_ip: '127.0.0.1', destination_port: sshd.port };
  await call(page, 'POST', '/remote/entries', entry);
  await call(page, 'PUT', '/companies/1/remote-access', { records_terminals: true, idle_minutes: 30 });
}, 240_000);

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await sshd?.[Symbol.asyncDispose]();
  await installation?.[Symbol.asyncDispose]();
});

/** Waits for what is wanted; where the page says that it is not connected, connects again, twice at most. */
async function waitPatiently(wanted: Locator, again: Locator): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await wanted.or(again).first().waitFor({ timeout: PATIENCE_MS });
    if (!(await again.isVisible()) || tries > 2) return;
    await again.click();
    await again.waitFor({ state: 'hidden' });
  }
}

test('a shell opens from the page of a device through its tunnel, is used and left by keyboard, and is replayed', async () => {
  const { page, context } = installation.system;
  await page.goto(`${installation.url}/devices/${device.id}/access`);
  await page.getByRole('button', { name: 'Actions: Quay shell' }).click();
  const opening = context.waitForEvent('page');
  await page.getByRole('menuitem', { name: t('actions.remote-access.connect') }).click();
  const shell = await opening;
  const cost = shell.getByRole('alertdialog', { name: t('remote.cost.title', { device: 'Quay router' }) });
  await cost.getByRole('button', { name: t('remote.connect') }).click();

  const form = shell.getByRole('form', { name: t('remote.login.title') });
  const trust = shell.getByRole('button', { name: t('remote.key.trust') });
  const again = shell.getByRole('button', { name: t('remote.reconnect') });
  const isOpen = shell.getByText(t('terminal.phase.open'));
  await waitPatiently(trust.or(form), again);
  if (await trust.isVisible()) await trust.click();
  await form.getByRole('textbox', { name: t('remote.login.username') }).fill(sshd.username);
  await form.getByText(t('remote.login.key'), { exact: true }).click();
  await form.getByRole('textbox', { name: t('remote.login.private_key') }).fill(sshd.privateKey);
  await form.getByRole('button', { name: t('remote.login.submit') }).click();
  await trust.or(isOpen).first().waitFor({ timeout: PATIENCE_MS });
  if (await trust.isVisible()) await trust.click();
  await isOpen.waitFor({ timeout: PATIENCE_MS });

  const shown = () => shell.locator('.xterm-rows').innerText();
  const type = async (text: string) => {
    await shell.keyboard.type(text);
    await shell.keyboard.press('Enter');
  };
  await type('echo ahoy-$((6 * 7))');
  await until('the output', async () => (await shown()).includes('ahoy-42'));

  await shell.setViewportSize({ width: 900, height: 500 });
  await type('echo "size $(stty size)"');
  const narrow = await until('the size', async () => /size (\d+ \d+)/.exec(await shown())?.[1]);
  await shell.setViewportSize({ width: 1400, height: 800 });
  await until('the other size', async () => {
    await type('clear; echo "size $(stty size)"');
    const size = /size (\d+ \d+)/.exec(await shown())?.[1];
    return size !== undefined && size !== narrow;
  });

  await shell.keyboard.press('Control+F6');
  expect(await shell.evaluate(() => document.activeElement?.closest('.xterm') === null)).toBe(true);
  await shell.locator('.xterm-screen').click();
  await type('exit');
  await shell.getByText(t('terminal.phase.ended')).first().waitFor();
  await shell.close();

  const ended = await until('the end in the history', async () =>
    ((await call(page, 'GET', '/devices/connect/logs')).data as { id: number; active: number; end_reason: string }[]).find(
      ({ active }) => active === 0,
    ),
  );
  await page.goto(`${installation.url}/rms-connect/replay?session=${ended.id}`);
  await page.getByRole('button', { name: t('remote.replay.play') }).click();
  await until('the replay', async () => (await page.locator('.xterm-rows').innerText()).includes('size '));
}, 360_000);

test('the sign-in forms of web pages are filled and sent without the browser holding the password', async () => {
  await using router = await startLoginPage();
  const { page, context } = installation.system;
  const entry = { device_id: device.id, protocol: 'http', destination_ip: '127.0.0.1', destination_port: router.port, ...DEVICE_LOGIN };
  await call(page, 'POST', '/remote/entries', { ...entry, name: 'Quay page', login_form: 'send' });
  await page.goto(`${installation.url}/devices/${device.id}/access`);
  await page.getByRole('button', { name: 'Actions: Quay page' }).click();
  const opening = context.waitForEvent('page');
  await page.getByRole('menuitem', { name: t('actions.remote-access.connect') }).click();
  const shown = await opening;
  await shown
    .getByRole('alertdialog')
    .getByRole('button', { name: t('remote.connect') })
    .click();
  await shown.waitForURL(/localhost:\d+\/$/, { timeout: PATIENCE_MS });
  const seen: string[] = [];
  shown.on('request', (request) => void seen.push(request.postData() ?? ''));
  shown.on('response', async (response) => void seen.push(await response.text().catch(() => '')));
  for (const path of ['/luci', '/app']) {
    await shown.goto(new URL(path, shown.url()).href);
    const welcome = shown.getByText('Welcome to the router');
    if (path === '/app') {
      // It was sent by itself once already: now a person does.
      await until(
        'the filled field',
        async () =>
          (await shown
            .locator('[type=password]')
            .inputValue()
            .catch(() => '')) !== '',
      );
      await shown.getByRole('button', { name: 'Log in' }).click();
    }
    await welcome.waitFor();
  }
  expect(router.bodies.filter((body) => body.includes('quay'))).toHaveLength(2);
  expect(seen.join()).toContain('luci_password=');
  expect(seen.join()).not.toContain('quay');
}, 240_000);
