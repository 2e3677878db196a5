import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeWorld } from '../helpers/world.ts';

describe('settings', () => {
  test('each user has its own, of any JSON value', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'read_only');
    const other = await as(world, 'admin', { company: { id: caller.user.company_id } });
    for (const [key, value] of Object.entries({
      'table.devices': { columns: ['name', 'status'], widths: { name: 200 } },
      'nav.wide': false,
      empty: null,
    }))
      expect((await caller.post('/storage', { key, value })).status).toBe(200);
    expect((await caller.get('/storage', { limit: 100 })).data).toEqual([
      { key: 'empty', value: null },
      { key: 'nav.wide', value: false },
      { key: 'table.devices', value: { columns: ['name', 'status'], widths: { name: 200 } } },
    ]);
    expect((await other.get('/storage')).data).toEqual([]);
    await other.delete('/storage/nav.wide');
    await caller.put('/storage/nav.wide', { value: true });
    await caller.delete('/storage/empty');
    expect((await caller.get('/storage')).data).toMatchObject([{ key: 'nav.wide', value: true }, { key: 'table.devices' }]);
  });

  test('up to a hundred are kept; those can still be changed', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    for (let index = 0; index < 100; index += 1) await caller.post('/storage', { key: `k${index}`, value: index });
    expect(await caller.post('/storage', { key: 'one-more', value: 1 })).toMatchObject({
      status: 400,
      errors: [{ source: 'key', params: { max: 100 } }],
    });
    expect((await caller.put('/storage/k7', { value: 'new' })).status).toBe(200);
    expect((await caller.get('/storage')).meta['total']).toBe(100);
  });

  test('a value that is too long is refused with the limit', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const answer = await caller.post('/storage', { key: 'long', value: 'ø'.repeat(17_000) });
    expect(answer).toMatchObject({ status: 400, errors: [{ source: 'value', params: { max: 32_768 } }] });
    expect((await caller.post('/storage', { key: 'long', value: 'x'.repeat(70_000) })).status).toBe(413);
  });

  test('a key that is no key is refused', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    for (const key of ['', '__proto__', '../x', 'a b', 'x'.repeat(101)])
      expect([key, (await caller.post('/storage', { key, value: 1 })).status]).toEqual([key, 400]);
  });
});
