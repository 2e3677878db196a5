import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR } from '../../server/kernel/clock.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';
import { storeReadings } from '../../server/domain/devices/store-readings.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import type { World } from '../helpers/world.ts';
import { DESKTOP, findAccessibilityFaults, launchBrowser, PHONE, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';

const DAYS = 30;
/** The device was away for these hours, counted back from now. */
const AWAY = { from: 10 * 24, to: 12 * 24 };
let world: World;
let browser: Browser;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;
let device: Awaited<ReturnType<typeof makeDevice>>;

beforeAll(async () => {
  world = await makeConsoleWorld();
  // The console asks for periods of its own clock.
  await world.clock.jump(Date.now() - world.clock.now());
  company = await makeCompany(world, { name: 'Fjordline' });
  device = await makeDevice(world, { company, status: 1, name: 'ferry' });
  const hours = Array.from({ length: DAYS * 24 }, (_none, hour) => hour + 1).filter((hour) => hour < AWAY.from || hour > AWAY.to);
  const readings = hours.flatMap((hour) => {
    const at = world.clock.now() - hour * HOUR;
    return [
      { device_id: device.id, metric: 'temperature', at, value: 250 + (hour % 24) * 5 },
      { device_id: device.id, metric: 'signal', at, value: -70 - (hour % 12) },
    ];
  });
  await inTransaction(world.ctx.db, (trx) => storeReadings(trx, readings));
  const names = ['temperature', 'signal'].map((metric) => ({ device_id: device.id, metric }));
  await world.ctx.db.insertInto('device_metrics').values(names).execute();
  admin = await as(world, 'admin', { company });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

/** The days on which the period may begin, as the tables write them; the zone of the browser is ahead of UTC. */
const begins = [DAYS + 1, DAYS, DAYS - 1].map((days) => new Date(Date.now() - days * DAY).toISOString().slice(5, 10));

test.each(['light', 'dark'] as const)(
  '30 days of a device and of its company are drawn, wide and on a phone (%s) [M2]',
  async (colorScheme) => {
    await using watched = await openAs(browser, world, admin, 'en-GB');
    const { page } = watched;
    await page.emulateMedia({ colorScheme });
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      for (const path of [`/devices/${device.id}/metrics/dynamic?days=${DAYS}`, `/companies/${company.id}/metrics?days=${DAYS}`]) {
        await page.goto(`${world.url}${path}`);
        const chart = page.getByRole('figure', { name: 'Temperature' });
        await chart.scrollIntoViewIfNeeded();
        await chart.locator('canvas').waitFor();
        const box = await chart.locator('canvas').boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(viewport.width);
        await chart.getByText('Table', { exact: true }).click();
        const first = await chart.getByRole('rowheader').first().textContent();
        expect(
          begins.some((day) => first?.includes(day)),
          first ?? '',
        ).toBe(true);
        expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      }
    }
    expect(watched.faults()).toEqual([]);
  },
);
