import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { api } from '../../kernel/http/index.ts';
import { loadUser } from '../../kernel/session/index.ts';
import { openDialog } from '../dialogs/index.ts';
import { draftsOf, forgetDrafts, keepableData, withoutSecrets } from './drafts.ts';
import { offerDrafts } from './offer-drafts.ts';
import { closeEverything, compileForm, makeForm, openTestForm, renderConsole, startTestServer } from './test-kit.tsx';
import type { TestServer } from './test-kit.tsx';

const form = makeForm({
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, note: { type: 'string' }, secret: { type: 'string' } },
  },
  ui: {
    name: { 'ui:label': { en: 'Name' } },
    note: { 'ui:label': { en: 'Note' } },
    secret: { 'ui:widget': 'password', 'ui:label': { en: 'Secret' }, 'ui:autocomplete': 'current-password' },
  },
});

let server: TestServer;
afterEach(async () => {
  act(() => closeEverything());
  forgetDrafts();
  await server.close();
});

async function signInAs(id: number): Promise<void> {
  server = await startTestServer(({ path }) => {
    if (path === '/user') return { body: { success: true, data: { id, permissions: ['update_tags'] } } };
    if (path === '/tags/3') return { body: { success: true, data: { id: 3, name: 'ferry', description: null, color: '#0958d9' } } };
    return { status: 401, body: { success: false, errors: [{ code: 'UNAUTHORIZED', message: 'Sign in to continue.' }] } };
  });
  await loadUser();
}
/** A call meets a 401, and the renewal is refused: the server has the storage cleared, and the page is left. */
async function loseSession(): Promise<void> {
  await api.get('/devices').catch(() => undefined);
  sessionStorage.clear();
  window.dispatchEvent(new Event('pagehide'));
}
function mayLeave(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return !event.defaultPrevented;
}
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

describe('entries of a session that ended [F4]', () => {
  test('are kept without passwords, the page is left without asking, and the same form has them again', async () => {
    await signInAs(5);
    const { user } = await openTestForm(form, { target: { id: 7 } });
    await user.type(screen.getByLabelText('Name'), 'Quay');
    await user.type(screen.getByLabelText('Secret'), 'do not keep');
    expect(mayLeave()).toBe(false);
    await loseSession();
    expect(mayLeave()).toBe(true);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('do not keep');
    act(() => closeEverything());

    const module = await compileForm(form);
    act(() => void openDialog('form', { module, start: { note: 'as loaded' }, target: { id: 7 } }));
    await screen.findByText('Your entries were saved');
    expect([value('Name'), value('Note'), value('Secret')]).toEqual(['Quay', 'as loaded', '']);
    expect(draftsOf(5)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect([value('Name'), value('Note')]).toEqual(['', 'as loaded']);
    expect(screen.queryByText('Your entries were saved')).toBeNull();
  });

  test('of another record, or another user, are not shown', async () => {
    await signInAs(5);
    const { user } = await openTestForm(form, { target: { id: 7 } });
    await user.type(screen.getByLabelText('Name'), 'Quay');
    await loseSession();
    act(() => closeEverything());
    const module = await compileForm(form);
    act(() => void openDialog('form', { module, start: {}, target: { id: 8 } }));
    await waitFor(() => expect(value('Name')).toBe(''));
    expect(draftsOf(6)).toEqual([]);
    expect(draftsOf(5)).toEqual([]);
  });

  test('are not kept when nothing was entered', async () => {
    await signInAs(5);
    await openTestForm(form);
    await loseSession();
    expect(draftsOf(5)).toEqual([]);
  });

  test('are offered after signing in again, and open their form with its record', async () => {
    await signInAs(5);
    await renderConsole(<p>Page</p>);
    const user = userEvent.setup();
    const { openForm } = await import('./index.ts');
    act(() => void openForm('tags/edit', { record: { id: 3 } }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2');
    await loseSession();
    act(() => closeEverything());
    act(() => offerDrafts(5));
    const toast = (await screen.findByText(/^Your entries in ".+" were saved$/)).closest('[role="status"]');
    await user.click(within(toast instanceof HTMLElement ? toast : document.body).getByRole('button', { name: 'Continue' }));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('ferry 2');
    expect(screen.getByText('Your entries were saved')).toBeTruthy();
  });
});

test('passwords and files are left out of a draft at any depth', () => {
  const ui = { 'wifi.key': { 'ui:widget': 'password' }, image: { 'ui:widget': 'file' } } as const;
  expect(withoutSecrets({ name: 'x', image: 'file-1', wifi: { key: 'k', ssid: 's', on: true }, list: [1] }, ui)).toEqual({
    name: 'x',
    wifi: { ssid: 's', on: true },
    list: [1],
  });
});

test('entries in the tray do not hold back another page, and are still there on it [F4]', async () => {
  await signInAs(5);
  const module = await compileForm(form);
  const { router } = await renderConsole(<p>Page</p>);
  const user = userEvent.setup();
  act(() => void openDialog('form', { module, start: {}, target: {} }));
  await user.type(await screen.findByLabelText('Name'), 'draft');
  await user.click(screen.getByRole('button', { name: 'Minimise' }));
  await act(() => router.navigate('/elsewhere'));
  expect(router.state.location.pathname).toBe('/elsewhere');
  await user.click(screen.getByRole('button', { name: 'Test form' }));
  expect(value('Name')).toBe('draft');
});

test('a password that a uiSchema or a format names, in a list or a choice too, is never kept [F6]', () => {
  const form = makeForm({
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        pin: { type: 'string' },
        users: { type: 'array', items: { type: 'object', properties: { secret: { type: 'string', format: 'password' } } } },
      },
      oneOf: [{ properties: { key: { type: 'string', format: 'password' } } }, { properties: { level: { type: 'integer' } } }],
    },
    uiSchema: { pin: { 'ui:widget': 'PasswordWidget' } },
  });
  expect(keepableData(form, { name: 'quay', pin: '1', users: [{ secret: '2' }], key: '3' })).toEqual({ name: 'quay' });
});
