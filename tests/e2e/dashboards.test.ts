import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevice } from '../helpers/factories.ts';
import { findAccessibilityFaults } from './browser.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

let place: OpenConsole;
let page: Page;
let device: { id: number };

beforeAll(async () => {
  place = await openConsole({}, async (world, company) => {
    device = await makeDevice(world, { company, name: 'Quay', status: 1 });
    await makeDevice(world, { company, name: 'Ferry', status: 0 });
  });
  ({ page } = place);
});
afterAll(() => place?.[Symbol.asyncDispose]());

const press = async (name: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
};
const widget = (name: string) => page.getByRole('region', { name, exact: true });

test('a dashboard is made from a template, and a widget added, moved and sized by keyboard alone [M1]', async () => {
  await page.goto(`${place.world.url}/management/dashboards`);
  await page.getByRole('button', { name: 'New dashboard' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').fill('Control room');
  await press('Create dashboard');
  await page.getByRole('link', { name: 'Control room' }).focus();
  await page.keyboard.press('Enter');
  await widget('Online devices').getByText('1', { exact: true }).waitFor();
  await widget('Share online').getByText('50 %').first().waitFor();
  await widget('Status lights').getByRole('link', { name: 'Ferry' }).waitFor();
  expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);
  const columns = () => widget('Devices').evaluate((element) => (element instanceof HTMLElement ? element.style.gridColumn : ''));
  await press('Edit widgets');
  await page.getByRole('button', { name: 'Size of Devices (arrow keys)' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(columns).toBe('1 / span 2');
  await page.getByRole('button', { name: 'Move Devices (arrow keys)' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(columns).toBe('2 / span 2');
  await press('Save');
  await page.getByText('Dashboard saved').waitFor();
  await page.reload();
  await widget('Devices').waitFor();
  expect(await columns()).toBe('2 / span 2');
  expect(place.watched.faults()).toEqual([]);
});

test('a widget that is added comes in sight, and neither another page nor going back takes an edit away without a question', async () => {
  await press('Edit widgets');
  await press('Add widget');
  const added = page.getByRole('button', { name: 'Change Devices', exact: true }).last();
  await expect.poll(() => added.evaluate((element) => element === document.activeElement)).toBe(true);
  for (const leave of [() => page.goBack(), () => page.getByRole('link', { name: 'Dashboards', exact: true }).first().click()]) {
    await leave();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await added.waitFor();
  }
  await press('Cancel');
  await page.getByRole('button', { name: 'Edit widgets', exact: true }).waitFor();
  expect(place.watched.faults()).toEqual([]);
});

test('a widget that fails leaves the others as they are [M1]', async () => {
  await page.route('**/api/devices/map*', (route) => route.fulfill({ status: 500, json: { success: false, errors: [] } }));
  await page.reload();
  await widget('Online devices').getByText('1', { exact: true }).waitFor();
  await page.unroute('**/api/devices/map*');
});

test('a dashboard of a device is opened on its page and, for phones, at an address of its own', async () => {
  const { id: company_id } = await place.world.ctx.db
    .selectFrom('companies')
    .select('id')
    .where('name', '=', 'Fjordline')
    .executeTakeFirstOrThrow();
  const widgets = JSON.stringify([{ id: 'a', type: 'table', x: 0, y: 0, w: 6, h: 4, source: 'identity' }]);
  const common = {
    company_id,
    owner_id: null,
    kind: 'device' as const,
    is_default: 1,
    version: 1,
    user_name: 'Ann',
    created_at: 1,
    updated_at: 1,
  };
  const { id } = await place.world.ctx.db
    .insertInto('dashboards')
    .values({ ...common, name: 'Router', widgets })
    .returning('id')
    .executeTakeFirstOrThrow();
  await page.goto(`${place.world.url}/devices/${device.id}/dashboards`);
  await widget('Device data').getByText('Quay').waitFor();
  await page.goto(`${place.world.url}/device/${device.id}/dashboard/${id}`);
  await widget('Device data').getByText('Quay').waitFor();
  await page.getByRole('combobox', { name: 'Dashboard', exact: true }).waitFor();
  // Within an app the widgets alone are shown.
  await page.goto(`${place.world.url}/device/${device.id}/dashboard/${id}?platform=mobile`);
  await widget('Device data').getByText('Quay').waitFor();
  expect(await page.getByRole('combobox', { name: 'Dashboard', exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Export', exact: true }).count()).toBe(0);
  expect(place.watched.faults()).toEqual([]);
});

test('an image is uploaded while a dashboard is edited, and a device is on it with its state [M1]', async () => {
  await page.goto(`${place.world.url}/management/dashboards`);
  await page.getByRole('link', { name: 'Control room' }).click();
  await press('Edit widgets');
  await press('Add widget');
  await page.getByRole('button', { name: 'Change Devices', exact: true }).last().click();
  await page.getByRole('combobox', { name: 'Kind of widget' }).click();
  await page.getByRole('option', { name: 'Image', exact: true }).click();
  await press('Upload image');
  const image = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#8fb5e8' } })
    .png()
    .toBuffer();
  const dialog = page.getByRole('dialog', { name: 'Upload image' });
  await dialog.locator('input[type=file]').setInputFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: image });
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Plan of the harbour');
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Image', exact: true }).click();
  await page.getByRole('option', { name: 'Plan of the harbour' }).click();
  await press('Add point');
  await page.getByRole('combobox', { name: 'Point 1' }).fill('Quay');
  await page.getByRole('option', { name: /Quay/ }).first().click();
  await page.getByRole('button', { name: 'Move point 1 (arrow keys)' }).focus();
  await page.keyboard.press('ArrowRight');
  await press('Save');
  await page.getByText('Dashboard saved').last().waitFor();
  await page.reload();
  const shown = page.getByRole('figure', { name: 'Image' });
  await shown.getByRole('link', { name: 'Quay' }).waitFor();
  expect(await shown.locator('span').first().getAttribute('style')).toContain('51%');
  expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);
  expect(place.watched.faults()).toEqual([]);
});

test('on a wall one dashboard follows the other after the time that was chosen', async () => {
  const { id: company_id } = await place.world.ctx.db
    .selectFrom('companies')
    .select('id')
    .where('name', '=', 'Fjordline')
    .executeTakeFirstOrThrow();
  const widgets = JSON.stringify([{ id: 'a', type: 'text', x: 0, y: 0, w: 6, h: 4, text: 'The second' }]);
  await place.world.ctx.db
    .insertInto('dashboards')
    .values({
      company_id,
      owner_id: null,
      kind: 'fleet',
      is_default: 0,
      version: 1,
      user_name: 'Ann',
      created_at: 1,
      updated_at: 1,
      name: 'Night',
      widgets,
    })
    .execute();
  await page.goto(`${place.world.url}/management/dashboards`);
  await page.clock.install();
  await page.getByRole('link', { name: 'Control room' }).click();
  await press('Full screen');
  await page.getByRole('combobox', { name: 'Next dashboard after' }).click();
  await page.getByRole('option', { name: '30 seconds' }).last().click();
  await expect
    .poll(async () => {
      await page.clock.runFor(31_000);
      return page.getByText('The second').count();
    })
    .toBe(1);
  expect(new URL(page.url()).searchParams.get('wall')).toBe('1');
});
