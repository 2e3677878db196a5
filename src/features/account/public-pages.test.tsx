import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test } from 'vitest';
import { startTestServer } from '../../kernel/http/test-server.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import ConfirmEmailPage from './ConfirmEmailPage.tsx';
import ForgottenPasswordPage from './ForgottenPasswordPage.tsx';
import NewPasswordPage from './NewPasswordPage.tsx';

beforeAll(() => startI18n('en'));

const refused = (code: string, source?: string) => ({
  status: 422,
  body: { success: false, errors: [{ code, message: 'x', ...(source ? { source } : {}) }] },
});

test.each([
  [false, 'If this address belongs to an account, a link is on its way'],
  [true, 'This server does not send e-mail. If this address belongs to an account'],
])(
  'a forgotten password is asked for by address, and the answer reveals nothing about it (the mail stays here: %s)',
  async (is_kept, answer) => {
    await using server = await startTestServer(() => ({ body: { success: true, data: { is_kept } } }));
    render(<ForgottenPasswordPage />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Send link' }));
    expect(screen.getByText('Enter your e-mail address')).toBeTruthy();
    await user.type(screen.getByLabelText('E-mail'), 'kari@fjordline.example{Enter}');
    expect((await screen.findByRole('status')).textContent).toContain(answer);
    expect(server.seen.map(({ body }) => body)).toEqual(['{"email":"kari@fjordline.example"}']);
  },
);

test('the token of a link leaves the address, and a stolen password is refused at its field [SE6]', async () => {
  await using server = await startTestServer(() => refused('PASSWORD_KNOWN', 'password'));
  history.replaceState(null, '', '/new-password#the-token');
  render(<NewPasswordPage />);
  expect(location.hash).toBe('');
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('New password'), '1234567890{Enter}');
  expect(await screen.findByText(/lists of stolen/)).toBeTruthy();
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ token: 'the-token', password: '1234567890' });
});

test('a link that is over says so, in words', async () => {
  await using server = await startTestServer(() => refused('LINK_REFUSED'));
  history.replaceState(null, '', '/confirm-email#old');
  render(<ConfirmEmailPage />);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Confirm' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This link is no longer valid');
  expect(server.seen).toHaveLength(1);
});
