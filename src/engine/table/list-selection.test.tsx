import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { registerDialog } from '../dialogs/index.ts';
import { openList, shownNames } from './test-kit.tsx';
import type { World } from './test-api.ts';

const started: unknown[] = [];
// The jobs room brings this dialog; here it only notes what it is asked for.
registerDialog('job.start', async () => ({
  default: (props) => {
    started.push(props);
    return null;
  },
}));

let world: World;
afterEach(async () => {
  started.length = 0;
  await world.close();
});

const box = (name: string) => screen.getByRole('checkbox', { name });
const bar = () => screen.getByRole('region', { name: 'Selected rows' });
const ready = () => screen.findByRole('link', { name: 'Gadget 001' });

describe('selection [T5]', () => {
  test('the header checkbox takes the page, the count is always visible, and paging keeps both', async () => {
    world = await openList();
    await ready();
    await world.user.click(box('Select all rows of this page'));
    expect(bar().textContent).toContain('10 selected');
    await world.user.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByRole('link', { name: 'Gadget 011' });
    expect(bar().textContent).toContain('10 selected');
    expect(box('Select all rows of this page')).toHaveProperty('checked', false);
    await world.user.click(box('Select Gadget 011'));
    expect(bar().textContent).toContain('11 selected');
    expect(box('Select all rows of this page')).toHaveProperty('indeterminate', true);
  });

  test('a shift-click takes the range', async () => {
    world = await openList();
    await ready();
    await world.user.click(box('Select Gadget 003'));
    fireEvent.click(box('Select Gadget 006'), { shiftKey: true });
    expect(bar().textContent).toContain('4 selected');
  });

  test('ordering keeps the selection, Escape and "Clear" end it', async () => {
    world = await openList();
    await ready();
    await world.user.click(box('Select Gadget 002'));
    await world.user.click(within(screen.getByRole('columnheader', { name: 'Name' })).getByRole('button'));
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 025'));
    expect(bar().textContent).toContain('1 selected');
    await world.user.keyboard('{Escape}');
    expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
    await world.user.click(box('Select Gadget 025'));
    await world.user.click(within(bar()).getByRole('button', { name: 'Clear' }));
    expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
  });

  test('a change of the filter ends the selection', async () => {
    world = await openList();
    await ready();
    await world.user.click(box('Select Gadget 002'));
    await world.go('/gadgets?status=1');
    await waitFor(() => expect(shownNames()[0]).toBe('Gadget 002'));
    expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
  });

  test('"all that match" is sent as the query and the count seen, never as ids', async () => {
    world = await openList({ path: '/gadgets?status=1' });
    await screen.findByRole('link', { name: 'Gadget 002' });
    await world.user.click(box('Select all rows of this page'));
    await world.user.click(within(bar()).getByRole('button', { name: 'Select all 16 matching' }));
    expect(bar().textContent).toContain('16 selected');
    expect(bar().textContent).toContain('all matching');
    await world.user.click(within(bar()).getByRole('button', { name: 'Reboot' }));
    await waitFor(() => expect(started).toHaveLength(1));
    expect(started[0]).toMatchObject({ kind: 'reboot', count: 16, selection: { selection: { query: { status: '1' }, count: 16 } } });
  });
});

describe('the bulk bar [T6]', () => {
  test('an action says for how many it is, and goes out for all with their ids', async () => {
    world = await openList();
    await ready();
    await world.user.click(box('Select all rows of this page'));
    await world.user.click(within(bar()).getByRole('button', { name: 'Reboot (6 of 10)' }));
    await waitFor(() => expect(started).toHaveLength(1));
    expect(started[0]).toMatchObject({
      kind: 'reboot',
      risk: 'disruptive',
      count: 10,
      selection: { device_id: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    });
  });

  test('an action that applies to none is disabled, and says why on focus', async () => {
    world = await openList();
    await ready();
    await world.user.click(box('Select Gadget 001'));
    const reboot = within(bar()).getByRole('button', { name: 'Reboot' });
    expect(reboot.getAttribute('aria-disabled')).toBe('true');
    await world.user.hover(reboot);
    expect((await screen.findByRole('tooltip')).textContent).toBe('Applies to 0 of 1. Only if Status is Online');
    await world.user.click(reboot);
    expect(started).toEqual([]);
  });

  test('without a right to any bulk action there is nothing to tick', async () => {
    world = await openList({ permissions: ['view_devices'] });
    await ready();
    expect(screen.queryAllByRole('checkbox')).toEqual([]);
    await world.user.keyboard('jx');
    expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
  });
});
