import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';

let world: World;
let browser: Browser;
let admin: Caller;
let router: Awaited<ReturnType<typeof makeDevice>>;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeConsoleWorld();
  company = await makeCompany(world, { name: 'Fjordline' });
  router = await makeDevice(world, { company, status: 1, name: 'ferry', model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' });
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

test('a template is filled on its page, applied, and shows the device that was changed by hand', async () => {
  await admin.post('/devices/configurator/variables', { scope: 'company', company_id: company.id, name: 'host', value: 'harbour' });
  const made = await admin.post('/devices/configurator/templates', { company_id: company.id, name: 'Host names', version: '1' });
  const id = Number(made.data.id);
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/configuration-templates/${id}/settings`);
  const add = page.getByRole('region', { name: 'Add section' });
  await add.getByRole('combobox').click();
  await page.getByRole('option', { name: 'System', exact: true }).click();
  await add.getByLabel('Name of the section').fill('system');
  await add.getByRole('button', { name: 'Add section' }).click();
  const section = page.getByRole('region', { name: 'System: system' });
  await section.getByRole('combobox').click();
  await page.getByRole('option', { name: /host ?name/i }).click();
  await section.getByRole('textbox').fill('{{host}}-{{device.name}}');
  await page.getByRole('button', { name: 'Save version' }).click();
  await page.getByText('Template saved').waitFor();
  await admin.post(`/devices/configurator/templates/${id}/use`, { device_id: [router.id] });
  await world.ctx.jobs.settled();
  expect(world.commands.at(-1)?.command.body).toContain('do=set system.system.hostname=harbour-ferry\n');
  for (const output of [null, null, "system.system=system\nsystem.system.hostname='by-hand'\n"]) await answer(world, router, { output });
  await page.goto(`${world.url}/configuration-templates/${id}/devices`);
  await page.getByText('by-hand').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.goto(`${world.url}/configuration-templates/${id}/versions`);
  await page.getByText('Changed in version 1').first().waitFor();
});
