import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadUser } from '../../kernel/session/index.ts';
import { chooseOption, chosenOf } from '../../ui/test-kit.ts';
import { closeEverything, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { Answerer, TestServer } from './test-kit.tsx';

let server: TestServer | undefined;
afterEach(async () => {
  closeEverything();
  await server?.close();
  server = undefined;
});

const accept: Answerer = () => ({ body: { success: true, data: null } });

describe('a field that depends on another [F5]', () => {
  const form = makeForm({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['kind'],
      properties: { kind: { type: 'string', enum: ['free', 'paid'] }, price: { type: 'number' }, note: { type: 'string' } },
    },
    fields: { price: { depends: { kind: ['paid'] }, required: true } },
    ui: {
      kind: { 'ui:widget': 'radio', 'ui:label': { en: 'Kind' }, 'ui:options': { labels: { free: { en: 'Free' }, paid: { en: 'Paid' } } } },
      price: { 'ui:label': { en: 'Price' } },
      note: { 'ui:label': { en: 'Note' } },
    },
  });

  test('appears with its condition, is asked for then, and its value is not sent once it is hidden', async () => {
    server = await startTestServer(accept);
    const { user, result } = await openTestForm(form);
    expect(screen.queryByLabelText(/^Price/)).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Paid' }));
    await user.click(screen.getByRole('button', { name: 'Send' }));
    const price = screen.getByRole('textbox', { name: 'Price' });
    expect(document.activeElement).toBe(price);
    expect(server.calls).toEqual([]);
    await user.type(price, '12');
    await user.click(screen.getByRole('radio', { name: 'Free' }));
    expect(screen.queryByLabelText(/^Price/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await result;
    expect(server.calls[0]?.body).toEqual({ kind: 'free' });
  });

  test('is announced when it comes and when it goes', async () => {
    server = await startTestServer(accept);
    const { user } = await openTestForm(form);
    expect(screen.queryByText(/hown/)).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Paid' }));
    expect((await screen.findByText('Shown now: Price.')).closest('[role="status"]')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Free' }));
    await screen.findByText('No longer shown: Price.');
  });

  test('comes back empty, between its neighbours', async () => {
    server = await startTestServer(accept);
    const { user } = await openTestForm(form);
    await user.click(screen.getByRole('radio', { name: 'Paid' }));
    await user.type(screen.getByRole('textbox', { name: 'Price' }), '12');
    await user.click(screen.getByRole('radio', { name: 'Free' }));
    await user.click(screen.getByRole('radio', { name: 'Paid' }));
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Price' }).value).toBe('');
    expect(screen.getAllByRole('textbox').map((field) => field.id.split('-').at(-1))).toEqual(['price', 'note']);
  });
});

describe('a lookup [F5]', () => {
  const rows = Array.from({ length: 160 }, (_, index) => ({
    id: index + 1,
    name: `Company ${String(index + 1).padStart(3, '0')}`,
    parent_name: 'Root',
  }));
  const lookupServer: Answerer = ({ path, query }) => {
    if (path !== '/companies') return { body: { success: true, data: null } };
    const ids = query['id']?.split(',').map(Number);
    const found = rows.filter((row) => (ids ? ids.includes(row.id) : row.name.toLowerCase().includes((query['q'] ?? '').toLowerCase())));
    const offset = Number(query['offset'] ?? 0);
    return { body: { success: true, data: found.slice(offset, offset + Number(query['limit'] ?? 10)), meta: { total: found.length } } };
  };
  const single = makeForm({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['company_id'],
      properties: { company_id: { type: 'integer', minimum: 1 } },
    },
    ui: { company_id: { 'ui:widget': 'lookup', 'ui:label': { en: 'Company' }, 'ui:options': { lookup: 'companies' } } },
  });

  test('shows the chosen record by name though it is on no page that was loaded', async () => {
    server = await startTestServer(lookupServer);
    await openTestForm(single, { record: { company_id: 157 } });
    await waitFor(() => expect(chosenOf(screen.getByRole('combobox'))).toBe('Company 157'));
    expect(server.calls.map((call) => call.query['id'])).toEqual(['157']);
  });

  test('loads page after page, searches on the server, and chooses by the keyboard', async () => {
    server = await startTestServer(lookupServer);
    const { user, result } = await openTestForm(single);
    const box = screen.getByRole('combobox', { name: 'Company' });
    await user.click(box);
    const list = await screen.findByRole('listbox', { name: 'Company' });
    expect(within(list).getAllByRole('option').length).toBe(100);
    expect(box.getAttribute('aria-controls')).toBe(list.id);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(screen.getAllByRole('option').length).toBe(160));
    await user.type(box, '042');
    await waitFor(() => expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Company 042Root']));
    await user.keyboard('{ArrowDown}');
    expect(document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent).toBe('Company 042Root');
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(chosenOf(screen.getByRole('combobox'))).toBe('Company 042');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await result;
    expect(server.calls.at(-1)?.body).toEqual({ company_id: 42 });
  });

  test('says that it loads, when nothing is found, and when the list failed, with a way to try again', async () => {
    let isBroken = true;
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    server = await startTestServer(async (call) => {
      await isReleased;
      return isBroken ? { status: 500, body: { success: false } } : lookupServer(call);
    });
    const { user } = await openTestForm(single);
    await user.click(screen.getByRole('combobox'));
    expect((await screen.findAllByText('Loading …')).length).toBeGreaterThan(0);
    release();
    const retry = await screen.findByRole('button', { name: 'Try again' });
    isBroken = false;
    await user.click(retry);
    await screen.findByRole('listbox');
    await user.type(screen.getByRole('combobox'), 'zzz');
    await waitFor(() => expect(screen.getAllByText('Nothing found').length).toBeGreaterThan(0));
  });

  test('creates a record that is not in the list, and chooses it', async () => {
    const made = { id: 9, name: 'needs visit', company_name: 'Root', color: '#d4380d' };
    server = await startTestServer(({ method, path, body }) => {
      if (path === '/tags' && method === 'POST') return { status: 201, body: { success: true, data: { ...made, ...(body as object) } } };
      if (path === '/user')
        return { body: { success: true, data: { id: 1, company: rows[0], permissions: ['view_tags', 'create_tags'] } } };
      return { body: { success: true, data: path === '/companies' ? rows.slice(0, 1) : [], meta: { total: 0 } } };
    });
    await loadUser();
    const tags = makeForm({
      schema: { type: 'object', properties: { tag_id: { type: 'array', items: { type: 'integer' } } }, required: ['tag_id'] },
      ui: { tag_id: { 'ui:widget': 'lookup', 'ui:label': { en: 'Tags' }, 'ui:options': { lookup: 'tags', multiple: true } } },
    });
    const { user, result } = await openTestForm(tags);
    await user.type(screen.getByRole('combobox', { name: 'Tags' }), 'needs visit');
    await screen.findByRole('option', { name: 'Create “needs visit”' });
    await user.keyboard('{Enter}');
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('needs visit');
    await user.click(screen.getByRole('button', { name: 'Create tag' }));
    await screen.findByRole('button', { name: 'Remove needs visit' });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await result;
    expect(server.calls.at(-1)?.body).toEqual({ tag_id: [9] });
  });

  test('Escape closes the list first, and the dialog only after that [D1]', async () => {
    server = await startTestServer(lookupServer);
    const { user } = await openTestForm(single);
    await user.click(screen.getByRole('combobox'));
    await screen.findByRole('listbox');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(screen.getByRole('dialog')).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('of several keeps them as chips; Backspace takes the last one away', async () => {
    server = await startTestServer(lookupServer);
    const several = makeForm({
      schema: {
        type: 'object',
        properties: { tag_id: { type: 'array', items: { type: 'integer' }, minItems: 1, uniqueItems: true } },
        required: ['tag_id'],
      },
      ui: { tag_id: { 'ui:widget': 'lookup', 'ui:label': { en: 'Tags' }, 'ui:options': { lookup: 'companies', multiple: true } } },
    });
    const { user, result } = await openTestForm(several);
    await user.click(screen.getByRole('combobox', { name: 'Tags' }));
    await user.click(await screen.findByRole('option', { name: /Company 003/ }));
    await user.click(screen.getByRole('option', { name: /Company 001/ }));
    expect(screen.getByRole('button', { name: 'Remove Company 003' })).toBeTruthy();
    await user.keyboard('{Backspace}');
    expect(screen.queryByRole('button', { name: 'Remove Company 001' })).toBeNull();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await result;
    expect(server.calls.at(-1)?.body).toEqual({ tag_id: [3] });
  });
});

describe('a password field [F7]', () => {
  const form = makeForm({
    schema: { type: 'object', properties: { password: { type: 'string', maxLength: 200 } } },
    ui: { password: { 'ui:widget': 'password', 'ui:label': { en: 'Password' } } },
  });

  test('shows and hides, generates 16 characters and copies them; pasted blanks stay', async () => {
    const { user } = await openTestForm(form);
    const field = screen.getByLabelText<HTMLInputElement>(/^Password/);
    expect(field.type).toBe('password');
    await user.click(field);
    await user.paste(' a b ');
    expect(field.value).toBe(' a b ');
    await user.click(screen.getByRole('button', { name: 'Generate a password' }));
    expect(field.value).toMatch(/^[A-Za-z0-9\-_.!#%+=]{16}$/);
    expect(field.type).toBe('text');
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(field.value);
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(field.type).toBe('password');
  });

  test('is made by the system generator', async () => {
    const spy = vi.spyOn(crypto, 'getRandomValues');
    const { user } = await openTestForm(form);
    await user.click(screen.getByRole('button', { name: 'Generate a password' }));
    expect(spy).toHaveBeenCalled();
    spy.mockRestore();
  });
});

test('every other kind of field has its value sent', async () => {
  server = await startTestServer(accept);
  const { user, result } = await openTestForm(
    makeForm({
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          level: { type: 'integer', enum: [1, 2] },
          days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] }, uniqueItems: true },
          on: { type: 'boolean' },
          color: { type: 'string', format: 'color' },
          text: { type: 'string' },
          secret: { type: 'string', default: 'kept' },
        },
      },
      ui: {
        level: { 'ui:label': { en: 'Level' } },
        days: { 'ui:label': { en: 'Days' }, 'ui:options': { labels: {} } },
        on: { 'ui:label': { en: 'On' } },
        color: { 'ui:widget': 'color', 'ui:label': { en: 'Colour' } },
        text: { 'ui:widget': 'textarea', 'ui:label': { en: 'Text' } },
        secret: { 'ui:widget': 'hidden' },
      },
    }),
  );
  await chooseOption(user, screen.getByRole('combobox', { name: 'Level' }), '2');
  await user.click(screen.getByRole('combobox', { name: 'Days' }));
  await user.click(screen.getByRole('option', { name: 'tue' }));
  await user.click(screen.getByRole('checkbox', { name: 'On' }));
  await user.type(screen.getByRole('textbox', { name: 'Colour' }), '#0958d9');
  await user.type(screen.getByRole('textbox', { name: 'Text' }), 'two{Enter}lines');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await result;
  expect(server.calls[0]?.body).toEqual({ level: 2, days: ['tue'], on: true, color: '#0958d9', text: 'two\nlines', secret: 'kept' });
});

test('a field that is going away says so, and what to use instead [G5]', async () => {
  server = await startTestServer(accept);
  await openTestForm(
    makeForm({
      schema: { type: 'object', additionalProperties: false, properties: { old: { type: 'string', maxLength: 20 } } },
      fields: { old: { deprecated: { en: 'Use the new name.' } } },
      ui: { old: { 'ui:label': { en: 'Old name' }, 'ui:subtext': { en: 'As before.' } } },
    }),
  );
  const control = screen.getByRole('textbox', { name: 'Old name' });
  const description = document.getElementById(control.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('As before. Use the new name.');
});
