import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { loadForm } from '../form/load-form.ts';
import { openList, shownNames } from './test-kit.tsx';
import { type World } from './test-api.ts';

// Code that comes when it is needed is here before anybody waits for what it draws.
beforeAll(() => Promise.all([import('../form/FormDialog.tsx'), loadForm('devices/edit')]));

let world: World;
afterEach(() => world.close());

const permissions = ['view_devices', 'update_devices'];

async function rename(to: string): Promise<void> {
  await world.user.click(await screen.findByRole('button', { name: 'Actions: Gadget 001' }));
  await world.user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit device' });
  const name = await within(dialog).findByRole('textbox', { name: /Name/ });
  await world.user.clear(name);
  await world.user.type(name, to);
  await world.user.click(within(dialog).getByRole('button', { name: 'Save' }));
}
const [first, ...others] = ['Gadget 001', 'Gadget 002', 'Gadget 003'];

test('a new name is in the list before the server has answered, and Undo takes the call back once [T11]', async () => {
  world = await openList({ permissions });
  const taken = Promise.withResolvers<void>();
  world.edit.gate = taken.promise;
  await rename('Aft');
  await waitFor(() => expect(shownNames().slice(0, 3)).toEqual(['Aft', ...others]));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(world.rows[0]?.['name']).toBe(first);
  taken.resolve();
  const undo = await screen.findByRole('button', { name: 'Undo' });
  expect(world.rows[0]?.['name']).toBe('Aft');
  await world.user.dblClick(undo);
  await waitFor(() => expect(shownNames().slice(0, 3)).toEqual([first, ...others]));
  await waitFor(() => expect(world.rows[0]?.['name']).toBe(first));
  expect(world.undone).toEqual([{ request_id: 'req-42' }]);
});

test('a refused name goes back, says why, and what was entered is opened again [T11]', async () => {
  world = await openList({ permissions });
  world.edit.failure = { status: 409, code: 'NAME_TAKEN', message: 'The name "Aft" is taken.' };
  await rename('Aft');
  const again = await screen.findByRole('button', { name: 'Edit again' });
  await waitFor(() => expect(shownNames().slice(0, 3)).toEqual([first, ...others]));
  await world.user.click(again);
  const dialog = await screen.findByRole('dialog', { name: 'Edit device' });
  expect(await within(dialog).findByRole('textbox', { name: /Name/ })).toHaveProperty('value', 'Aft');
});
