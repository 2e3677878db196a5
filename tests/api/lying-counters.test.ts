import { expect, test } from 'vitest';
import { takeState } from '../../server/features/vpn/sessions.ts';
import { DAY } from '../../server/kernel/clock.ts';
import { as, send } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeRecords, pathWithId } from '../helpers/route-samples.ts';
import { makeHubSession } from '../helpers/vpn-session.ts';
import { makeWorld } from '../helpers/world.ts';

const DAYS = 25;
/** All that is kept of a day of what a device says. */
const PETABYTE = 1e15;

test('devices and a hub that lie about their bytes for a month spoil no page, list, chart or sum', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const records = await makeRecords(world, middle);
  const { db } = world.ctx;
  await world.clock.jump(DAYS * DAY);
  const now = world.clock.now();
  const device = await db
    .selectFrom('devices')
    .selectAll()
    .where('id', '=', records['devices'] ?? 0)
    .executeTakeFirstOrThrow();
  const bytes = { sent: PETABYTE, received: PETABYTE };
  const days = Array.from({ length: DAYS }, (_one, index) => now - (now % DAY) - index * DAY);
  const { id: sim } = await db
    .insertInto('sims')
    .values({
      ...{ company_id: middle.id, iccid: '8947000000000000001', imsi: null, operator: null, device_id: device.id, modem: 1, slot: 1 },
      ...{ first_seen_at: now, last_seen_at: now, phone_number: '', note: '', limit_bytes: 1e9, starts_on: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('device_data_limits')
    .values({ device_id: device.id, limit_bytes: 1e9, starts_on: 1 })
    .onConflict((conflict) => conflict.column('device_id').doNothing())
    .execute();
  for (const company_id of [top.id, middle.id])
    await db
      .insertInto('company_traffic')
      .values(days.map((day) => ({ company_id, day, ...bytes })))
      .onConflict((conflict) => conflict.columns(['company_id', 'day']).doUpdateSet(bytes))
      .execute();
  await db
    .insertInto('device_traffic')
    .values(days.map((day) => ({ device_id: device.id, day, sim: 1, ...bytes })))
    .onConflict((conflict) => conflict.columns(['device_id', 'day', 'modem', 'sim']).doUpdateSet(bytes))
    .execute();
  await db
    .insertInto('sim_traffic')
    .values(days.map((day) => ({ sim_id: sim, day, ...bytes })))
    .execute();
  const { client } = await makeHubSession(world, device);
  const { vpn_hub_id: hub } = await db.selectFrom('vpn_clients').select('vpn_hub_id').where('id', '=', client).executeTakeFirstOrThrow();
  const most = Number.MAX_SAFE_INTEGER;
  const session = { client, since: 0, remote: '', sent: most, received: most };
  for (let look = 0; look < 30; look += 1) {
    const sessions = [1, 2].map((key) => ({ ...session, key: `${look}.${key}` }));
    await takeState(world.ctx, {
      boot: `boot${look % 3}`,
      hubs: [{ id: hub, revision: '', isRunning: true, error: null, sessions }],
      events: [],
      known: new Set([hub]),
    });
  }
  const ids: Record<string, number> = { ...records, sims: sim, 'vpn/hubs': hub };
  const { headers } = await as(world, 'super_admin', { company: top });
  const failed: unknown[] = [];
  const paths = world.app.routes
    .filter(({ method, access }) => method === 'GET' && access !== 'public')
    .map((info) => pathWithId(info, ids) ?? info.path);
  expect(paths.length).toBeGreaterThan(150);
  for (const path of paths) {
    const answer = await send(world, 'GET', path.slice('/api'.length), { headers });
    if (answer.status >= 500 && answer.status !== 503) failed.push([path, answer.status]);
  }
  expect(failed).toEqual([]);
  expect((await send(world, 'GET', `/devices/${device.id}/data-limit`, { headers })).data).toMatchObject({
    used_bytes: DAYS * 2 * PETABYTE,
  });
  expect((await send(world, 'GET', `/vpn/hubs/${hub}`, { headers })).data.bytes_used).toBe(8e15);
});
