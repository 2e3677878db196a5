import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { closeEverything, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { TestServer } from './test-kit.tsx';

const form = makeForm({
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['channel'],
    properties: { name: { type: 'string', maxLength: 20 }, channel: { type: 'string', maxLength: 9 } },
  },
  ui: { name: { 'ui:label': { en: 'Name' } }, channel: { 'ui:label': { en: 'Channel' } } },
  sections: [
    { title: { en: 'Access' }, fields: ['name'] },
    { title: { en: 'Radio' }, fields: ['channel'] },
  ],
  sectionsAs: 'tabs',
});

let server: TestServer;
afterEach(async () => {
  closeEverything();
  await server.close();
});

test('sections are tabs, and one that hides something wrong is marked and opens on it', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  const { user } = await openTestForm(form);
  const access = await screen.findByRole('tab', { name: 'Access' });
  expect(access.getAttribute('aria-selected')).toBe('true');
  expect(screen.queryByRole('textbox', { name: 'Channel' })).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Send' }));
  const radio = await screen.findByRole('tab', { name: /Radio.*Something is wrong here/ });
  await waitFor(() => expect(radio.getAttribute('aria-selected')).toBe('true'));
  const channel = screen.getByRole('textbox', { name: 'Channel' });
  await waitFor(() => expect(document.activeElement).toBe(channel));

  await user.type(channel, '6');
  await screen.findByRole('tab', { name: 'Radio' });
  await user.click(access);
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(server.calls.map(({ body }) => body)).toEqual([{ channel: '6' }]));
});
