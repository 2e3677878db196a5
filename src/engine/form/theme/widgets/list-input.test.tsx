import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { closeEverything, describedBy, makeForm, openTestForm, startTestServer } from '../../test-kit.tsx';
import type { FieldUi, JsonSchema } from '../../../../../schemas/kit/form/types.ts';
import type { TestServer } from '../../test-kit.tsx';

let server: TestServer | undefined;
afterEach(async () => {
  closeEverything();
  await server?.close();
  server = undefined;
});

function listForm(schema: JsonSchema, options: FieldUi['ui:options'] = {}) {
  return makeForm({
    schema: { type: 'object', additionalProperties: false, properties: { ports: { type: 'array', maxItems: 100, ...schema } } },
    ui: { ports: { 'ui:widget': 'list-input', 'ui:label': { en: 'Ports' }, 'ui:options': options } },
  });
}

async function openList(schema: JsonSchema, options?: FieldUi['ui:options']) {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  const { user, result } = await openTestForm(listForm(schema, options));
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Ports' });
  const chips = () => screen.queryAllByRole('listitem').map((item) => item.textContent.trim());
  const send = async () => {
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await result;
    return server?.calls[0]?.body;
  };
  return { user, input, chips, send };
}

const texts: JsonSchema = { items: { type: 'string', maxLength: 10, pattern: '^[a-z0-9]+$' } };

function csv(content: string, name = 'ports.csv') {
  return new File([content], name, { type: name.endsWith('.csv') ? 'text/csv' : 'text/plain' });
}

async function upload(user: Awaited<ReturnType<typeof openList>>['user'], file: File) {
  const chooser = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!chooser) throw new Error('There is no file chooser.');
  await user.upload(chooser, file);
}

