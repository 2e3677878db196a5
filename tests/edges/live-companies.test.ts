import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import { openAs, startLiveWorld } from './live-console.ts';

const { world } = await startLiveWorld();

describe('AC6 live channels of the old tree', () => {
  test.each(['moved', 'removed'] as const)(
    'AC6 end at once when a company is %s; nobody hears of it afterwards without asking anew',
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
