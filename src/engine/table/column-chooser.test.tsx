import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openList } from './test-kit.tsx';
import type { World } from './test-api.ts';

// Code that comes when it is needed is here before anybody waits for what it draws.
beforeAll(() => import('./ColumnChooser.tsx'));

let world: World;
afterEach(() => world.close());

const firstRow = () => screen.findByRole('link', { name: 'Gadget 001' });
const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
const button = (name: string | RegExp) => screen.getByRole('button', { name });
describe('columns [T2]', () => {
  test('columns are hidden, shown and moved by buttons, and the choice is kept on the server', async () => {
    world = await openList();
    await firstRow();
    expect(heads()).toEqual(['', 'Status', 'Name', 'Firmware', 'Created', 'Actions']);
    await world.user.click(button('Columns'));
    await world.user.click(await screen.findByRole('checkbox', { name: 'Serial number' }));
    await waitFor(() => expect(heads()).toContain('Serial number'));
    await world.user.click(screen.getByRole('checkbox', { name: 'Created' }));
    await waitFor(() => expect(heads()).not.toContain('Created'));
    await world.user.click(button('Move Firmware up'));
    await waitFor(() => expect(heads()).toEqual(['', 'Status', 'Firmware', 'Name', 'Serial number', 'Actions']));
    expect(screen.getByRole('checkbox', { name: 'Name' })).toHaveProperty('disabled', true);
    expect(world.storage.get('table.gadgets')).toMatchObject({ shown: ['serial'], hidden: ['created_at'] });
    await world.user.click(button('Reset'));
    await waitFor(() => expect(heads()).toEqual(['', 'Status', 'Name', 'Firmware', 'Created', 'Actions']));
  });

  test('another browser of the user shows the same columns', async () => {
    world = await openList({
      storage: [
        [
          'table.gadgets',
          { order: ['name', 'status', 'firmware', 'serial', 'created_at'], hidden: ['firmware'], shown: [], density: 'compact' },
        ],
      ],
    });
    await firstRow();
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['', 'Name', 'Status', 'Created', 'Actions']);
    expect(screen.getByRole('table').dataset['density']).toBe('compact');
  });

  test('a column is pinned and sized in the chooser, and a list of the same user elsewhere agrees', async () => {
    world = await openList();
    await firstRow();
    await world.user.click(button('Columns'));
    await world.user.click(await screen.findByRole('button', { name: 'Position and width of Firmware' }));
    await world.user.click(within(screen.getByRole('radiogroup', { name: 'Pin Firmware' })).getByRole('radio', { name: 'Left' }));
    await waitFor(() => expect(heads()).toEqual(['', 'Firmware', 'Status', 'Name', 'Created', 'Actions']));
    fireEvent.change(screen.getByRole('slider', { name: 'Width of Firmware' }), { target: { value: '240' } });
    expect(document.querySelectorAll('col')[1]?.style.inlineSize).toBe('240px');
    expect(screen.getByRole('columnheader', { name: 'Firmware' }).style.left).toBe('42px');
    await waitFor(() =>
      expect(world.storage.get('table.gadgets')).toMatchObject({ pinned: { firmware: 'left' }, widths: { firmware: 240 } }),
    );
    const { storage } = world;
    cleanup();
    await world.close();
    world = await openList({ storage: [...storage] });
    await firstRow();
    expect(heads()).toEqual(['', 'Firmware', 'Status', 'Name', 'Created', 'Actions']);
    expect(document.querySelectorAll('col')[1]?.style.inlineSize).toBe('240px');
  });

  test('the row height is kept for the user [T4]', async () => {
    world = await openList();
    await firstRow();
    const density = () => screen.getByRole('table').dataset['density'];
    expect(density()).toBe('middle');
    await world.user.click(button('Columns'));
    await world.user.click(await screen.findByRole('radio', { name: 'Comfortable' }));
    expect(density()).toBe('comfortable');
    await waitFor(() => expect(world.storage.get('table.gadgets')).toMatchObject({ density: 'comfortable' }));
    await world.user.click(screen.getByRole('radio', { name: 'Compact' }));
    await waitFor(() => expect(world.storage.get('table.gadgets')).toMatchObject({ density: 'compact' }));
  });
});
