import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { room as account } from '../account/index.ts';
import { loadUser } from '../../kernel/session/index.ts';
import { FirstStepsCard } from './FirstStepsCard.tsx';

let server: TestServer;
afterEach(() => server.close());

test('a time zone that is right as it is needs only to be looked at', async () => {
  account.register?.();
  server = await startTestServer(() => ({ body: { success: true, data: { id: 1, permissions: [] } } }));
  await loadUser();
  await renderConsole(<FirstStepsCard steps={{ address: false, mail: null, factor: true, device: true, colleague: true }} />);
  const user = userEvent.setup();
  expect(screen.getByText('3 of 5 done')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Change' }));
  const dialog = await screen.findByRole('dialog', { name: 'Time zone' });
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) ?? dialog);
  await waitFor(() => expect(screen.getByText('4 of 5 done')).toBeTruthy());
});
