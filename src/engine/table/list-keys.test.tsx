import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { openList, shownNames } from './test-kit.tsx';
import type { World } from './test-api.ts';

let world: World;
afterEach(() => world.close());

const ready = () => screen.findByRole('link', { name: 'Gadget 001' });
const focused = () => document.activeElement?.textContent;

describe('rows by keyboard [T9]', () => {
  test('j and k, and arrows inside a row, move the focus from link to link', async () => {
    world = await openList();
    await ready();
    await world.user.keyboard('j');
    expect(focused()).toBe('Gadget 001');
    await world.user.keyboard('jj{ArrowDown}k{ArrowUp}');
    expect(focused()).toBe('Gadget 002');
  });

  test('x ticks the row with the focus and keeps the focus', async () => {
    world = await openList();
    await ready();
    await world.user.keyboard('jjx');
    expect(screen.getByRole('checkbox', { name: 'Select Gadget 002' })).toHaveProperty('checked', true);
    expect(focused()).toBe('Gadget 002');
    await world.user.keyboard('x');
    expect(screen.getByRole('checkbox', { name: 'Select Gadget 002' })).toHaveProperty('checked', false);
  });

  test('Enter opens the record', async () => {
    world = await openList();
    await ready();
    await world.user.keyboard('jj{Enter}');
    expect(world.address()).toBe('/gadgets/2');
  });

  test('. opens the menu of the row, named after it; what does not apply says why', async () => {
    world = await openList();
    await ready();
    await world.user.keyboard('j.');
    expect(await screen.findByRole('menu', { name: 'Actions: Gadget 001' })).toBeTruthy();
    const reboot = screen.getByRole('menuitem', { name: /Reboot/ });
    expect(reboot.getAttribute('aria-disabled')).toBe('true');
    expect(reboot.textContent).toContain('Only if Status is Online');
  });

  test('? opens the help, where the single letters can be turned off for good', async () => {
    world = await openList();
    await ready();
    await world.user.keyboard('?');
    await world.user.click(await screen.findByRole('checkbox', { name: 'Single-letter keys are on' }));
    await waitFor(() => expect(world.storage.get('single_key_shortcuts')).toBe(false));
    await world.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const before = document.activeElement;
    await world.user.keyboard('j');
    expect(document.activeElement).toBe(before);
  });

  test('letters typed into a field are text', async () => {
    world = await openList();
    await ready();
    await world.user.click(screen.getByRole('searchbox'));
    await world.user.keyboard('jx');
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'jx');
    expect(shownNames()).toHaveLength(10);
  });
});
