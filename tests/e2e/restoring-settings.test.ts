import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDueRules } from '../../server/features/backup-rules/run-due.ts';
import { SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { startAgent, type AgentProcess } from './agent-process.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
const NETWORK = 'config interface lan\n\toption ipaddr 192.168.1.1\n\toption mtu 1500\n';
let world: World;
let browser: Browser;
let admin: Caller;
let agent: AgentProcess;
let settings: string;
let deviceId: number;

beforeAll(async () => {
  world = await makeConsoleWorld({ broker: true });
  const company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  const { code } = await makeEnrolmentCode(world, { company });
  agent = await startAgent({ url: world.url, code, name: 'Machine on the quay' });
  settings = join(agent.root, 'etc/config/network');
  await writeFile(settings, NETWORK);
  deviceId = await until('the agent is online', async () => {
    const [device] = (await admin.get('/devices')).data;
    return device?.status === 1 && device.id;
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await agent?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

/** The rule's time has come. */
async function runRule(): Promise<void> {
  await world.clock.jump(SECOND);
  await world.ctx.db.updateTable('backup_rules').set({ next_at: world.ctx.clock.now() }).execute();
  const before = (await admin.get('/files', { device_id: deviceId })).meta['total'] as number;
  await runDueRules(world.ctx);
  await until('the backup is here', async () => (await admin.get('/files', { device_id: deviceId })).meta['total'] === before + 1);
}

/** Whether the machine's settings are others than at its last backup; null: it has not said so. */
const changedSince = async (): Promise<boolean | null> => (await admin.get(`/devices/${deviceId}/details`)).data.has_changed_since_backup;

test('a rule keeps backups of a real machine; what was changed on it since is shown line by line, and the older version put back [DV4]', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/backup-rules`);
  await page
    .getByRole('button', { name: t('actions.backup-rules.new'), exact: true })
    .first()
    .click();
  const form = page.getByRole('dialog', { name: t('forms.backup-rules.new.title') });
  await form.getByRole('textbox', { name: t('fields.name') }).fill('Nightly');
  await form.getByRole('radio', { name: t('values.backup_rule.period.day') }).check();
  await form.getByRole('combobox', { name: t('fields.timezone') }).fill('Europe/Oslo');
  await page
    .getByRole('option', { name: /Europe\/Oslo/ })
    .first()
    .click();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await form.getByRole('button', { name: t('forms.backup-rules.new.submit'), exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText('Nightly', { exact: true }).waitFor();

  await runRule();
  await until('the device says what was backed up', async () => (await changedSince()) === false);
  await writeFile(settings, NETWORK.replace('mtu 1500', 'mtu 1300'));
  await admin.post('/devices/actions', { action: 'update_metrics_data', device_id: [deviceId] });
  await until('its settings are others', async () => (await changedSince()) === true);
  await page.goto(`${world.url}/devices/${deviceId}/activity`);
  await page.getByText(t('devices.head.changed')).waitFor();
  await runRule();
  await until('they are backed up again', async () => (await changedSince()) === false);

  await page.goto(`${world.url}/devices/${deviceId}/files`);
  await page.getByRole('checkbox', { name: t('table.selectPage') }).check();
  const bar = page.getByRole('region', { name: t('table.bulk') });
  await bar.getByRole('button', { name: t('actions.files.compare') }).click();
  const differences = page.getByRole('dialog', { name: t('files.compare.title') });
  const file = differences.getByRole('region', { name: t('files.compare.diff', { name: 'etc/config/network' }) }).last();
  await file.getByText('-\toption mtu 1500').waitFor();
  await file.getByText('+\toption mtu 1300').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await differences.waitFor({ state: 'detached' });

  await page
    .getByRole('button', { name: /^Actions: / })
    .last()
    .click();
  await page.getByRole('menuitem', { name: t('actions.files.restore') }).click();
  const restore = page.getByRole('dialog', { name: t('forms.files.restore.title') });
  await restore.getByRole('checkbox', { name: t('fields.check_wan') }).uncheck();
  await restore.getByRole('button', { name: t('forms.files.restore.submit'), exact: true }).click();
  await until('the settings of before are back', async () => (await readFile(settings, 'utf8').catch(() => '')) === NETWORK);
  await page.getByRole('dialog').getByText(t('values.job_target.state.ok'), { exact: true }).first().waitFor();
  expect(watched.faults()).toEqual([]);
});
