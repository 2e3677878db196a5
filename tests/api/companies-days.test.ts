import { describe, expect, test } from 'vitest';
import { recordDays } from '../../server/features/companies/days.ts';
import { DAY } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

describe('a company by day', () => {
  test('what it and all below it had is kept once a day, as it was last seen', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    await makeDevice(world, { company: middle });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.get(`/companies/${middle.id}/days`)).data).toEqual([]);
    await recordDays(world.ctx);
    await makeDevice(world, { company: bottom, status: 0 });
    await recordDays(world.ctx);
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    const first = { day: today, devices: 2, online: 1, users: 0 };
    expect((await (await as(world, 'admin', { company: top })).get(`/companies/${middle.id}/days`)).data).toEqual([first]);
    // That row is of yesterday now.
    await world.ctx.db
      .updateTable('company_days')
      .set((eb) => ({ day: eb('day', '-', DAY) }))
      .execute();
    await makeDevice(world, { company: bottom });
    await recordDays(world.ctx);
    const { data } = await (await as(world, 'admin', { company: top })).get(`/companies/${middle.id}/days`);
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({ devices: 2, online: 1 });
    expect(data[1]).toMatchObject({ day: today, devices: 3, online: 2 });
  });

  test('who sees one company only gets its own numbers [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, bottom } = await makeTree(world);
    await makeDevice(world, { company: middle });
    await makeDevice(world, { company: bottom });
    await recordDays(world.ctx);
    const narrow = await as(world, 'end_user', { company: middle });
    expect((await narrow.get(`/companies/${middle.id}/days`)).data).toMatchObject([{ devices: 1 }]);
    expect((await narrow.get(`/companies/${bottom.id}/days`)).status).toBe(404);
  });
});
