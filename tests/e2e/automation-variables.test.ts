import { afterAll, beforeAll, expect, test } from 'vitest';
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
let company: Awaited<ReturnType<typeof makeCompany>>;
let device: Awaited<ReturnType<typeof makeDevice>>;

beforeAll(async () => {
  world = await makeConsoleWorld();
  company = await makeCompany(world, { name: 'Fjordline' });
  device = await makeDevice(world, { company, status: 1, name: 'ferry' });
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

test('a value of a live answer becomes a variable of a monitoring template', async () => {
  const variable = { id: 'load', filter: '$.lines[0][0]', type: 'number' };
  const { data } = await admin.post('/data-collect/configs', {
    ...{ name: 'Vitals', company_id: company.id, period: 300, enabled: true },
    data: [{ url: '/ubus/system/info', variables: [variable] }],
  });
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/monitoring-templates/${data.id}/variables`);
  await page.getByRole('combobox', { name: t('monitoring.try.device') }).click();
  await page.getByRole('option', { name: /ferry/ }).click();
  await page.getByRole('button', { name: t('monitoring.try.run'), exact: true }).click();
  await until('the device is asked', async () => world.commands.some(({ deviceKey }) => deviceKey === device.device_key));
  await answer(world, device, { output: '{"uptime":120,"memory":{"free":4096,"total":8192}}', code: 0 });
  await page.getByRole('button', { name: t('monitoring.try.use_path').replace('{path}', '$.memory.free') }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: t('monitoring.try.use_path').replace('{path}', '$.memory.free') }).click();
  const dialog = page.getByRole('dialog', { name: t('forms.monitoring-templates.edit.title') });
  await dialog.getByRole('button', { name: t('forms.monitoring-templates.edit.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: '$.memory.free', exact: true }).waitFor();
  expect(watched.faults()).toEqual([]);
});

test('a former rule is compared and restored, and an exported one read as JSON', async () => {
  const rule = (value: string) => ({
    name: 'Weak signal',
    conditions_body: [
      {
        type: 'if',
        expression: [{ parameter: 'signal', operator: '<', value, times: 3, of: 5 }],
        actions: [{ name: 'RaiseAlert', options: { severity: 'warning' } }],
      },
    ],
  });
  const { data } = await admin.post('/automations', rule('-100'));
  await admin.put(`/automations/${data.id}`, rule('-90'));
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/automations/${data.id}/versions`);
  await page.getByText('Signal is less than -100, in 3 of the last 5 reports').waitFor();
  await page.getByRole('button', { name: t('automations.versions.compare') }).click();
  await page.getByText(/^\+ .*"value": "-90"/).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: t('automations.versions.restore'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: t('forms.automations.restore.title') });
  await dialog.getByRole('button', { name: t('forms.automations.restore.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(t('automations.versions.number').replace('{version}', '3')).first().waitFor();
  await page.getByRole('link', { name: t('automations.json'), exact: true }).click();
  await page
    .getByRole('region', { name: t('automations.json') })
    .getByText('"-100"', { exact: true })
    .waitFor();
  expect(watched.faults()).toEqual([]);
});

test('an on-call schedule is offered with what it needs', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/on-call`);
  await page.getByRole('button', { name: t('actions.on-call.new'), exact: true }).first().click(); // prettier-ignore
  const dialog = page.getByRole('dialog', { name: t('forms.on-call.new.title') });
  await dialog.getByRole('button', { name: t('forms.on-call.new.submit'), exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  expect(watched.faults()).toEqual([]);
});
