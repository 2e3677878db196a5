import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeAllDialogs, openModal } from '../../engine/dialogs/index.ts';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { loadUser } from '../../kernel/session/index.ts';
import { GlobalSearch } from './GlobalSearch.tsx';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(({ path }) =>
    path === '/user'
      ? { body: { success: true, data: { id: 1, permissions: ['view_tags'] } } }
      : { body: { success: true, data: [], meta: { total: 0 } } },
  );
  await loadUser();
});
afterEach(async () => {
  act(() => closeAllDialogs());
  localStorage.clear();
  await server.close();
});
const searched = () => server.calls.filter(({ path }) => path === '/tags').map(({ query }) => query['q']);

test('says to type, what was not found, and that no kind is chosen; what is typed is trimmed and asked for once', async () => {
  await renderConsole(<GlobalSearch />);
  const user = userEvent.setup();
  await user.keyboard('/');
  const box = screen.getByRole('combobox', { name: 'Search everything' });
  await waitFor(() => expect(document.activeElement).toBe(box));
  expect(screen.getByText('Type to start searching')).toBeTruthy();
  await user.type(box, '  ferry ');
  expect(await screen.findByText('No results found')).toBeTruthy();
  expect(searched()).toEqual(['ferry']);
  await user.click(screen.getByRole('button', { name: 'Tags' }));
  expect(screen.getByText('No search criteria selected')).toBeTruthy();
  fireEvent.pointerDown(document.body);
  expect(screen.queryByText('No search criteria selected')).toBeNull();
});

test('its key does nothing while one types or a window is open, beside one in the tray too', async () => {
  await renderConsole(
    <>
      <GlobalSearch />
      <textarea aria-label="Notes" />
    </>,
  );
  const user = userEvent.setup();
  await user.type(screen.getByRole('textbox', { name: 'Notes' }), 'a/b');
  expect(screen.queryByText('Type to start searching')).toBeNull();

  void openModal({ id: 'first', title: 'First', prompt: false, minimized: true });
  void openModal({ title: 'Second' });
  (await screen.findByRole('alertdialog', { name: 'Second' })).focus();
  await user.keyboard('/');
  expect(screen.queryByText('Type to start searching')).toBeNull();
  act(() => closeAllDialogs());
  act(() => screen.getByRole('textbox', { name: 'Notes' }).blur());
  await user.keyboard('/');
  expect(await screen.findByText('Type to start searching')).toBeTruthy();
});
