import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeEverything, renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { currentLanguage } from '../../kernel/i18n/index.ts';
import { loadUser } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { matchCommands, type Command } from './commands.ts';
import { usePaletteKey } from './open-palette.ts';
import { readRecent } from './recent.ts';

function Page() {
  usePaletteKey();
  return null;
}

let server: TestServer;
beforeEach(async () => {
  localStorage.clear();
  // jsdom does not lay out, so it has nothing to scroll.
  Element.prototype.scrollIntoView = () => undefined;
  server = await startTestServer(({ path, query }) => {
    if (path === '/user')
      return {
        body: { success: true, data: { id: 1, permissions: ['view_devices', 'view_tags', 'create_tags', 'execute_device_actions'] } },
      };
    if (path === '/devices' && query['q'] === 'quay')
      return { body: { success: true, data: [{ id: 7, name: 'Quay 7', serial: '1106' }], meta: { total: 1 } } };
    if (path === '/views')
      return {
        body: {
          success: true,
          data: [
            { id: 4, resource: 'devices', name: 'Ferries that are away' },
            { id: 5, resource: 'companies', name: 'Ferry companies' },
          ],
          meta: { total: 2 },
        },
      };
    if (path === '/devices/7') return { body: { success: true, data: { id: 7, name: 'Quay 7', status: 0 } } };
    return { body: { success: true, data: [], meta: { total: 0 } } };
  });
  await loadUser();
  await renderConsole(<Page />);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeEverything();
  await server.close();
});

async function open() {
  const user = userEvent.setup();
  await user.keyboard('{Control>}k{/Control}');
  const box = await screen.findByRole('combobox', { name: 'Command palette' });
  return { user, box };
}
const option = (name: RegExp) => screen.findByRole('option', { name });

test('Ctrl+K opens it with the focus in the box; only what the user may do is offered [S1]', async () => {
  const { box } = await open();
  await waitFor(() => expect(document.activeElement).toBe(box));
  const list = screen.getByRole('listbox');
  expect(within(list).getByRole('option', { name: /^Devices/ })).toBeTruthy();
  expect(within(list).getByRole('option', { name: /^New tag/ })).toBeTruthy();
  expect(within(list).queryByRole('option', { name: /^Companies/ })).toBeNull();
  await userEvent.setup().keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('what is typed right after the shortcut is in the box, also before its code has come [S1]', async () => {
  await userEvent.setup().keyboard('{Control>}k{/Control}dak{Backspace}rk');
  const box = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Command palette' });
  await waitFor(() => expect(box.value).toBe('dark'));
});

test('words narrow it, arrows choose, Enter does it [S1]', async () => {
  const { user, box } = await open();
  await user.type(box, 'dark mode');
  const options = await screen.findAllByRole('option');
  expect(options).toHaveLength(3);
  expect(box.getAttribute('aria-activedescendant')).toBe(options[0]?.id);
  await user.keyboard('{ArrowDown}');
  expect(box.getAttribute('aria-activedescendant')).toBe(options[1]?.id);
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(box.getAttribute('aria-activedescendant'), 'the last after the first').toBe(options[2]?.id);
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  expect(document.documentElement.dataset['theme']).toBe('on');
});

test('saved views are found, of lists that the user may see; what adds something is found by "add" [S1]', async () => {
  const { user, box } = await open();
  await user.type(box, 'ferr');
  await user.click(await option(/^Ferries that are away/));
  await waitFor(() => expect(readRecent(1)[0]).toMatchObject({ path: '/management/devices?view=4' }));
  const again = await open();
  await again.user.type(again.box, 'add tag');
  expect(await option(/^New tag/)).toBeTruthy();
  await again.user.clear(again.box);
  await again.user.type(again.box, 'ferr');
  await option(/^Ferries that are away/);
  expect(screen.queryByRole('option', { name: /^Ferry companies/ })).toBeNull();
});

test('records are found as by the search, and are among the recent ones afterwards [S1]', async () => {
  const { user, box } = await open();
  await user.type(box, 'quay');
  expect(await option(/Quay 7/)).toBeTruthy();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(readRecent(1)).toEqual([{ label: 'Quay 7', detail: '1106', path: '/devices/7' }]));
  expect(readRecent(2), 'another user of this browser').toEqual([]);
});

test('what is done to a record asks for it first, goes back by Backspace, and says why it cannot be done to one [S1]', async () => {
  const { user, box } = await open();
  expect(screen.queryByRole('option', { name: /^Reboot…/ })).toBeNull();
  await user.type(box, 'reboot');
  await option(/^Reboot…/);
  await user.keyboard('{Enter}');
  const picking = await screen.findByRole('combobox', { name: 'Reboot: choose from Devices' });
  expect(document.activeElement).toBe(picking);
  expect(screen.getByText('Type to start searching')).toBeTruthy();
  await user.keyboard('{Backspace}');
  expect(await screen.findByRole('combobox', { name: 'Command palette' })).toBeTruthy();
  await user.type(box, 'reboot');
  await user.click(await option(/^Reboot…/));
  expect(document.activeElement).toBe(box);
  await user.type(box, 'quay');
  await user.click(await option(/Quay 7/));
  await waitFor(() => expect(toasts.history.get().map(({ message }) => message)).toContain('Quay 7: Only if Status is Online'));
});

test('a page opens beside by Ctrl+Enter and by a click with Ctrl, and the palette stays', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  const { user, box } = await open();
  await user.type(box, 'tags');
  await option(/^Tags/);
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(opened.mock.calls).toEqual([['/tags', '_blank', 'noopener']]);
  await user.keyboard('{Control>}');
  await user.click(await option(/^Tags/));
  await user.keyboard('{/Control}');
  expect(opened.mock.calls).toHaveLength(2);
  expect(document.activeElement).toBe(box);
});

test('the language is switched from it', async () => {
  const { user, box } = await open();
  await user.type(box, 'norsk{Enter}');
  await waitFor(() => expect(currentLanguage()).toBe('nb'));
});

test('every word must be in a command, in any order; what begins with the text comes first', () => {
  const make = (label: string, detail: string): Command => ({ id: label, group: 'pages', label, detail, icon: 'file' });
  const commands = [make('All tags', 'Management'), make('Tags', 'Management'), make('Devices', 'Management')];
  expect(matchCommands(commands, 'tag').map(({ label }) => label)).toEqual(['Tags', 'All tags']);
  expect(matchCommands(commands, 'management ALL').map(({ label }) => label)).toEqual(['All tags']);
});
