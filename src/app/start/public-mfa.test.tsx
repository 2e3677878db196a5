import { act, render, screen, within, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { closeAllDialogs } from '../../engine/dialogs/index.ts';
import { startTestServer, type Reply } from '../../kernel/http/test-server.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { PublicApp } from './PublicApp.tsx';

// The first window fetches its code, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });
afterEach(() => act(() => closeAllDialogs()));

const refuse = (code: string, message: string, meta?: object): Reply => ({
  status: 403,
  body: { success: false, errors: [{ code, message }], meta },
});

test('signing in asks for the second factor, and goes on with the same address and password [F6]', async () => {
  await startI18n('en');
  await using server = await startTestServer(({ body }) =>
    body.includes('session_code')
      ? refuse('CONFIRMATION_FAILED', 'The code is wrong.')
      : refuse('MFA_REQUIRED', 'x', { mfa_method: 'totp', session_id: 9, session_uuid: 'u-9' }),
  );
  history.replaceState(null, '', '/login');
  render(<PublicApp page="sign-in" />);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('E-mail'), 'ola@fjordline.example');
  await user.type(screen.getByLabelText('Password'), 'a long phrase{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Enter authentication code' }));
  await user.type(dialog.getByLabelText(/^Code/), '123456{Enter}');
  expect(await dialog.findByText('This code is wrong or has already been used.')).toBeTruthy();
  expect(JSON.parse(server.seen.at(-1)?.body ?? '')).toEqual({
    email: 'ola@fjordline.example',
    password: 'a long phrase',
    session_code: '123456',
    session_id: 9,
    session_uuid: 'u-9',
  });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('button', { name: 'Sign in' }).getAttribute('aria-busy')).toBeNull();
});
