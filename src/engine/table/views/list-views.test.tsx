import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { loadForm } from '../../form/load-form.ts';
import { makeView, type World } from '../test-api.ts';
import { openList, shownNames } from '../test-kit.tsx';

// Code that comes when it is needed is here before anybody waits for what it draws.
beforeAll(() => Promise.all([import('../ColumnChooser.tsx'), import('../../form/FormDialog.tsx'), loadForm('views/new')]));

let world: World;
afterEach(() => world.close());

const button = () => screen.findByRole('button', { name: /^View/ });
async function choose(name: string): Promise<void> {
  await world.user.click(await button());
  const menu = await screen.findByRole('menu', { name: 'View' });
  await world.user.click(await within(menu).findByText(name));
}
const rowsOf = (...numbers: number[]) => numbers.map((number) => `Gadget ${String(number).padStart(3, '0')}`);

test('a link that names nothing but a view shows its rows in its order with its columns, and says its name [T3]', async () => {
  const columns = JSON.stringify({ order: ['name', 'serial'], hidden: ['firmware'], shown: ['serial'], density: 'compact' });
  world = await openList({ path: '/gadgets?view=1', views: [makeView({ columns })] });
  await waitFor(() => expect(shownNames().slice(0, 2)).toEqual(rowsOf(25, 22)));
  await screen.findByRole('button', { name: 'View: Offline ones' });
  expect(world.address()).toBe('/gadgets?status=0&sort=-name&view=1');
  // No call for rows that are not the view's.
  expect(world.queries.every((query) => query['status'] === '0')).toBe(true);
  expect(screen.queryByRole('columnheader', { name: /Firmware/ })).toBeNull();
  expect(screen.getByRole('columnheader', { name: /Serial/ })).toBeTruthy();
});

test('a changed view says so, and is saved in place; its columns wait for that too [T3]', async () => {
  world = await openList({ path: '/gadgets?view=1', views: [makeView({ columns: '{}' })] });
  await waitFor(() => expect(shownNames()).toHaveLength(9));
  await world.user.click(screen.getByRole('button', { name: 'Columns' }));
  await world.user.click(await screen.findByRole('checkbox', { name: 'Firmware' }));
  await screen.findByRole('button', { name: 'View: Offline ones, changed' });
  expect(world.storage.get('table.gadgets')).toBeUndefined();
  await waitFor(() => expect(world.storage.get('table.gadgets.unsaved')).toMatchObject({ 1: { hidden: ['firmware'] } }));
  await world.user.keyboard('{Escape}');
  await choose('Save changes');
  await screen.findByRole('button', { name: 'View: Offline ones' });
  expect(JSON.parse(world.views[0]?.columns ?? '')).toMatchObject({ hidden: ['firmware'] });
  await waitFor(() => expect(world.storage.get('table.gadgets.unsaved')).toEqual({}));
});

test('columns that were changed and not saved are there after a reload, until the view is chosen again [T3]', async () => {
  const unsaved = { order: [], hidden: ['firmware'], shown: [] };
  world = await openList({
    path: '/gadgets?view=1',
    views: [makeView({ columns: '{}' })],
    storage: [['table.gadgets.unsaved', { 1: unsaved }]],
  });
  await screen.findByRole('button', { name: 'View: Offline ones, changed' });
  expect(screen.queryByRole('columnheader', { name: /Firmware/ })).toBeNull();
  await choose('Offline ones');
  await screen.findByRole('columnheader', { name: /Firmware/ });
  await screen.findByRole('button', { name: 'View: Offline ones' });
});

test('what is on screen becomes a view under a name, and the address names it [T3]', async () => {
  world = await openList({ path: '/gadgets?status=0' });
  await waitFor(() => expect(shownNames()).toHaveLength(9));
  await choose('Save as view…');
  const dialog = await screen.findByRole('dialog', { name: 'Save view' });
  await world.user.type(within(dialog).getByRole('textbox', { name: /Name/ }), 'North');
  await world.user.click(within(dialog).getByRole('radio', { name: 'My company' }));
  await world.user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'View: North' });
  expect(world.address()).toBe('/gadgets?status=0&view=100');
  expect(world.views[0]).toMatchObject({ name: 'North', share: 'company', resource: 'gadgets', query: 'status=0' });
});

test('a view that was removed leaves the link its rows, with a notice [T3]', async () => {
  world = await openList({ path: '/gadgets?status=0&view=77' });
  await screen.findByText(/This view no longer exists/);
  expect(world.address()).toBe('/gadgets?status=0');
  await waitFor(() => expect(shownNames()).toHaveLength(9));
});

test('the list opens with the default view, and does not come back to it while everything is shown [T3]', async () => {
  world = await openList({ path: '/gadgets', views: [makeView({})], storage: [['view.gadgets', 1]] });
  await waitFor(() => expect(shownNames().slice(0, 2)).toEqual(rowsOf(25, 22)));
  await choose('Default view');
  await waitFor(() => expect(world.address()).toBe('/gadgets?view=all'));
  await waitFor(() => expect(shownNames()[0]).toBe('Gadget 001'));
});

test('the list opens with the default view of the role, unless the user has a default of their own [T3]', async () => {
  const other = makeView({ id: 2, name: 'Online ones', query: 'status=1' });
  const views = [makeView({}), other];
  world = await openList({ path: '/gadgets', views, defaultViews: { gadgets: 1 } });
  await screen.findByRole('button', { name: 'View: Offline ones' });
  await world.close();
  world = await openList({ path: '/gadgets', views, defaultViews: { gadgets: 1 }, storage: [['view.gadgets', 2]] });
  await screen.findByRole('button', { name: 'View: Online ones' });
});

test('views of others are marked and cannot be changed [T3]', async () => {
  const shared = makeView({ id: 2, name: 'Fleet', is_own: false, can_edit: false, share: 'company', query: 'status=1' });
  world = await openList({ path: '/gadgets?view=2', views: [makeView({}), shared] });
  await screen.findByRole('button', { name: 'View: Fleet' });
  await world.user.click(await button());
  const menu = await screen.findByRole('menu', { name: 'View' });
  expect(within(menu).getByText('Shared views')).toBeTruthy();
  expect(within(menu).getByText('by Ada')).toBeTruthy();
  expect(within(menu).queryByText('Remove…')).toBeNull();
});
