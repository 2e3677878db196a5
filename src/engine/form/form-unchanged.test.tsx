import { act, screen, within } from '@testing-library/react';
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

test('a form with this option sends nothing while nothing was changed, and says why', async () => {
  const { user } = await openTestForm(form, { record: { name: 'Fjordline' } });
  await user.click(screen.getByRole('button', { name: 'Send' }));
  const field = screen.getByRole('textbox', { name: /^Name/, description: UNCHANGED });
  expect(document.activeElement).toBe(field);
  expect(server.calls).toEqual([]);
  await user.type(field, ' Nord');
  expect(screen.queryByText(UNCHANGED)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('It is done')).toBeTruthy();
  expect(server.calls.map((call) => call.body)).toEqual([{ name: 'Fjordline Nord' }]);
});

test('with several fields it is said beside the form', async () => {
  const pair = makeForm({
    ...form,
    schema: { ...form.schema, properties: { ...form.schema.properties, note: { type: 'string' } } },
    ui: { ...form.ui, note: { 'ui:label': { en: 'Note' } } },
  });
  const { user } = await openTestForm(pair, { record: { name: 'Fjordline' } });
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect((await screen.findByRole('alert')).textContent).toContain(UNCHANGED);
  expect(server.calls).toEqual([]);
});

test('what is to be typed is asked for first; anything else sends nothing', async () => {
  const removal = makeForm({
    ...form,
    danger: true,
    submit: { method: 'DELETE', path: '/things', typed: 'title', success: { message: { en: 'It is done' }, then: 'close' } },
  });
  const { user, result } = await openTestForm(removal, { record: { name: 'Fjordline', title: 'Fjordline AS' } });
  await user.click(screen.getByRole('button', { name: 'Send' }));
  const question = await screen.findByRole('alertdialog');
  const field = within(question).getByRole('textbox', { name: /^Type Fjordline AS/ });
  await user.type(field, 'Fjordline');
  await user.click(within(question).getByRole('button', { name: 'Send' }));
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(server.calls).toEqual([]);
  await user.type(field, ' AS');
  await user.click(within(question).getByRole('button', { name: 'Send' }));
  await result;
  expect(server.calls.map((call) => call.body)).toEqual([{ name: 'Fjordline' }]);
});
