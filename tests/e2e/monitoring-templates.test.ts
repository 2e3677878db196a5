import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { API_DOCUMENT } from '../helpers/api-document.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
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

test('a template made on its own page becomes a column of the devices, and its removal says what goes along', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/monitoring-templates`);
  await page
    .getByRole('link', { name: t('actions.monitoring-templates.new'), exact: true })
    .first()
    .click();
  await page.waitForURL('**/monitoring-templates/create');
  await page
    .getByRole('textbox', { name: t('fields.name'), exact: true })
    .first()
    .fill('Vitals');
  const cost = page.getByRole('status').filter({ hasText: t('monitoring.cost.guessed') });
  await cost.waitFor();
  const before = await cost.textContent();
  await page
    .getByRole('spinbutton')
    .or(page.getByRole('textbox', { name: t('fields.period') }))
    .first()
    .fill('600');
  await expect.poll(() => cost.textContent()).not.toBe(before);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: t('forms.monitoring-templates.new.submit'), exact: true }).click();
  await page.getByRole('heading', { name: 'Vitals', exact: true }).waitFor();

  const [template] = (await admin.get('/data-collect/configs')).data;
  await admin.put(`/data-collect/configs/${template.id}/assign`, { device_id: [device.id], period: 300, enabled: true });
  const payload = { template: template.id, version: 1, at: 1, sources: [{ code: 0, output: '0.42 0.1 0.1\n' }] };
  await channel.handlers?.deliver([{ kind: 'message', message: { deviceKey: device.device_key, topic: 'collected', payload } }]);
  await page.goto(`${world.url}/management/devices`);
  await page.getByRole('button', { name: t('table.columns'), exact: true }).click();
  await page.getByRole('checkbox', { name: 'Vitals: load' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Vitals: load' }).waitFor();
  await page.getByRole('cell', { name: '0.42', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('cell', { name: '0.42', exact: true }).waitFor();

  await page.goto(`${world.url}/devices/${device.id}/monitoring-parameters-history`);
  await page.getByRole('rowheader', { name: t('fields.firmware'), exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await page.goto(`${world.url}/monitoring-templates/edit/${template.id}`);
  await page.getByText(t('monitoring.cost.measured')).waitFor();
  await page.goto(`${world.url}/forms/monitoring-templates/remove/${template.id}`);
  await page.getByText(t('monitoring.remove.title', { devices: '1', answers: '1' })).waitFor();
  expect(watched.faults()).toEqual([]);
});

test('the addresses of an uploaded API document are a tree in the form of a template, from which variables are chosen when it is made and when it is changed', async () => {
  const document = [{ name: 'system', text: 'rutos' }, filePart(API_DOCUMENT, 'rutos.json')];
  expect((await sendParts(world, await as(world, 'super_admin'), '/devices/configurator/specifications', document)).status).toBe(201);
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  const choose = async (url: string, path: string): Promise<void> => {
    await page.getByText(t('monitoring.known.title'), { exact: true }).click();
    await page.getByRole('searchbox', { name: t('monitoring.known.search') }).fill(url);
    await page.getByText(`/api${url}`, { exact: true }).last().click();
    await page.getByRole('button', { name: t('monitoring.try.use_path', { path: `/api${url} ${path}` }) }).click();
    await page.getByText(t('monitoring.known.added'), { exact: true }).waitFor();
  };

  await page.goto(`${world.url}/monitoring-templates/create`);
  await page.getByRole('textbox', { name: t('fields.name'), exact: true }).first().fill('Modem'); // prettier-ignore
  await choose('/modems/status', '$.data[0].rsrp');
  await page.getByText('Reference signal power, in dBm').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: t('forms.monitoring-templates.new.submit'), exact: true }).click();
  await page.getByRole('heading', { name: 'Modem', exact: true }).waitFor();

  const templateId = Number(/monitoring-templates\/(\d+)/.exec(page.url())?.[1]);
  await page.goto(`${world.url}/monitoring-templates/edit/${templateId}`);
  await choose('/system/device/status', '$.data.model');
  await page.getByRole('button', { name: t('forms.monitoring-templates.edit.submit'), exact: true }).click();
  await page.getByRole('heading', { name: 'Modem', exact: true }).waitFor();
  expect((await admin.get(`/data-collect/configs/${templateId}`)).data.data).toMatchObject([
    { url: '/file/proc/loadavg' },
    { url: '/api/modems/status', variables: [{ id: 'rsrp', filter: '$.data[0].rsrp', type: 'number' }] },
    { url: '/api/system/device/status', variables: [{ id: 'model', filter: '$.data.model', type: 'string' }] },
  ]);
  expect(watched.faults()).toEqual([]);
});
