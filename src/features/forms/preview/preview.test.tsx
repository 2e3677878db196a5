import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { closeEverything, compileForm, makeForm, renderConsole } from '../../../engine/form/test-kit.tsx';
import { PreviewForm } from './PreviewForm.tsx';
import { START } from './preview-settings.ts';

afterEach(closeEverything);

test('the preview says what is wrong in the language that is previewed [G4]', async () => {
  const form = makeForm({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'kind'],
      properties: { name: { type: 'string', minLength: 1, maxLength: 20 }, kind: { type: 'string', enum: ['a', 'b'] } },
    },
    ui: {
      name: { 'ui:label': { en: 'Name', nb: 'Navn' } },
      kind: { 'ui:label': { en: 'Kind', nb: 'Slag' }, 'ui:widget': 'radio' },
    },
  });
  const draft = { text: '', form, hash: 'x', module: await compileForm(form) };
  await renderConsole(<PreviewForm draft={draft} options={{ ...START, language: 'nb' }} device={undefined} can={() => true} />);
  await screen.findByRole('textbox', { name: /Navn/ });
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect((await screen.findAllByText('Fyll ut dette feltet.', { exact: false })).length).toBeGreaterThan(0);
  expect(screen.queryByText('Fill in this field.', { exact: false })).toBeNull();
});
