import { afterAll, beforeAll, expect, test } from 'vitest';
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
let device: number;

beforeAll(async () => {
  world = await makeConsoleWorld();
  const company = await makeCompany(world, { name: 'Fjordline' });
  device = (await makeDevice(world, { company, status: 1, name: 'ferry', model: 'RUT956', firmware: 'RUT9M_R_00.07.06.3' })).id;
  admin = await as(world, 'admin', { company });
  await admin.post('/sites', { name: 'Bergen quay', company_id: company.id, latitude: 60.39, longitude: 5.32 });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

test('the area of a rule is chosen on a map: by click, by dragging, by keys, from a site, and typed', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/management/automations`);
  await page
    .getByRole('button', { name: t('actions.automations.new') })
    .first()
    .click();
  const form = page.getByRole('dialog');
  const parameter = form.getByRole('combobox', { name: t('fields.parameter') }).first();
  await parameter.click();
  await page.getByRole('option', { name: t('automations.parameter.position'), exact: true }).click();
  await form.getByRole('button', { name: t('form.area.choose') }).click();
  const dialog = page.getByRole('dialog', { name: t('map.area.title') });
  const map = dialog.getByRole('application');
  const field = (name: string) => dialog.getByLabel(t(`fields.${name}`), { exact: true });
  await map.click({ position: { x: 300, y: 150 } });
  await expect.poll(() => field('radius').inputValue()).toBe('1000');
  expect(await findAccessibilityFaults(page)).toEqual([]);

  // From a site: the map goes there.
  await dialog.getByRole('combobox', { name: t('map.area.site') }).click();
  await page.getByRole('option', { name: /Bergen quay/ }).click();
  await expect.poll(() => field('latitude').inputValue()).toBe('60.39');
  expect(await field('longitude').inputValue()).toBe('5.32');

  // The edge is dragged outwards, then moved back by a key.
  const edge = dialog.getByRole('button', { name: t('map.area.edge') });
  const box = await edge.boundingBox();
  if (!box) throw new Error('The edge is not in sight.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  const radius = async () => Number(await field('radius').inputValue());
  await expect.poll(radius).toBeGreaterThan(1000);
  const dragged = await radius();
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(radius).toBeLessThan(dragged);

  // What is typed moves the area; what is none is said at its field.
  await field('radius').fill('0');
  await dialog.getByText(/^Enter a number from 1 to/).waitFor();
  expect(await dialog.getByRole('button', { name: t('map.area.use') }).isDisabled()).toBe(true);
  await field('radius').fill('500');
  await dialog.getByRole('button', { name: t('map.area.use') }).click();
  await expect.poll(() => form.getByLabel(t('fields.value')).first().inputValue()).toBe('60.39,5.32,500');
  expect(watched.faults()).toEqual([]);
});

test('the area of an alert is chosen on the map, which fills in all three fields', async () => {
  await using watched = await openAs(browser, world, admin, 'en-GB');
  const { page } = watched;
  await page.goto(`${world.url}/devices/${device}`);
  await page.getByRole('button', { name: /^More/ }).last().click();
  await page.getByRole('menuitem', { name: t('actions.devices.new-alert') }).click();
  const kind = page.getByRole('combobox', { name: t('fields.alert_subtype_id') });
  await kind.fill('Left');
  await page.getByRole('option', { name: 'Left the area', exact: true }).click();
  await page.getByRole('textbox', { name: t('fields.latitude') }).fill('60.39');
  await page.getByRole('button', { name: t('form.area.choose') }).click();
  const dialog = page.getByRole('dialog', { name: t('map.area.title') });
  expect(await dialog.getByLabel(t('fields.latitude'), { exact: true }).inputValue()).toBe('60.39');
  await dialog.getByRole('application').focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: t('map.area.edge') }).waitFor();
  await dialog.getByRole('button', { name: t('map.area.use') }).click();
  await expect.poll(() => page.getByRole('textbox', { name: t('fields.radius') }).inputValue()).toBe('1000');
  expect(await page.getByRole('textbox', { name: t('fields.longitude') }).inputValue()).not.toBe('');
  expect(watched.faults()).toEqual([]);
});
