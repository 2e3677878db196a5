import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { everyKindForm } from '../../../../../schemas/kit/form/every-kind-form.ts';
import { membersIn } from '../../prepare.ts';
import { closeEverything, openTestForm, startTestServer } from '../../test-kit.tsx';
import type { FormFile } from '../../../../../schemas/kit/form/types.ts';
import type { TestServer } from '../../test-kit.tsx';

let server: TestServer | undefined;
afterEach(async () => {
  closeEverything();
  await server?.close();
  server = undefined;
});

test('every kind of field is drawn with its label, and what is loaded is sent again as it was', async () => {
  server = await startTestServer(({ path, query }) => {
    const ids = query['id']?.split(',').map(Number) ?? [1, 2, 3];
    const data = path === '/every-kind' ? null : ids.map((id) => ({ id, name: `No. ${id}` }));
    return { body: { success: true, data, meta: { total: 3 } } };
  });
  const errors = vi.spyOn(console, 'error');
  const [record = {}] = everyKindForm.examples;
  // A file is chosen, never loaded.
  const { config: _file, ...start } = membersIn(record);
  const form: FormFile = { ...everyKindForm, submitLabel: { en: 'Send' }, submit: { ...everyKindForm.submit, encoding: 'json' } };
  const { user } = await openTestForm(form, { record: start });
  await screen.findAllByRole('radio', { name: 'No. 2' });
  for (const ui of Object.values(everyKindForm.ui ?? {})) {
    const label = typeof ui['ui:label'] === 'object' ? ui['ui:label'].en : '';
    expect(screen.queryAllByLabelText(new RegExp(`^${label}\\b`)).length, label).toBeGreaterThan(0);
  }
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(server?.calls.at(-1)?.method).toBe('POST'));
  expect(server?.calls.at(-1)?.body).toEqual(start);
  const texts = errors.mock.calls.map(([first]) => String(first)).filter((text) => !text.includes('not wrapped in act'));
  expect(texts).toEqual([]);
  errors.mockRestore();
});
