import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerFollowingExtension, registerPrefill } from './form-extensions.ts';
import { closeEverything, compileForm, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { TestServer } from './test-kit.tsx';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';

const form = makeForm({
  schema: { type: 'object', additionalProperties: false, properties: { place: { type: 'string' }, name: { type: 'string' } } },
  ui: { place: { 'ui:label': { en: 'Place' } }, name: { 'ui:label': { en: 'Name' } } },
});

/** The same form with a section of these texts. */
const withSection = (names: readonly string[]) => {
  const members = Object.fromEntries(names.map((name): [string, JsonSchema] => [name, { type: 'string', minLength: 3 }]));
  const custom: JsonSchema = { type: 'object', additionalProperties: false, properties: members };
  return compileForm({
    ...form,
    schema: { ...form.schema, properties: { ...form.schema.properties, custom }, required: ['custom'] },
    ui: {
      ...form.ui,
      custom: { 'ui:label': { en: 'More' } },
      ...Object.fromEntries(names.map((name) => [`custom.${name}`, { 'ui:label': { en: name } }])),
    },
  });
};

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  const sections: Record<string, readonly string[]> = { a: ['mast', 'deck'], b: ['deck'] };
  registerFollowingExtension(form.id, {
    field: 'place',
    extend: async (module, value) => {
      const names = sections[String(value)];
      return names ? withSection(names) : module;
    },
  });
});
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

describe('fields that follow from another field', () => {
  test('come and go with its value; what was entered stays, and is sent for those that are there', async () => {
    const { user } = await openTestForm(form);
    const place = screen.getByLabelText('Place');
    await user.type(screen.getByLabelText('Name'), 'Quay');
    await user.type(place, 'a');
    await user.type(await screen.findByLabelText('mast'), 'high');
    await user.type(screen.getByLabelText('deck'), 'two');
    await user.clear(screen.getByLabelText('Place'));
    await waitFor(() => expect(screen.queryByLabelText('mast')).toBeNull());
    await user.type(screen.getByLabelText('Place'), 'b');
    expect(await screen.findByLabelText<HTMLInputElement>('deck')).toHaveProperty('value', 'two');
    expect(document.activeElement, 'the field that was edited keeps the focus').toBe(screen.getByLabelText('Place'));
    expect(screen.queryByLabelText('mast')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(server.calls).toHaveLength(1));
    expect(server.calls[0]?.body).toEqual({ place: 'b', name: 'Quay', custom: { deck: 'two' } });
  });

  test('are checked before they are sent', async () => {
    const { user } = await openTestForm(form);
    await user.type(screen.getByLabelText('Place'), 'a');
    await user.type(await screen.findByLabelText('mast'), 'x');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(screen.getByLabelText('mast').getAttribute('aria-invalid')).toBe('true'));
    expect(server.calls).toEqual([]);
  });
});

describe('values that another field suggests', () => {
  const kinds = makeForm({
    id: 'test/kinds',
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { kind: { type: 'string', default: 'web' }, port: { type: 'integer', default: 80 } },
    },
    ui: { kind: { 'ui:label': { en: 'Kind' } }, port: { 'ui:label': { en: 'Port' } } },
  });

  test('follow it until something else is entered', async () => {
    registerPrefill(kinds.id, { field: 'kind', values: { port: { web: 80, shell: 22, screen: 5900 } } });
    const { user } = await openTestForm(kinds);
    const port = () => screen.getByLabelText<HTMLInputElement>('Port').value;
    const choose = async (kind: string) => {
      await user.clear(screen.getByLabelText('Kind'));
      await user.type(screen.getByLabelText('Kind'), kind);
    };
    await choose('shell');
    await waitFor(() => expect(port()).toBe('22'));
    await choose('screen');
    await waitFor(() => expect(port()).toBe('5900'));
    await user.clear(screen.getByLabelText('Port'));
    await user.type(screen.getByLabelText('Port'), '5901');
    await choose('web');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(server.calls.at(-1)?.body).toEqual({ kind: 'web', port: 5901 }));
  });
});
