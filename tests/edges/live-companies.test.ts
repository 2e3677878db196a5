import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { addDeviceEvents } from '../../server/domain/devices/events.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';
import { makeDevice, makeTree, roleIdOf } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import { openAs, startLiveWorld } from './live-console.ts';

const { world } = await startLiveWorld();

describe('live channels of the old tree [AC6]', () => {
  test.each(['moved', 'removed'] as const)(
    'end at once when a company is %s; nobody hears of it afterwards without asking again [AC6]',
    async (how) => {
      const tree = await makeTree(world);
      const admin = await as(world, 'admin', { company: tree.top });
      const [inside, former, beside] = [
        await as(world, 'end_user', { company: tree.bottom }),
        await as(world, 'admin', { company: tree.middle }),
        await as(world, 'admin', { company: tree.foreign }),
      ];
      using insideConsole = await openAs(world, inside);
      using formerConsole = await openAs(world, former);
      using besideConsole = await openAs(world, beside);
      const channel = `companies.${tree.bottom.id}.devices`;
      expect(await insideConsole.follow(channel)).toBe(true);
      expect(await formerConsole.follow(`companies.${tree.middle.id}.devices`)).toBe(true);
      const done =
        how === 'moved'
          ? await admin.post('/companies/move', { source: tree.bottom.id, target: tree.sibling.id })
          : await admin.delete(`/companies/${tree.bottom.id}`);
      expect(done.status).toBe(200);
      await until('the end of the people inside', () => !insideConsole.socket.connected);
      // Those above a removed company still see all that is left of theirs.
      if (how === 'moved') await until('the end of those who were above', () => !formerConsole.socket.connected);
      else expect(await formerConsole.follow(channel)).toBe(false);
      expect(besideConsole.socket.connected).toBe(true);
      await expect(openAs(world, inside)).rejects.toThrow('UNAUTHORIZED');
      using again = await openAs(world, await as(world, 'admin', { company: tree.middle }));
      expect(await again.follow(channel)).toBe(false);
    },
  );
});

test('who follows a device hears nothing of it any more once it is in another company [AC6]', async () => {
  const { top, middle, sibling } = await makeTree(world);
  const device = await makeDevice(world, { company: middle });
  using former = await openAs(world, await as(world, 'admin', { company: middle }));
  using next = await openAs(world, await as(world, 'admin', { company: sibling }));
  const channel = `devices.${device.id}.events`;
  expect(await former.follow(channel)).toBe(true);
  await (await as(world, 'admin', { company: top })).post('/devices/move', { company_id: sibling.id, device_id: [device.id] });
  await world.ctx.jobs.settled();
  expect(await next.follow(channel)).toBe(true);
  const seen = (console: typeof next) =>
    console.heard.filter(({ args }) => args[0] === channel && JSON.stringify(args).includes('in the new company'));
  const event = {
    deviceId: device.id,
    companyId: sibling.id,
    serial: device.serial,
    type: 'connected',
    message: 'in the new company',
  } as const;
  await inTransaction(world.ctx.db, (trx) => addDeviceEvents(world.ctx, trx, [event]));
  await until('the new company hears it', () => seen(next).length > 0);
  expect(await former.follow(channel)).toBe(false);
  expect(seen(former)).toEqual([]);
});

test('another role ends the sockets of who had the former one at once [AC5]', async () => {
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const person = await as(world, 'admin', { company: top });
  using console = await openAs(world, person);
  await admin.put(`/users/${person.user.id}`, { first_name: 'Kari', last_name: 'Nordmann', role_id: roleIdOf('read_only') });
  await until('the end of the socket', () => !console.socket.connected);
  await expect(openAs(world, person)).rejects.toThrow('UNAUTHORIZED');
});