describe('a list input [F10]', () => {
  test('adds with Enter, comma and leaving it; blank items are ignored; all is sent', async () => {
    const { user, input, chips, send } = await openList(texts);
    await user.type(input, 'wan{Enter}lan, ,');
    expect(chips()).toEqual(['wan', 'lan']);
    expect(input.value.trim()).toBe('');
    await user.type(input, 'dmz');
    expect(await send()).toEqual({ ports: ['wan', 'lan', 'dmz'] });
  });

  test('adds with the keys that the form names, and with no other', async () => {
    const { user, input, chips } = await openList({ items: { type: 'string', maxLength: 10 } }, { addKeys: ['semicolon', 'Tab'] });
    await user.type(input, 'a,b;c');
    await user.tab();
    expect(chips()).toEqual(['a,b', 'c']);
    expect(document.activeElement).toBe(input);
  });

  test('Backspace in the empty text removes the last one, and a chip has a button of its own', async () => {
    const { user, input, chips } = await openList(texts);
    await user.type(input, 'a,b,c,{Backspace}');
    expect(chips()).toEqual(['a', 'b']);
    await user.click(screen.getByRole('button', { name: 'Remove a' }));
    expect(chips()).toEqual(['b']);
    expect(document.activeElement).toBe(input);
    expect(screen.getByRole('list', { name: 'Ports: 1 item' })).toBeTruthy();
  });

  test('takes numbers as numbers; what is none stays in the text with the reason', async () => {
    const { user, input, chips, send } = await openList({ items: { type: 'integer', minimum: 1, maximum: 65535 } });
    await user.type(input, '22,x,');
    expect(chips()).toEqual(['22']);
    expect(input.value).toBe('x');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(describedBy(input)).toContain('x: Enter a whole number.');
    await user.clear(input);
    await user.type(input, '70000{Enter}');
    expect(describedBy(input)).toContain('Enter a number from 1 to 65,535.');
    await user.clear(input);
    await user.type(input, '443');
    expect(await send()).toEqual({ ports: [22, 443] });
  });

  test('what is wrong when the field is left becomes a marked chip: neither lost nor sent', async () => {
    const { user, input, chips } = await openList(texts);
    await user.type(input, 'ok,B@D');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(chips()).toEqual(['ok', 'B@D']);
    expect(server?.calls).toEqual([]);
    expect(describedBy(input)).toContain('B@D: This does not have the expected format.');
    await user.click(screen.getByRole('button', { name: 'Edit B@D' }));
    expect(input.value).toBe('B@D');
    expect(chips()).toEqual(['ok']);
  });

  test('names repeated items; with noDupes a repeated item is not added', async () => {
    const { user, input } = await openList({ ...texts, uniqueItems: true });
    await user.type(input, 'wan,lan,wan,');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(describedBy(input)).toContain('Each may appear only once. Repeated: wan');
    expect(screen.getByRole('button', { name: 'Edit wan' })).toBeTruthy();
    closeEverything();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('with noDupes a repeated item is reported and not added', async () => {
    const { user, input, chips } = await openList({ ...texts, uniqueItems: true }, { noDupes: true });
    await user.type(input, 'wan,lan,wan,');
    expect(chips()).toEqual(['wan', 'lan']);
    expect(screen.getByText('Already in the list: wan')).toBeTruthy();
  });

  test('stops at the most it may hold and says what was not added', async () => {
    const { user, input, chips } = await openList({ ...texts, maxItems: 2 });
    await user.click(input);
    await user.paste('a\nb\nc\nd');
    expect(chips()).toEqual(['a', 'b']);
    expect(input.value).toBe('c, d');
    expect(screen.getByText('The list holds 2 items at most. Not added: c, d')).toBeTruthy();
  });

  test('takes a paste of many, from a spreadsheet too, and normalises spellings', async () => {
    const { user, input, chips } = await openList({ items: { type: 'string', format: 'mac' } });
    await user.click(input);
    await user.paste('AA-BB-CC-DD-EE-FF\t001e.42ab.cdef\nnope\n');
    expect(chips()).toEqual(['AA:BB:CC:DD:EE:FF', '00:1E:42:AB:CD:EF']);
    expect(input.value).toBe('nope');
  });

  test('Enter in the empty text sends the form', async () => {
    const { user, input } = await openList(texts);
    await user.type(input, 'wan{Enter}');
    expect(server?.calls).toEqual([]);
    await user.type(input, '{Enter}');
    await waitFor(() => expect(server?.calls[0]?.body).toEqual({ ports: ['wan'] }));
  });
});

describe('a list from a CSV file [F10]', () => {
  test('is shown before it is added, with each wrong line; blank lines are skipped', async () => {
    const { user, input, chips } = await openList(texts, { showCsvUpload: true });
    await user.type(input, 'wan,');
    await upload(user, csv('lan\n\n"b\nad"\nwan\n   \ndmz;guest\n'));
    const preview = await screen.findByRole('group', { name: 'Preview of ports.csv' });
    expect(
      within(preview)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['lan', 'dmz', 'guest']);
    expect(
      within(preview)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Line 3: b\nad: This does not have the expected format.', 'Line 5: Already in the list: wan']);
    expect(chips().slice(0, 1)).toEqual(['wan']);
    await user.click(within(preview).getByRole('button', { name: 'Add 3' }));
    expect(chips()).toEqual(['wan', 'lan', 'dmz', 'guest']);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Upload CSV' }));
  });

  test('is refused when it is no CSV file, or 80 MB and more', async () => {
    const { user } = await openList(texts, { showCsvUpload: true });
    const plain = userEventUpload();
    await plain(csv('a', 'ports.txt'));
    expect(await screen.findByText('Not a CSV file selected')).toBeTruthy();
    const large = csv('a');
    Object.defineProperty(large, 'size', { value: 80 * 1024 * 1024 });
    await upload(user, large);
    expect(await screen.findByText('File size must be lower than 80MB')).toBeTruthy();
    await upload(user, csv('a\u0000b'));
    expect(await screen.findByText('Not a CSV file selected')).toBeTruthy();
  });
});

/** A chooser's `accept` is a proposal only: people may choose any file. */
function userEventUpload() {
  return async (file: File) => {
    const { default: userEvent } = await import('@testing-library/user-event');
    const chooser = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (chooser) await userEvent.setup({ applyAccept: false }).upload(chooser, file);
  };
}
