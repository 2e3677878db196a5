import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { closeAllDialogs } from '../../engine/dialogs/index.ts';
import { startTestServer } from '../../kernel/http/test-server.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { FailureScreen } from './FailureScreen.tsx';

// The first window fetches its code, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });
beforeAll(() => startI18n('en'));
afterEach(() => act(() => closeAllDialogs()));

const ok = (data: unknown) => ({ body: { success: true, data } });

test('an address that is not confirmed: the link can be sent again, and the screen says what became of it', async () => {
  let isMailUp = false;
  await using server = await startTestServer(() =>
    isMailUp ? ok(null) : { status: 502, body: { success: false, errors: [{ code: 'MAIL_NOT_SENT', message: 'No mail.' }] } },
  );
  render(<FailureScreen failure={{ kind: 'email-not-verified' }} />);
  const user = userEvent.setup();
  expect(screen.getByRole('heading', { name: 'Confirm your e-mail address' })).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Send the link again' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to send email confirmation');
  isMailUp = true;
  await user.click(screen.getByRole('button', { name: 'Send the link again' }));
  expect((await screen.findByRole('status')).textContent).toContain('Email confirmation sent successfully');
  expect(server.seen.map(({ path }) => path)).toEqual(Array.from({ length: 2 }, () => '/api/account/user/activation/resend'));
});

test('a second factor that is required is set up on the screen itself', async () => {
  await using server = await startTestServer(({ path, method }) =>
    path === '/api/mfa' && method === 'GET'
      ? ok({ method: null, recovery_codes_left: 0, methods: ['totp'], passkeys: [] })
      : ok({ method: 'totp', secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' }),
  );
  render(<FailureScreen failure={{ kind: 'mfa-mandatory' }} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Use an authenticator app' }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }, { timeout: 20_000 }));
  expect(await screen.findByText('ABCD EFGH')).toBeTruthy();
  expect(server.seen.at(-1)).toMatchObject({ method: 'PUT', path: '/api/mfa', body: '{"method":"totp"}' });
});

test.each([
  ['no-answer', 'Failed to get user data'],
  ['timeout', 'User request timeout'],
] as const)('the maintenance screen says why: %s', (reason, words) => {
  render(<FailureScreen failure={{ kind: 'maintenance', reason }} />);
  expect(screen.getByText(words)).toBeTruthy();
});

test('a visitor without an invitation is sent to the sign-in page, not back to an address that worked once', () => {
  render(<FailureScreen failure={{ kind: 'not-invited-external-user' }} />);
  expect(screen.getByRole('heading', { name: 'You have not been invited' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Sign out' })).toBeNull();
});

test('terms are shown in a window that only accepting or signing out leaves, in the version that is read', async () => {
  await using server = await startTestServer(({ method }) => (method === 'GET' ? ok({ version: '7', text: 'Be kind.' }) : { status: 503 }));
  render(<FailureScreen failure={{ kind: 'terms-not-accepted' }} />);
  const user = userEvent.setup();
  expect(await screen.findByText('Be kind.', undefined, { timeout: 20_000 })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(server.seen.at(-1)?.body).toBe('{"tos_accepted":true,"version":"7"}'));
  expect(await screen.findByRole('alert')).toBeTruthy();
});
