import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { closeEverything, describedBy, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { Answerer, TestServer } from './test-kit.tsx';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';

const form = makeForm({
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 3 },
      email: { type: 'string' },
      password: { type: 'string' },
      password_confirmation: { type: 'string' },
    },
  },
  ui: {
    name: { 'ui:label': { en: 'Name' } },
    email: { 'ui:label': { en: 'E-mail' } },
    password: { 'ui:widget': 'password', 'ui:label': { en: 'Password' } },
    password_confirmation: { 'ui:widget': 'password', 'ui:label': { en: 'Again' }, 'ui:autocomplete': 'current-password' },
  },
  submit: { method: 'PUT', path: '/things/{id}', success: { then: 'close' }, errors: { fields: { mail: 'email' } } },
});

let server: TestServer;
afterEach(async () => {
  closeEverything();
  await server.close();
});

/** Refuses with these items until there are none left, then accepts. */
function refusing(...answers: { status: number; errors: ErrorItem[] }[]): Answerer {
  return () => {
    const next = answers.shift();
    return next ? { status: next.status, body: { success: false, errors: next.errors } } : { body: { success: true, data: { id: 7 } } };
  };
}

async function fill(user: Awaited<ReturnType<typeof openTestForm>>['user'], values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await user.type(screen.getByLabelText(new RegExp(`^${label}`)), value);
}

describe('what the server refuses [F3]', () => {
  test('is shown at its field, the focus goes there, and editing one field clears only that field', async () => {
    server = await startTestServer(
      refusing({
        status: 409,
        errors: [
          { code: 'ODD', message: 'Name is taken', source: 'name' },
          { code: 'ODD', message: 'E-mail is taken', source: 'mail' },
        ],
      }),
    );
    const { user } = await openTestForm(form, { target: { id: 7 } });
    await fill(user, { Name: 'Quay', 'E-mail': 'a@b.example' });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
    const email = screen.getByRole<HTMLInputElement>('textbox', { name: 'E-mail' });
    await within(screen.getByRole('dialog')).findByRole('alert');
    await waitFor(() => expect(document.activeElement).toBe(name));
    expect(describedBy(name)).toBe('Name is taken');
    expect(describedBy(email)).toBe('E-mail is taken');
    await user.type(name, 's');
    expect(describedBy(name)).toBe('');
    expect(describedBy(email)).toBe('E-mail is taken');
    expect([name.value, email.value]).toEqual(['Quays', 'a@b.example']);
  });

  test('of a bulk payload is shown at the field that is the third part of the source', async () => {
    server = await startTestServer(refusing({ status: 400, errors: [{ code: 'ODD', message: 'No such name', source: 'data.3.name' }] }));
    const { user } = await openTestForm(form, { target: { id: 7 } });
    await fill(user, { Name: 'Quay' });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await screen.findByText('No such name');
    expect(describedBy(screen.getByRole('textbox', { name: 'Name' }))).toBe('No such name');
  });

  test('about a password marks and empties its confirmation, without a second text', async () => {
    server = await startTestServer(refusing({ status: 400, errors: [{ code: 'ODD', message: 'Too well known', source: 'password' }] }));
    const { user } = await openTestForm(form, { target: { id: 7 } });
    await fill(user, { Name: 'Quay', Password: 'password', Again: 'password' });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await screen.findByText('Too well known');
    const again = screen.getByLabelText<HTMLInputElement>(/^Again/);
    expect(again.value).toBe('');
    expect(again.getAttribute('aria-invalid')).toBe('true');
    expect(describedBy(again)).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>(/^Password/).value).toBe('password');
  });

  test('and belongs to no field is shown above the fields, and nothing entered is lost', async () => {
    server = await startTestServer(refusing({ status: 409, errors: [{ code: 'ODD', message: 'Somebody was faster' }] }));
    const { user, result } = await openTestForm(form, { target: { id: 7 } });
    await fill(user, { Name: 'Quay' });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toBe('Somebody was faster');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Quay');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect((await result)?.data).toEqual({ id: 7 });
    expect(server.calls.map((call) => `${call.method} ${call.path}`)).toEqual(['PUT /things/7', 'PUT /things/7']);
  });

  test('with no words at all gets words', async () => {
    server = await startTestServer(() => ({ status: 500, body: { success: false } }));
    const { user } = await openTestForm(form, { target: { id: 7 } });
    await fill(user, { Name: 'Quay' });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toMatch(/\w+/);
  });

  test('that did not come from our server is shown in words of the console', async () => {
    server = await startTestServer(() => ({ status: 502, body: { success: false } }));
    const { user } = await openTestForm({ ...form, submit: { method: 'POST', path: '/things', success: {} } });
    await fill(user, { Name: 'Quay' });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toBe('Failed to send request. Try again later');
  });
});

test('a 401 is renewed and the same payload sent once more [F6]', async () => {
  let isFirst = true;
  server = await startTestServer((call) => {
    if (call.path === '/account/token/refresh') return { body: { success: true, data: null } };
    if (!isFirst) return { body: { success: true, data: { id: 7 } } };
    isFirst = false;
    return { status: 401, body: { success: false, errors: [{ code: 'UNAUTHORIZED', message: 'Sign in to continue.' }] } };
  });
  const { user, result } = await openTestForm(form, { target: { id: 7 } });
  await fill(user, { Name: 'Quay' });
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect((await result)?.data).toEqual({ id: 7 });
  const sent = server.calls.filter((call) => call.path === '/things/7');
  expect(sent.map((call) => call.body)).toEqual([{ name: 'Quay' }, { name: 'Quay' }]);
});
