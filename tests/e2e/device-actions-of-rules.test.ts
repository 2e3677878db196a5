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
let templateId: number;

beforeAll(async () => {
  world = await makeConsoleWorld({ parts: { devices: async () => channel } });
  const company = await makeCompany(world, { name: 'Fjordline' });
  device = await makeDevice(world, { company, status: 1, name: 'ferry' });
  admin = await as(world, 'admin', { company });
  const { data } = await admin.post('/data-collect/configs', {
    ...{ name: 'Vitals', company_id: company.id, period: 300, enabled: true },
    data: [{ url: '/file/proc/loadavg', variables: [{ id: 'load', filter: '$.lines[0][0]', type: 'number' }] }],
  });
  templateId = data.id;
  await admin.put(`/data-collect/configs/${templateId}/assign`, { device_id: [device.id], period: 300, enabled: true });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

test('a rule over a collected value runs a device action whose parameters are entered in its own form', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/automations`);
  await page
    .getByRole('button', { name: t('actions.automations.new'), exact: true })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: t('forms.automations.new.title') });
  await dialog
    .getByRole('textbox', { name: t('fields.name') })
    .first()
    .fill('Busy');
  const rule = dialog.getByRole('group', { name: t('fields.conditions_body') });
  const choose = async (name: string, option: string): Promise<void> => {
    await rule.getByRole('combobox', { name, exact: true }).click();
    await page.keyboard.type(option);
    await page.keyboard.press('Enter');
  };
  await choose(t('fields.parameter'), 'Vitals: load');
  await choose(t('fields.operator_of'), t('values.automation.operator.gt'));
  await rule.getByRole('textbox', { name: t('fields.value') }).fill('2');
  await choose(t('fields.action_of'), t('values.automation.action.RunForm'));
  await choose(t('fields.device_action'), t('forms.devices.run-command.title'));
  await dialog.getByRole('button', { name: t('forms.automations.new.submit'), exact: true }).click();
  await rule.getByText(/^Check its parameters: Command/).waitFor();
  await rule.getByRole('button', { name: t('automations.edit.parameters'), exact: true }).press('Enter');
  const entries = page.getByRole('dialog', { name: t('forms.devices.run-command.title') });
  await entries.getByRole('textbox', { name: t('fields.command') }).fill('uptime');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await entries.getByRole('button', { name: t('automations.edit.apply'), exact: true }).click();
  await entries.waitFor({ state: 'detached' });
  await rule.getByText(/Command: uptime/).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('forms.automations.new.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  const { data } = await admin.get(`/data-collect/configs/${templateId}`);
  await channel.handlers?.deliver([
    {
      kind: 'message',
      message: {
        deviceKey: device.device_key,
        topic: 'collected',
        payload: { template: templateId, version: data.version, at: 1, sources: [{ code: 0, output: '3.5 1.0 0.5 1/90 12' }] },
      },
    },
  ]);
  await until('the command is sent', async () => channel.commands.some(({ command }) => command.verb === 'run'));
  const { data: automations } = await admin.get('/automations');
  await page.goto(`${world.url}/management/automations/${automations[0].id}/rule`);
  await page.getByText(`→ ${t('values.automation.action.RunForm')}: ${t('forms.devices.run-command.title')}`).waitFor();
  await page.goto(`${world.url}/management/automations/${automations[0].id}/logs`);
  await page.getByText(t('values.automation.action.RunForm')).first().waitFor();
  expect(watched.faults()).toEqual([]);
});
