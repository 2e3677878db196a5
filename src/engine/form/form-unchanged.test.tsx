import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeEverything, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { TestServer } from './test-kit.tsx';

const UNCHANGED = 'Please input different value to save changes.';
const form = makeForm({
  schema: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1, maxLength: 20 } } },
  ui: { name: { 'ui:label': { en: 'Name' } } },
  submit: { method: 'PUT', path: '/things', unchanged: { en: UNCHANGED }, success: { message: { en: 'It is done' }, then: 'close' } },
});

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
});
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

test('a form that says so sends nothing while nothing was changed, and tells why', async () => {
  const { user } = await openTestForm(form, { record: { name: 'Fjordline' } });
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(UNCHANGED)).toBeTruthy();
  expect(server.calls).toEqual([]);
  await user.type(screen.getByLabelText(/^Name/), ' Nord');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('It is done')).toBeTruthy();
  expect(server.calls.map((call) => call.body)).toEqual([{ name: 'Fjordline Nord' }]);
});
