import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { closeEverything, describedBy, makeForm, openTestForm, startTestServer } from '../../test-kit.tsx';
import type { Answerer, TestServer } from '../../test-kit.tsx';

let server: TestServer | undefined;
afterEach(async () => {
  closeEverything();
  await server?.close();
  server = undefined;
});

const form = makeForm({
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      rules: {
        type: 'array',
        maxItems: 4,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'port'],
          properties: {
            name: { type: 'string', title: 'Rule', maxLength: 12, pattern: '^[a-z ]+$' },
            port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65535 },
            open: { type: 'boolean', title: 'Open' },
          },
        },
      },
    },
  },
  ui: { rules: { 'ui:widget': 'table-input', 'ui:label': { en: 'Rules' }, 'ui:options': { showCsvUpload: true } } },
});

async function openTable(answer: Answerer = () => ({ body: { success: true, data: null } })) {
  server = await startTestServer(answer);
  const { user } = await openTestForm(form);
  return {
    user,
    cell: (title: string, row: number) => screen.getByRole<HTMLInputElement>('textbox', { name: `${title}, row ${row}` }),
    send: () => user.click(screen.getByRole('button', { name: 'Send' })),
  };
}

describe('a table input', () => {
  test('adds and removes rows, by the keyboard too, and sends what they hold', async () => {
    const { user, cell, send } = await openTable();
    await user.click(screen.getByRole('button', { name: 'Add row' }));
    await waitFor(() => expect(document.activeElement).toBe(cell('Rule', 1)));
    await user.keyboard('web{Tab}443{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(cell('Rule', 2)));
    await user.keyboard('ssh{Tab}22{Tab} ');
    await user.keyboard('{Shift>}{Tab}{/Shift}{Enter}');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(4));
    await user.click(screen.getByRole('button', { name: 'Remove row 1' }));
    await send();
    // The row that was left empty is not sent.
    await waitFor(() => expect(server?.calls[0]?.body).toEqual({ rules: [{ name: 'ssh', port: 22, open: true }] }));
  });

  test('shows each fault at its own cell, the server’s too, and leads to the first [F3]', async () => {
    const { user, cell, send } = await openTable(() => ({
      status: 422,
      body: { success: false, errors: [{ code: 'PORT_TAKEN', message: 'This port is taken.', source: 'rules.1.port' }] },
    }));
    await user.click(screen.getByRole('button', { name: 'Add row' }));
    await waitFor(() => cell('Rule', 1));
    await user.type(cell('Rule', 1), 'WEB');
    await user.type(cell('Port', 1), '70000');
    await send();
    expect(describedBy(cell('Rule', 1))).toBe('This does not have the expected format.');
    expect(screen.queryAllByText('This does not have the expected format.')).toHaveLength(1);
    expect(describedBy(cell('Port', 1))).toBe('Enter a number from 1 to 65,535.');
    expect(document.activeElement).toBe(cell('Rule', 1));
    expect(server?.calls).toEqual([]);
    await user.clear(cell('Rule', 1));
    await user.type(cell('Rule', 1), 'web');
    await user.clear(cell('Port', 1));
    await user.type(cell('Port', 1), '80{Enter}');
    await waitFor(() => cell('Rule', 2));
    await user.type(cell('Rule', 2), 'ssh');
    await user.type(cell('Port', 2), '22');
    await send();
    await waitFor(() => expect(describedBy(cell('Port', 2))).toBe('This port is taken.'));
    expect(cell('Port', 1).getAttribute('aria-invalid')).toBeNull();
  });

  test('takes cells pasted from a spreadsheet', async () => {
    const { user, cell } = await openTable();
    await user.click(screen.getByRole('button', { name: 'Add row' }));
    await waitFor(() => cell('Rule', 1));
    await user.click(cell('Rule', 1));
    await user.paste('web\t80\tyes\nssh\t22\tno\n');
    expect([cell('Rule', 1), cell('Port', 1), cell('Rule', 2), cell('Port', 2)].map(({ value }) => value)).toEqual([
      'web',
      '80',
      'ssh',
      '22',
    ]);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Open, row 1' }).checked).toBe(true);
  });

  test('reads a CSV file by its headings, shows it first, and names the wrong lines [F10]', async () => {
    const { user, send } = await openTable();
    const chooser = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (!chooser) throw new Error('There is no file chooser.');
    const text = 'port,rule\n80,web\n\n0,bad\n22,ssh,more\n443,\n21,ftp\n';
    await user.upload(chooser, new File([text], 'rules.csv', { type: 'text/csv' }));
    const preview = await screen.findByRole('group', { name: 'Preview of rules.csv' });
    expect(
      within(preview)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      'Line 4: Port: Enter a number from 1 to 65,535.',
      'Line 5: More cells than the table has columns (2).',
      'Line 6: Rule: Fill in this field.',
    ]);
    await user.click(within(preview).getByRole('button', { name: 'Add 2' }));
    await send();
    await waitFor(() =>
      expect(server?.calls[0]?.body).toEqual({
        rules: [
          { name: 'web', port: 80 },
          { name: 'ftp', port: 21 },
        ],
      }),
    );
  });
});
