import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { loadUser } from '../../kernel/session/index.ts';
import { openForm } from './open-form.ts';
import { closeEverything, renderConsole, startTestServer, type TestServer } from './test-kit.tsx';

let server: TestServer;
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

/** Opens the form of a tag that others change through what is answered. */
async function openTag() {
  const tag = { id: 3, name: 'ferry', description: 'of the quay', color: '#0958d9' };
  const sent: unknown[] = [];
  let isThere = true;
  server = await startTestServer(({ path, method, body }) => {
    if (path === '/user') return { body: { success: true, data: { id: 5, permissions: ['update_tags'] } } };
    if (method === 'PUT') {
      sent.push(body);
      return { body: { success: true, data: { id: 3 } } };
    }
    if (path === '/tags/3' && isThere) return { body: { success: true, data: { ...tag } } };
    return { status: 404, body: { success: false, errors: [{ code: 'NOT_FOUND', message: 'Not found' }] } };
  });
  await loadUser();
  await renderConsole(<p>Page</p>);
  const user = userEvent.setup();
  act(() => void openForm('tags/edit', { record: { id: 3 } }));
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  const rename = async (to: string): Promise<void> => {
    await user.clear(name);
    await user.type(name, to);
  };
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  const remove = (): void => void (isThere = false);
  return { tag, sent, name, rename, save, remove };
}

test('a field that was changed here and elsewhere says so, and keeps the entry, which a second attempt saves [F3]', async () => {
  const { tag, sent, name, rename, save } = await openTag();
  await rename('boat');
  tag.name = 'ship';
  await save();
  expect(await screen.findByText(/^Somebody else changed this to “ship” while the form was open/)).toBeTruthy();
  expect([name.value, sent]).toEqual(['boat', []]);
  await save();
  await waitFor(() => expect(sent).toMatchObject([{ name: 'boat' }]));
});

test('a field that was changed elsewhere only is not put back', async () => {
  const { tag, sent, rename, save } = await openTag();
  await rename('boat');
  tag.description = 'of the pier';
  await save();
  await waitFor(() => expect(sent).toMatchObject([{ name: 'boat', description: 'of the pier', color: '#0958d9' }]));
});

test('a record that went meanwhile is told by the answer to saving', async () => {
  const { sent, rename, save, remove } = await openTag();
  await rename('ferry 2');
  remove();
  await save();
  await waitFor(() => expect(sent).toMatchObject([{ name: 'ferry 2' }]));
});
