import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let admin: Caller;

beforeAll(async () => {
  world = await makeConsoleWorld();
  const company = await makeCompany(world, { name: 'Fjordline' });
  const device = await makeDevice(world, { company, status: 1, name: 'ferry' });
  const yesterday = world.clock.now() - (world.clock.now() % DAY) - DAY;
  await world.ctx.db
    .insertInto('device_traffic')
    .values({ device_id: device.id, day: yesterday, sim: 1, sent: 3 * 1024 ** 2, received: 1024 ** 2 })
    .execute();
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

test('a report is set up, made, read with its charts, and saved', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/reports`);
  await page
    .getByRole('button', { name: t('actions.single-reports.new'), exact: true })
    .first()
    .click();
  const make = page.getByRole('dialog', { name: t('forms.reports.new.title') });
  await make
    .getByRole('textbox', { name: t('fields.name') })
    .first()
    .fill('Yesterday');
  await make.getByRole('radio', { name: t('values.report.period.day'), exact: true }).check();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await make.getByRole('button', { name: t('forms.reports.new.submit'), exact: true }).click();
  await make.waitFor({ state: 'detached' });
  await page.getByText('Yesterday').first().waitFor();

  const { data: templates } = await admin.get('/reports');
  await admin.post(`/reports/${templates[0].id}/generate`, {});
  await world.ctx.jobs.settled();
  await page.goto(`${world.url}/reports/generated`);
  await page.getByRole('link', { name: /^Yesterday/ }).click();
  await page.getByRole('cell', { name: '3 MB', exact: true }).first().waitFor();
  await page.getByRole('img', { name: t('reports.data_by_day') }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const pdf = page.waitForEvent('download');
  await page.getByRole('button', { name: t('actions.generated-reports.pdf'), exact: true }).click();
  expect((await readFile(await (await pdf).path())).subarray(0, 5).toString()).toBe('%PDF-');
});
