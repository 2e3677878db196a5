import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { heldFile, holdFile } from '../../files.ts';
import { createFormModel } from '../../model.ts';
import { closeEverything, compileForm, describedBy, makeForm, openTestForm, startTestServer } from '../../test-kit.tsx';
import type { FieldUi, JsonSchema } from '../../../../../schemas/kit/form/types.ts';
import type { TestServer } from '../../test-kit.tsx';

let server: TestServer | undefined;
afterEach(async () => {
  closeEverything();
  await server?.close();
  server = undefined;
});

async function openFile(schema: JsonSchema, options: FieldUi['ui:options'] = {}) {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  await openTestForm(
    makeForm({
      schema: { type: 'object', additionalProperties: false, required: ['config'], properties: { config: schema } },
      ui: { config: { 'ui:widget': 'file', 'ui:label': { en: 'Configuration' }, 'ui:options': options } },
    }),
  );
  // What a chooser offers is a proposal only: people may choose any file.
  const user = userEvent.setup({ applyAccept: false });
  const input = screen.getByLabelText<HTMLInputElement>(/^Configuration/);
  const chosen = () => screen.queryAllByRole('listitem').map((item) => item.textContent);
  return { user, input, chosen, send: () => user.click(screen.getByRole('button', { name: 'Send' })) };
}

const one: JsonSchema = { type: 'string', maxLength: 255 };

describe('a file field [F9]', () => {
  test('shows name and size before anything is sent, and holds the file itself behind a token', async () => {
    const { user, input, chosen, send } = await openFile(one, { accept: '.json' });
    expect(input.accept).toBe('.json');
    expect(screen.getByText('.json · up to 80 MB')).toBeTruthy();
    const file = new File(['x'.repeat(2048)], 'router.json');
    await user.upload(input, file);
    expect(chosen()).toEqual(['router.json 2 kB']);
    await send();
    await waitFor(() => expect(server?.calls.length).toBe(1));
  });

  test('takes a file that is dropped, and one takes the place of the other', async () => {
    const { input, chosen } = await openFile(one);
    const zone = input.parentElement;
    if (!zone) throw new Error('There is no zone to drop on.');
    fireEvent.drop(zone, { dataTransfer: { files: [new File(['a'], 'a.bin')] } });
    fireEvent.drop(zone, { dataTransfer: { files: [new File(['bc'], 'b.bin'), new File(['d'], 'd.bin')] } });
    expect(chosen()).toEqual(['b.bin 2 B']);
  });

  test('refuses one that is too large, of another kind or badly named, at once and before sending', async () => {
    const { user, input, send } = await openFile(one, { accept: '.json', maxBytes: 1024 });
    await user.upload(input, new File(['x'.repeat(1025)], 'large.json'));
    await waitFor(() => expect(describedBy(input)).toContain('Maximum file size is 1 kB'));
    await user.upload(input, new File(['x'], 'photo.png'));
    await waitFor(() => expect(describedBy(input)).toContain('Choose a file of this type: .json'));
    await user.upload(input, new File(['x'], 'a<b.json'));
    await waitFor(() => expect(describedBy(input)).toContain('File name contains forbidden symbols'));
    await send();
    expect(server?.calls).toEqual([]);
    await user.upload(input, new File(['x'], 'good.json'));
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBeNull());
  });

  test('knows the limit of 80 MB by default', async () => {
    const { user, input } = await openFile(one);
    const large = new File(['x'], 'large.bin');
    Object.defineProperty(large, 'size', { value: 83_886_081 });
    await user.upload(input, large);
    await waitFor(() => expect(describedBy(input)).toContain('Maximum file size is 80 MB'));
  });

  test('takes several where the schema is a list, says which one is wrong, and lets each be removed', async () => {
    const { user, input, chosen } = await openFile({ type: 'array', maxItems: 5, items: one }, { accept: '.json' });
    await user.upload(input, [new File(['a'], 'a.json'), new File(['b'], 'b.png')]);
    await user.upload(input, new File(['c'], 'c.json'));
    expect(chosen()).toEqual(['a.json 1 B', 'b.png 1 BChoose a file of this type: .json', 'c.json 1 B']);
    await waitFor(() => expect(describedBy(input)).toContain('Remove the files that are marked.'));
    await user.click(screen.getByRole('button', { name: 'Remove b.png' }));
    expect(chosen()).toEqual(['a.json 1 B', 'c.json 1 B']);
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBeNull());
  });

  test('is asked for when it is required', async () => {
    const { input, send } = await openFile(one);
    await send();
    expect(describedBy(input)).toContain('Choose a file.');
    expect(server?.calls).toEqual([]);
    expect(heldFile('nothing')).toBeUndefined();
  });
});

test('a file whose group is hidden is let go of [F5]', async () => {
  const place: JsonSchema = { type: 'object', additionalProperties: false, properties: { key: one } };
  const form = makeForm({
    schema: { type: 'object', additionalProperties: false, properties: { mode: { type: 'string', enum: ['a', 'b'] }, place } },
    fields: { place: { depends: { mode: ['a'] } } },
    ui: { 'place.key': { 'ui:widget': 'file', 'ui:label': { en: 'Key' } } },
  });
  const model = createFormModel({ module: await compileForm(form), start: { mode: 'a' }, can: () => true });
  const token = holdFile(new File(['x'], 'id.pub'));
  model.setValue(['place', 'key'], token);
  model.settle();
  expect(heldFile(token)?.name).toBe('id.pub');
  model.setValue(['mode'], 'b');
  expect(heldFile(token)).toBeUndefined();
});
