import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../server/kernel/clock.ts';
import { bandAt } from '../../server/domain/devices/usual-band.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

test('what is usual follows the hour of the day, leaves outliers out, and is not known in the first week', () => {
  const hour = 100 * DAY + 8 * HOUR;
  const averages = new Map(
    Array.from({ length: 28 * 24 }, (_none, index) => {
      const at = hour - (index + 1) * HOUR;
      const isNight = at % DAY < 6 * HOUR;
      // One day of an outage.
      return [at, at > hour - 2 * DAY && at < hour - DAY ? -113 : (isNight ? -70 : -90) + (index % 3)] as const;
    }),
  );
  expect(bandAt(averages, hour)).toMatchObject({ low: expect.closeTo(-93.4, 0), high: expect.closeTo(-84.6, 0) });
  expect(bandAt(averages, hour - 5 * HOUR)?.high).toBeGreaterThan(-75);
  expect(bandAt(new Map([...averages].filter(([at]) => at > hour - 6 * DAY)), hour)).toBeUndefined();
});

test('the band of a device is read by the hour for its chart, and not found by others', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, status: 1 });
  const hour = world.clock.now() - (world.clock.now() % HOUR);
  const rows = Array.from({ length: 20 * 24 }, (_none, index) => ({
    ...{ device_id: device.id, metric: 'rsrp', at: hour - (index + 1) * HOUR, readings: 1, last: -100 },
    ...{ lowest: -100, highest: -100, total: -100 },
  }));
  await world.ctx.db.insertInto('device_hours').values(rows).execute();
  const { data } = await admin.get(`/devices/${device.id}/usual`, { metrics: 'rsrp,sent' });
  expect(data.map(({ metric }: { metric: string }) => metric)).toEqual(['rsrp']);
  expect(data[0].band.at(-1)).toEqual([hour / 1000, -102, -98]);
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await stranger.get(`/devices/${device.id}/usual`, { metrics: 'rsrp' })).status).toBe(404);
});
