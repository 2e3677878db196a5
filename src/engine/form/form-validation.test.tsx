import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeEverything, describedBy, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { TestServer } from './test-kit.tsx';

const form = makeForm({
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'price'],
    properties: {
      name: { type: 'string', minLength: 3, maxLength: 64 },
      price: { type: 'number', minimum: 0, multipleOf: 0.01 },
      note: { type: 'string', maxLength: 10 },
    },
  },
  ui: {
    name: { 'ui:label': { en: 'Name' }, 'ui:hint': { en: 'As on the door' } },
    price: { 'ui:label': { en: 'Price' } },
    note: { 'ui:label': { en: 'Note' } },
  },
});

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(() => ({ status: 201, body: { success: true, data: { id: 1 } } }));
});
afterEach(async () => {
  closeEverything();
  await server.close();
});

describe('when a field is checked [F1]', () => {
  test('not on the first key, but when the field is left, and then on every change until it is right', async () => {
    const { user } = await openTestForm(form);
    const name = screen.getByRole('textbox', { name: 'Name' });
    await user.type(name, 'ab');
    expect(name.getAttribute('aria-invalid')).not.toBe('true');
    await user.tab();
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(describedBy(name)).toBe('Use 3 to 64 characters. | As on the door');
    await user.type(name, 'c');
    expect(name.getAttribute('aria-invalid')).not.toBe('true');
    expect(describedBy(name)).toBe('As on the door');
    await user.type(name, '{Backspace}');
    expect(name.getAttribute('aria-invalid')).not.toBe('true');
  });

  test('not when one only passes through it', async () => {
    const { user } = await openTestForm(form);
    await user.click(screen.getByRole('textbox', { name: 'Name' }));
    await user.tab();
    expect(screen.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).not.toBe('true');
  });

  test('the message says what to do, with an example', async () => {
    const { user } = await openTestForm(form);
    await user.type(screen.getByRole('textbox', { name: 'Price' }), '19,995');
    await user.tab();
    expect(describedBy(screen.getByRole('textbox', { name: 'Price' }))).toBe(
      'Use at most two decimals, for example 19.99'.replace('two', '2'),
    );
  });

  test('what is no number stays as typed and is refused', async () => {
    const { user } = await openTestForm(form);
    const price = screen.getByRole<HTMLInputElement>('textbox', { name: 'Price' });
    await user.type(price, '12 apples');
    await user.tab();
    expect(price.value).toBe('12 apples');
    expect(describedBy(price)).toBe('Enter a number.');
  });

  test('label, required mark, hint and error are tied to the control', async () => {
    await openTestForm(form);
    const name = screen.getByRole('textbox', { name: 'Name' });
    expect(name.getAttribute('aria-required')).toBe('true');
    expect(screen.getByRole('textbox', { name: 'Note' }).getAttribute('aria-required')).toBeNull();
    expect(describedBy(name)).toBe('As on the door');
  });
});

test('a tick is marked as required only where it must be set, for leaving it out is an answer too', async () => {
  const ticks = makeForm({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['shared', 'agreed'],
      properties: { shared: { type: 'boolean' }, agreed: { type: 'boolean', const: true } },
    },
    ui: {
      shared: { 'ui:widget': 'checkbox', 'ui:label': { en: 'Shared' } },
      agreed: { 'ui:widget': 'checkbox', 'ui:label': { en: 'Agreed' } },
    },
  });
  await openTestForm(ticks);
  const marks = ['Shared', 'Agreed'].map((name) => screen.getByRole('checkbox', { name }).getAttribute('aria-required'));
  expect(marks).toEqual([null, 'true']);
});

describe('a refused attempt [F2]', () => {
  test('focuses the first wrong field, lists them with links when there are several, and sends nothing', async () => {
    const { user } = await openTestForm(form);
    const send = screen.getByRole('button', { name: 'Send' });
    expect(send.hasAttribute('disabled')).toBe(false);
    await user.click(send);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
    const summary = screen.getByRole('alert');
    expect(within(summary).getByText('2 fields need your attention')).toBeTruthy();
    await user.click(within(summary).getByRole('link', { name: 'Price' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Price' }));
    expect(server.calls).toEqual([]);
  });

  test('with one wrong field there is no summary', async () => {
    const { user } = await openTestForm(form);
    await user.type(screen.getByRole('textbox', { name: 'Price' }), '5');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
  });

  test('Enter in a field sends, and text is sent trimmed', async () => {
    const { user, result } = await openTestForm(form);
    await user.type(screen.getByRole('textbox', { name: 'Price' }), '19.99');
    await user.type(screen.getByRole('textbox', { name: 'Name' }), '  Quay 4 {Enter}');
    expect((await result)?.data).toEqual({ id: 1 });
    expect(server.calls).toEqual([{ method: 'POST', path: '/things', query: {}, body: { name: 'Quay 4', price: 19.99 } }]);
    expect(await screen.findByText('It is done')).toBeTruthy();
  });

  test('a second submit while waiting is ignored', async () => {
    let release = (): void => undefined;
    await server.close();
    server = await startTestServer(async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { body: { success: true, data: null } };
    });
    const { user, result } = await openTestForm(form);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Quay');
    await user.type(screen.getByRole('textbox', { name: 'Price' }), '1');
    const send = screen.getByRole('button', { name: 'Send' });
    await user.dblClick(send);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), '{Enter}');
    await waitFor(() => expect(server.calls.length).toBe(1));
    expect(send.getAttribute('aria-busy')).toBe('true');
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeTruthy();
    release();
    await result;
    expect(server.calls.length).toBe(1);
  });
});

test('pasted text is trimmed and cut to the greatest length [F1]', async () => {
  const { user } = await openTestForm(form);
  const note = screen.getByRole<HTMLInputElement>('textbox', { name: 'Note' });
  await user.click(note);
  await user.paste('  a very long note  ');
  expect(note.value).toBe('a very lon');
});
