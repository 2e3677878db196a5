import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import { startI18n } from '../kernel/i18n/index.ts';
import { Menu, type MenuEntry } from './Menu.tsx';

beforeAll(() => startI18n('en'));

const draw = (entries: MenuEntry[]) => (
  <MemoryRouter>
    <Menu entries={entries} label="Actions">
      <button type="button">Open</button>
    </Menu>
  </MemoryRouter>
);

function open(entries: MenuEntry[]) {
  render(
    <MemoryRouter>
      <Routes>
        <Route
          path="/"
          element={
            <Menu entries={entries} label="Actions">
              <button type="button">Open</button>
            </Menu>
          }
        />
        <Route path="/there" element={<p>Arrived</p>} />
      </Routes>
    </MemoryRouter>,
  );
  return userEvent.setup();
}

const focused = () => document.activeElement?.textContent;
const item = (label: string, rest: Partial<MenuEntry> = {}): MenuEntry => ({ id: label, label, ...rest });

test('arrows, Home, End and first letters move; Escape closes and gives the focus back', async () => {
  const user = open([item('Edit'), item('Move'), item('Reboot'), item('Remove')]);
  screen.getByRole('button', { name: 'Open' }).focus();
  await user.keyboard('{ArrowDown}');
  expect(focused()).toBe('Edit');
  await user.keyboard('{ArrowUp}');
  expect(focused()).toBe('Remove');
  await user.keyboard('{ArrowDown}{End}');
  expect(focused()).toBe('Remove');
  await user.keyboard('{Home}rem');
  expect(focused()).toBe('Remove');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  expect(focused()).toBe('Open');
});

test('entries that come or go while one is pressed move nothing until it is released, and the pressed one runs', async () => {
  const run = vi.fn();
  const last = item('Save', { hasDivider: true, onSelect: run });
  const { rerender } = render(draw([item('Loading', { isDisabled: true }), last]));
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Open' }));
  const pressed = screen.getByRole('menuitem', { name: 'Save' });
  await user.pointer({ keys: '[MouseLeft>]', target: pressed });
  rerender(draw([item('North'), item('South'), last]));
  expect(screen.queryByRole('menuitem', { name: 'North' })).toBeNull();
  await user.pointer({ keys: '[/MouseLeft]', target: pressed });
  expect(run).toHaveBeenCalledOnce();
});

test('entries that come or go leave the elements of the others as they are', async () => {
  const user = userEvent.setup();
  const { rerender } = render(draw([item('Loading'), item('Save')]));
  await user.click(screen.getByRole('button', { name: 'Open' }));
  const save = screen.getByRole('menuitem', { name: 'Save' });
  rerender(draw([item('Save')]));
  expect(screen.getByRole('menuitem', { name: 'Save' })).toBe(save);
});

test('Enter runs the entry once and closes', async () => {
  const run = vi.fn();
  const user = open([item('Edit', { onSelect: run })]);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.keyboard('{Enter}');
  expect(run).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
});

test('a disabled entry can be reached and read, and does nothing', async () => {
  const run = vi.fn();
  const user = open([item('Reboot', { isDisabled: true, detail: 'It is offline', onSelect: run })]);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(focused()).toContain('It is offline');
  await user.keyboard('{Enter}');
  expect(run).not.toHaveBeenCalled();
});

test('an entry with an address goes there', async () => {
  const user = open([item('Go', { to: '/there' })]);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Arrived')).toBeTruthy();
});

test('a press outside closes it', async () => {
  const user = open([item('Edit')]);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.click(document.body);
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
});
