import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { openModal } from '../../engine/dialogs/index.ts';
import { renderConsole, startTestServer } from '../../engine/form/test-kit.tsx';
import { settings } from '../../kernel/settings/index.ts';
import { OffPromptsCard } from './OffPromptsCard.tsx';
import type { TestServer } from '../../engine/form/test-kit.tsx';

let server: TestServer;
afterEach(() => server.close());

test('a question that was turned off is listed by its title, and is asked again once it is switched on [D4]', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  await settings.set('prompt.spend', 'Spend credits?');
  await renderConsole(<OffPromptsCard />);
  const user = userEvent.setup();
  const off = screen.getByRole('switch', { name: 'Spend credits?', checked: false });
  expect(await openModal({ title: 'Spend credits?', reminderKey: 'spend', returnValue: 'go' })).toBe('go');
  await user.click(off);
  await waitFor(() => expect(off.getAttribute('aria-checked')).toBe('true'));
  await waitFor(() => expect(server.calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/storage/prompt.spend' }));
  void openModal({ title: 'Spend credits?', reminderKey: 'spend', returnValue: 'go' });
  expect(await screen.findByRole('alertdialog', { name: 'Spend credits?' })).toBeTruthy();
});

test('without any there is nothing', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
  await renderConsole(<OffPromptsCard />);
  expect(screen.queryByRole('switch')).toBeNull();
});
