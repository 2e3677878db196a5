import { describe, expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { DAY } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

async function makeTrafficWorld() {
  const { world, say } = await makeReportingWorld();
  return { world, report: (device: Row<'devices'>, payload: Record<string, unknown>) => say(device, 'status', payload) };
}

describe('data that the devices of a company use', () => {
  test('is what their counters grew by, day by day; a counter that an interface began again is charged to nobody', async () => {
    const { world, report } = await makeTrafficWorld();
    await using _world = world;
    const { top, middle, bottom } = await makeTree(world);
    const one = await makeDevice(world, { company: middle });
    const other = await makeDevice(world, { company: bottom });
    const traffic = async () => (await (await as(world, 'admin', { company: top })).get(`/companies/${middle.id}/traffic`)).data;
    await world.ctx.db.updateTable('devices').set({ sent: null, received: null }).execute();
    await report(one, { tx_bytes: 5000, rx_bytes: 70_000 });
    expect(await traffic(), 'what was before the first report is not known').toEqual([]);
    await report(one, { tx_bytes: 5100, rx_bytes: 70_000 });
    await report(one, { tx_bytes: 40, rx_bytes: 60 });
    await report(other, { tx_bytes: 0, rx_bytes: 0 });
    await report(other, { tx_bytes: 7, rx_bytes: 1 });
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    expect(await traffic()).toEqual([{ day: today, sent: 107, received: 1 }]);
    await world.clock.jump(DAY);
    await report(other, { tx_bytes: 10, rx_bytes: 1 });
    const tomorrow = new Date(world.clock.now()).toISOString().slice(0, 10);
    expect(await traffic()).toEqual([
      { day: today, sent: 107, received: 1 },
      { day: tomorrow, sent: 3, received: 0 },
    ]);
  });

  test('who sees one company only gets its own, and a device that lies spoils no sum [AC2]', async () => {
    const { world, report } = await makeTrafficWorld();
    await using _world = world;
    const { middle, bottom } = await makeTree(world);
    const device = await makeDevice(world, { company: bottom });
    for (const tx_bytes of [0, Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER]) await report(device, { tx_bytes, rx_bytes: 0 });
    const narrow = await as(world, 'end_user', { company: middle });
    expect((await narrow.get(`/companies/${middle.id}/traffic`)).data).toEqual([]);
    expect((await narrow.get(`/companies/${bottom.id}/traffic`)).status).toBe(404);
    const { data } = await (await as(world, 'admin', { company: middle })).get(`/companies/${middle.id}/traffic`);
    expect(data, 'no link carries so much: it is charged to nobody').toEqual([]);
  });
});
