import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { loadUser } from '../../kernel/session/index.ts';
import FormPage from './FormPage.tsx';
import { closeEverything, renderConsole, startTestServer } from './test-kit.tsx';
import type { TestServer } from './test-kit.tsx';

let server: TestServer;
afterEach(async () => {
  closeEverything();
  await server.close();
});

async function openPage(path: string, permissions: string[]): Promise<Awaited<ReturnType<typeof renderConsole>>['router']> {
  server = await startTestServer(({ path: asked, method }) => {
    if (asked === '/user') return { body: { success: true, data: { id: 1, permissions } } };
    if (method === 'GET')
      return { body: { success: true, data: { id: 3, name: 'ferry', description: null, color: '#0958d9', devices_count: 4 } } };
    return { body: { success: true, data: null } };
  });
  await loadUser();
  return (await renderConsole(<FormPage />, path, '/forms/*')).router;
}

test('a form page is filled from its record, sends only its fields, and goes back one page', async () => {
  const router = await openPage('/forms/tags/edit/3', ['update_tags']);
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('ferry');
  const user = userEvent.setup();
  await user.type(name, ' 2');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/start'));
  expect(server.calls.at(-1)).toMatchObject({ method: 'PUT', path: '/tags/3', body: { name: 'ferry 2', color: '#0958d9' } });
});

test('a form page of somebody without the right says so, and asks for no record: that would be noted as an attempt', async () => {
  await openPage('/forms/tags/edit/3', []);
  expect(await screen.findByText('You do not have permission to use this form')).toBeTruthy();
  expect(server.calls.map(({ path }) => path)).not.toContain('/tags/3');
});

test('an unknown form says so', async () => {
  await openPage('/forms/no/such', []);
  expect(await screen.findByText('Form not found')).toBeTruthy();
});

test('a form for chosen devices says where to choose them when it is opened without any', async () => {
  await openPage('/forms/devices/run-command', ['execute_device_commands']);
  expect(await screen.findByText('This form needs selected devices')).toBeTruthy();
});
