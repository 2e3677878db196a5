import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asUser } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeUser, type UserWithRole } from '../helpers/factories.ts';
import type { World } from '../helpers/world.ts';
import { until } from '../helpers/until.ts';
import { findAccessibilityFaults, launchBrowser, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';

let browser: Browser;
let world: World;
let user: UserWithRole;
beforeAll(async () => {
  browser = await launchBrowser();
  world = await makeConsoleWorld();
  const company = await makeCompany(world);
  for (let number = 1; number <= 40; number += 1) await makeDevice(world, { company, name: `Quay ${number}`, model: 'RUT955' });
  user = await makeUser(world, { role: 'admin', company });
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

async function openDevices(page: Page, search = ''): Promise<void> {
  await page.goto(`${world.url}/management/devices${search}`);
  await page.getByRole('link', { name: 'Quay 1', exact: true }).waitFor();
}

/** Each column's head and whole pixels. */
const heads = (page: Page) =>
  page
    .locator('th[data-column]')
    .evaluateAll((cells) => cells.map((cell) => `${cell.textContent} ${Math.round(cell.getBoundingClientRect().width)}`));

test('columns that are pinned, and sized by keyboard and by mouse, are the same in another browser [T2 T4]', async () => {
  await using own = await openAs(browser, world, await asUser(world, user), 'en-GB');
  const { page } = own;
  await openDevices(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('radio', { name: 'Comfortable' }).check({ force: true });
  await page.getByRole('button', { name: 'Position and width of Firmware' }).click();
  await page
    .getByRole('radiogroup', { name: /Pin Firmware/ })
    .getByRole('radio', { name: 'Left' })
    .check({ force: true });
  const slider = page.getByRole('slider', { name: 'Width of Firmware' });
  await slider.focus();
  for (let press = 0; press < 5; press += 1) await slider.press('ArrowRight');
  const width = Number(await slider.inputValue());
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect((await heads(page))[0]).toBe(`Firmware ${width}`);

  const edge = page.locator('th[data-column="name"] > span[aria-hidden]').last();
  const box = await edge.boundingBox();
  if (!box) throw new Error('no edge');
  await page.mouse.move(box.x + 5, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 85, box.y + 10, { steps: 4 });
  await page.mouse.up();
  const shown = await heads(page);
  await until('the widths to be kept', async () => {
    const row = await world.ctx.db.selectFrom('storage').select('value').where('key', '=', 'table.devices').executeTakeFirst();
    return row?.value.includes('"name"') || undefined;
  });

  await using other = await openAs(browser, world, await asUser(world, user), 'en-GB');
  await openDevices(other.page);
  expect(await heads(other.page)).toEqual(shown);
  expect(await other.page.getByRole('table').getAttribute('data-density')).toBe('comfortable');

  // What is pinned stays where it is while the rest scrolls by, in the head and in the rows.
  await other.page.setViewportSize({ width: 760, height: 800 });
  const pinned = async () => {
    const places = await other.page
      .locator('[data-column="firmware"], tbody tr:first-child > [data-pin]')
      .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));
    return places;
  };
  const before = await pinned();
  await other.page
    .getByRole('region', { name: 'Devices' })
    .last()
    .evaluate((region) => region.scrollTo({ left: 200 }));
  expect((await pinned()).slice(0, 2)).toEqual(before.slice(0, 2));
  expect([...own.faults(), ...other.faults()]).toEqual([]);
});

test('on paper a list has its title, its filters, every chosen column and all rows, and nothing to press [T13]', async () => {
  await using watched = await openAs(browser, world, await asUser(world, user), 'en-GB');
  const { page } = watched;
  await openDevices(page, '?status=online&q=quay');
  await page.emulateMedia({ media: 'print' });
  const isShown = (locator: ReturnType<Page['locator']>) => locator.first().isVisible();
  expect(await isShown(page.getByRole('heading', { level: 1, name: 'Devices' }))).toBe(true);
  expect(await isShown(page.getByRole('group', { name: 'Filters' }).getByText('Online'))).toBe(true);
  expect(await isShown(page.getByRole('searchbox', { name: /Name, model/ }))).toBe(true);
  for (const hidden of ['Columns', 'Export', 'Filter'])
    expect([hidden, await isShown(page.getByRole('button', { name: hidden, exact: true }))]).toEqual([hidden, false]);
  expect(await isShown(page.getByRole('navigation'))).toBe(false);
  expect(await page.locator('thead').evaluate((head) => getComputedStyle(head).display)).toBe('table-header-group');
  // Nothing is cut off: the page is as long as its rows.
  const last = await page.getByRole('link', { name: 'Quay 9', exact: true }).boundingBox();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeGreaterThan((last?.y ?? 0) + 20);
  const cut = await page.locator('tbody tr:last-child').evaluate((row) => {
    for (let box = row.parentElement; box && box !== document.body; box = box.parentElement)
      if (getComputedStyle(box).overflowY !== 'visible' && box.clientHeight < box.scrollHeight) return box.className;
    return '';
  });
  expect(cut).toBe('');
});

test('at 360 pixels rows are cards that can be chosen, with room for a thumb [T13]', async () => {
  await using watched = await openAs(browser, world, await asUser(world, user), 'en-GB', { viewport: { width: 360, height: 740 } });
  const { page } = watched;
  await openDevices(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.getByRole('checkbox', { name: 'Select Quay 1', exact: true }).check();
  await page
    .getByRole('region', { name: /selection|Selected|chosen/i })
    .or(page.getByText('1 selected'))
    .first()
    .waitFor();
  const small = await page.locator('tbody button, tbody input').evaluateAll((controls) =>
    controls.flatMap((control) => {
      const { width, height } = (control.closest('label') ?? control).getBoundingClientRect();
      return width >= 24 && height >= 24 ? [] : [`${control.getAttribute('aria-label')} ${width}x${height}`];
    }),
  );
  expect(small).toEqual([]);
});

test('rows that are compact are one line on a wide screen, and no taller than a card on a phone [T4 T13]', async () => {
  await using own = await openAs(browser, world, await asUser(world, user), 'en-GB');
  const { page } = own;
  await openDevices(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('radio', { name: 'Compact' }).check({ force: true });
  await page.keyboard.press('Escape');
  const height = () =>
    page
      .getByRole('row', { name: /Quay 1/ })
      .first()
      .evaluate((row) => Math.round(row.getBoundingClientRect().height));
  expect(await height()).toBe(34);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await height()).toBeLessThan(90);
});

test.each([
  ['/statistics', '/statistics/general'],
  ['/resources/credits', '/resources'],
  ['/account/settings/profile', '/account/settings'],
])('%s leads to %s, and the logo to the devices from there', async (address, page) => {
  await using own = await openAs(browser, world, await asUser(world, user), 'en-GB');
  await own.page.goto(world.url + address);
  await own.page.waitForURL(world.url + page);
  await own.page.getByRole('navigation').getByRole('link').first().click();
  await own.page.waitForURL(`${world.url}/management/devices`);
});
