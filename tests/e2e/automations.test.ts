import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
const channel = recordingChannel();
let world: World;
let browser: Browser;
let admin: Caller;
let device: Awaited<ReturnType<typeof makeDevice>>;

beforeAll(async () => {
  world = await makeConsoleWorld({ parts: { devices: async () => channel } });
  const company = await makeCompany(world, { name: 'Fjordline' });
  device = await makeDevice(world, { company, status: 1, name: 'ferry' });
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

const report = (signal: number) =>
  channel.handlers?.deliver([
    { kind: 'message', message: { deviceKey: device.device_key, topic: 'status', payload: { uptime: 1, signal } } },
  ]);

test('a rule is built by keyboard, caused by a device, explained in its log, and its alert acknowledged', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/automations`);
  await page
    .getByRole('button', { name: t('actions.automations.new'), exact: true })
    .first()
    .press('Enter');
  const dialog = page.getByRole('dialog', { name: t('forms.automations.new.title') });
  await dialog
    .getByRole('textbox', { name: t('fields.name') })
    .first()
    .waitFor();
  await page.keyboard.type('Weak signal');
  const rule = dialog.getByRole('group', { name: t('fields.conditions_body') });
  const parameter = rule.getByRole('combobox', { name: t('fields.parameter') });
  await parameter.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('Signal');
  await page.keyboard.press('Enter');
  const comparison = rule.getByRole('combobox', { name: t('fields.operator_of') });
  await comparison.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type(t('values.automation.operator.lt'));
  await page.keyboard.press('Enter');
  const value = rule.getByRole('textbox', { name: t('fields.value') });
  await value.focus();
  await page.keyboard.type('weak');
  await dialog.getByRole('button', { name: t('forms.automations.new.submit'), exact: true }).press('Enter');
  await rule.getByText('Enter a number.').waitFor();
  await value.fill('-100');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('forms.automations.new.submit'), exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });

  await report(-104);
  await until('the alert is raised', async () => (await admin.get('/alerts')).data.length === 1);
  const { data } = await admin.get('/automations');
  await page.goto(`${world.url}/management/automations/${data[0].id}/logs`);
  await page.getByText('(was -104)').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.goto(`${world.url}/management/automations/${data[0].id}/rule`);
  await page.getByText('Signal is less than -100').waitFor();
  await page.getByRole('button', { name: t('automations.test.run'), exact: true }).click();
  await page.getByText(/It would have acted 1 time/).waitFor();
  await page.goto(`${world.url}/home`);
  await page.getByRole('link', { name: 'Weak signal' }).first().click();
  await page.getByText(t('values.alert.state.open')).first().waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page
    .getByRole('row')
    .filter({ hasText: 'Weak signal' })
    .getByRole('button', { name: t('table.rowActions', { name: 'Weak signal' }) })
    .click();
  await page.getByRole('menuitem', { name: t('actions.alerts.acknowledge'), exact: true }).click();
  const window = page.getByRole('dialog', { name: t('forms.alerts.acknowledge.title') });
  await window.getByText(t('forms.alerts.acknowledge.description')).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await window.getByRole('button', { name: t('forms.alerts.acknowledge.submit'), exact: true }).click();
  await window.waitFor({ state: 'detached' });
  expect((await admin.get('/alerts')).data).toMatchObject([{ state: 'acknowledged' }]);
  expect(watched.faults()).toEqual([]);
});
