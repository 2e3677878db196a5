import { act, screen, waitFor } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { defineCell } from '../resources/registry.ts';
import { makeRows, type World } from './test-api.ts';
import { gadgets, openList, shownNames } from './test-kit.tsx';

let world: World;
afterEach(() => world.close());

const ready = async () => {
  await screen.findByRole('link', { name: 'Gadget 001' });
  await world.followed();
};
const row = (name: string) => screen.getByRole('rowheader', { name: new RegExp(name) }).closest('tr');
const settle = (milliseconds: number) => act(() => new Promise((resolve) => setTimeout(resolve, milliseconds)));

const renders = new Map<number, number>();
defineCell('test-counting', ({ row: record, value }) => (
  <Profiler id="cell" onRender={() => renders.set(record.id, (renders.get(record.id) ?? 0) + 1)}>
    {String(value)}
  </Profiler>
));

describe('live rows [T8]', () => {
  test('a change is drawn in place; focus and selection stay', async () => {
    world = await openList();
    await ready();
    await world.user.keyboard('jjx');
    const link = document.activeElement;
    world.tell('GadgetChanged', { gadgets: [{ id: 2, firmware: '09.99', status: 0 }] });
    await waitFor(() => expect(row('Gadget 002')?.textContent).toContain('09.99'));
    expect(document.activeElement).toBe(link);
    expect(screen.getByRole('checkbox', { name: 'Select Gadget 002' })).toHaveProperty('checked', true);
    expect(screen.getByText('09.99').closest('td')?.dataset['flash']).toBe('b');
    expect(row('Gadget 001')?.querySelector('[data-flash]')).toBeNull();
  });

  test("a chosen row's change counts for the rules of the actions", async () => {
    world = await openList();
    await ready();
    await world.user.click(screen.getByRole('checkbox', { name: 'Select Gadget 001' }));
    expect(screen.getByRole('button', { name: 'Reboot' }).getAttribute('aria-disabled')).toBe('true');
    world.tell('GadgetChanged', { id: 1, status: 1 });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Reboot' }).getAttribute('aria-disabled')).not.toBe('true'));
  });

  test('a row that stops matching the filter stays, marked, until the next load', async () => {
    world = await openList({ path: '/gadgets?status=1' });
    await screen.findByRole('link', { name: 'Gadget 002' });
    await world.followed();
    world.tell('GadgetChanged', { id: 2, status: 0 });
    await waitFor(() => expect(row('Gadget 002')?.textContent).toContain('No longer matches the filters'));
    world.rows = world.rows.map((record) => (record.id === 2 ? { ...record, status: 0 } : record));
    await world.user.click(screen.getByRole('button', { name: 'Refresh now' }));
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 003'));
  });

  test('a removed row stays in its place, crossed out, and leaves the selection', async () => {
    world = await openList();
    await ready();
    await world.user.click(screen.getByRole('checkbox', { name: 'Select Gadget 002' }));
    world.tell('GadgetRemoved', { ids: [2] });
    await waitFor(() => expect(row('Gadget 002')?.dataset['mark']).toBe('removed'));
    expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
    expect(screen.getByRole('heading', { level: 1 }).parentElement?.textContent).toContain('24 in');
    expect(shownNames()).toHaveLength(10);
  });

  test('new records wait behind a button when the list is ordered by time', async () => {
    world = await openList({ path: '/gadgets?sort=-created_at' });
    await screen.findAllByRole('rowheader');
    await world.followed();
    const added = { id: 99, name: 'Newcomer', status: 1, created_at: '2026-12-01 10:00:00' };
    world.rows = [...world.rows, added];
    const before = world.queries.length;
    world.tell('GadgetAdded', { gadgets: [added] });
    await world.user.click(await screen.findByRole('button', { name: '1 new' }));
    await screen.findByRole('link', { name: 'Newcomer' });
    expect(world.queries.length).toBe(before + 1);
    expect(screen.queryByRole('button', { name: '1 new' })).toBeNull();
  });

  test('otherwise the list loads again by itself', async () => {
    world = await openList();
    await ready();
    const added = { id: 99, name: 'Gadget 000', status: 1 };
    world.rows = [...world.rows, added];
    world.tell('GadgetAdded', { gadgets: [added] });
    await screen.findByRole('link', { name: 'Gadget 000' });
    expect(screen.queryByRole('button', { name: '1 new' })).toBeNull();
  });

  test('an answer that was on its way does not undo a newer event', async () => {
    world = await openList();
    await ready();
    let open = () => {};
    world.gate = new Promise((resolve) => (open = resolve));
    await world.user.click(screen.getByRole('button', { name: 'Refresh now' }));
    world.tell('GadgetChanged', { id: 2, firmware: '09.99' });
    await waitFor(() => expect(row('Gadget 002')?.textContent).toContain('09.99'));
    world.rows = world.rows.map((record) => (record.id === 5 ? { ...record, name: 'Gadget 005b' } : record));
    open();
    await screen.findByRole('link', { name: 'Gadget 005b' });
    expect(row('Gadget 002')?.textContent).toContain('09.99');
  });

  test('counts are announced, rows are not', async () => {
    world = await openList({ path: '/gadgets?sort=-created_at' });
    await screen.findAllByRole('rowheader');
    await world.followed();
    const said = () => screen.getAllByRole('status').map((status) => status.textContent);
    expect(said()).toContain('25 records found');
    world.tell('GadgetAdded', { gadgets: [{ id: 99, name: 'Newcomer', status: 1 }] });
    await waitFor(() => expect(said()).toContain('1 new'));
    expect(said().join(' ')).not.toContain('Newcomer');
  });

  test('a hundred changes a second on fifty rows draw the touched rows only, at most four times a second', async () => {
    const table = gadgets.table;
    if (!table) throw new Error('gadgets have a table');
    const counting = {
      ...gadgets,
      table: {
        ...table,
        pageSize: 50,
        columns: table.columns.map((column) => (column.key === 'firmware' ? { ...column, cell: 'test-counting' } : column)),
      },
    };
    world = await openList({ rows: makeRows(60), resource: counting });
    await ready();
    await waitFor(() => expect(renders.size).toBe(50));
    await settle(300);
    renders.clear();
    const began = performance.now();
    for (let index = 0; index < 100; index++) {
      world.tell('GadgetChanged', { id: (index % 5) + 1, firmware: `v${index}` });
      if (index % 10 === 9) await settle(100);
    }
    await waitFor(() => expect(row('Gadget 005')?.textContent).toContain('v99'));
    expect([...renders.keys()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    // The first paint at once, then one every 250 ms.
    expect(Math.max(...renders.values())).toBeLessThanOrEqual(2 + (performance.now() - began) / 250);
  });

  test('turned off, nothing follows the channel and the choice is kept', async () => {
    world = await openList();
    await ready();
    await world.user.click(screen.getByRole('button', { name: 'Refresh mode: Live' }));
    await world.user.click(screen.getByRole('menuitemradio', { name: 'Auto-refresh: off' }));
    await waitFor(() => expect(world.storage.get('refresh.gadgets')).toBe('off'));
    world.tell('GadgetChanged', { id: 2, firmware: '09.99' });
    await settle(300);
    expect(row('Gadget 002')?.textContent).not.toContain('09.99');
  });
});
