import { compareTexts } from '../../schemas/kit/text/text-order.ts';
import { expect, test } from 'vitest';
import { fillFleet } from '../../bench/server/fill.ts';
import { as } from '../helpers/as.ts';
import { makeWorld } from '../helpers/world.ts';

test(
  'however a list is read (by name, by facets, by text, from the search index), it gives the same devices in the same order',
  { timeout: 120_000 },
  async () => {
    await using world = await makeWorld();
    const { top, tenth } = await fillFleet(world.ctx.db, { companies: 101, devices: 24_000 }, world.clock.now());
    const path = `/${top}/${tenth}/`;
    const everything = await world.ctx.db
      .selectFrom('devices')
      .innerJoin('companies', 'companies.id', 'devices.company_id')
      .select(['devices.id', 'devices.name', 'devices.status', 'devices.model', 'devices.signal', 'devices.search_text', 'companies.path'])
      .execute();
    type Row = (typeof everything)[number];
    const byName = (a: Row, b: Row): number => compareTexts(a.name, b.name) || a.id - b.id;
    const bySignal = (a: Row, b: Row): number => (b.signal ?? 0) - (a.signal ?? 0) || a.id - b.id;
    const viewers = {
      all: { caller: await as(world, 'super_admin', { company: { id: top } }), isSeen: () => true },
      tenth: { caller: await as(world, 'admin', { company: { id: tenth } }), isSeen: (row: Row) => row.path.startsWith(path) },
    };
    const cases: { query: Record<string, string>; isMatch: (row: Row) => boolean; order?: (a: Row, b: Row) => number }[] = [
      { query: {}, isMatch: () => true },
      { query: { status: 'online' }, isMatch: (row) => row.status === 1 },
      { query: { status: 'not_activated', model: 'RUTX50' }, isMatch: (row) => row.status === null && row.model === 'RUTX50' },
      { query: { status: 'online', sort: '-signal' }, isMatch: (row) => row.status === 1, order: bySignal },
      { query: { q: 'ferry' }, isMatch: (row) => row.search_text.includes('ferry') },
      { query: { q: 'ferry-12', status: 'offline' }, isMatch: (row) => row.search_text.includes('ferry-12') && row.status === 0 },
      { query: { q: 'fe', sort: '-signal' }, isMatch: (row) => row.search_text.includes(' fe'), order: bySignal },
      { query: { q: '00:1e:42' }, isMatch: () => true },
      { query: { q: 'nowhere' }, isMatch: () => false },
    ];
    for (const [who, { caller, isSeen }] of Object.entries(viewers)) {
      const seen = everything.filter(isSeen);
      for (const { query, isMatch, order = byName } of cases) {
        const expected = seen.filter(isMatch).sort(order);
        for (const offset of [0, 40, Math.max(0, expected.length - 10)]) {
          const { data, meta } = await caller.get('/devices', { sort: 'name', limit: 50, offset, fields: 'id', ...query });
          const ids = data.map((device: { id: number }) => device.id);
          expect({ who, query, offset, total: meta['total'], ids }).toEqual({
            who,
            query,
            offset,
            total: expected.length,
            ids: expected.slice(offset, offset + 50).map((row) => row.id),
          });
        }
      }
    }
    const statistics = await viewers.tenth.caller.get('/devices/statistics', { q: 'ferry' });
    const ferries = everything.filter((row) => viewers.tenth.isSeen(row) && row.search_text.includes('ferry'));
    expect(statistics.data.status['1']).toBe(ferries.filter((row) => row.status === 1).length);
  },
);
