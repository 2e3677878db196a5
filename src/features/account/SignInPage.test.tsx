import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';
import { makeGate, startTestServer, type Handler } from '../../kernel/http/test-server.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { SignInPage } from './SignInPage.tsx';
import type { SignInMethods } from './sign-in-methods.ts';

beforeAll(() => startI18n('en'));

const wrong = { status: 401, body: { success: false, errors: [{ code: 'WRONG_CREDENTIALS', message: 'x' }] } };

async function open(handler: Handler, search = '', waysIn: Partial<SignInMethods> = {}) {
  const world = await startTestServer((call) => (call.method === 'GET' ? { body: { success: true, data: waysIn } } : handler(call)));
  history.replaceState(null, '', `/login${search}`);
  const onSignedIn = vi.fn();
  render(<SignInPage onSignedIn={onSignedIn} />);
  const calls = () => world.seen.filter(({ method }) => method === 'POST');
  return { ...world, calls, onSignedIn, user: userEvent.setup() };
}

async function fill(user: ReturnType<typeof userEvent.setup>, password: string) {
  await user.type(screen.getByLabelText('E-mail'), 'ola@fjordline.example');
  await user.type(screen.getByLabelText('Password'), `${password}{Enter}`);
}

test('signs in and goes where one wanted to go', async () => {
  await using world = await open(() => ({ body: { success: true, data: { id: 1 } } }), '?continue_url=%2Fdevices%2F7');
  await fill(world.user, 'a long phrase');
  await waitFor(() => expect(world.onSignedIn).toHaveBeenCalledWith('/devices/7'));
  expect(JSON.parse(world.calls()[0]?.body ?? '')).toEqual({ email: 'ola@fjordline.example', password: 'a long phrase' });
});

test('the token of a mailed link that was opened before signing in goes along', async () => {
  await using world = await open(
    () => ({ body: { success: true, data: { id: 1 } } }),
    '?continue_url=%2Fusers%2Fconfirm-impersonation-access#abc',
  );
  await fill(world.user, 'a long phrase');
  await waitFor(() => expect(world.onSignedIn).toHaveBeenCalledWith('/users/confirm-impersonation-access#abc'));
});

test('an address that leads off this site is not followed [SE7]', async () => {
  await using world = await open(() => ({ body: { success: true, data: { id: 1 } } }), '?continue_url=%2F%2Fevil.example');
  await fill(world.user, 'a long phrase');
  await waitFor(() => expect(world.onSignedIn).toHaveBeenCalledWith('/'));
});

test('a wrong password is said in words, nothing is lost, and the focus is on the password [F2]', async () => {
  await using world = await open(() => wrong);
  await fill(world.user, 'wrong');
  expect((await screen.findByRole('alert')).textContent).toContain('E-mail address or password is wrong.');
  expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ola@fjordline.example');
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
});

test('what is missing is said at its field, which gets the focus [F2]', async () => {
  await using world = await open(() => wrong);
  await world.user.click(screen.getByRole('button', { name: 'Sign in' }));
  const email = screen.getByLabelText('E-mail');
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(email.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Enter your e-mail address');
  expect(document.activeElement).toBe(email);
  expect(world.calls()).toHaveLength(0);
});

test('a second submit while waiting is ignored [F2]', async () => {
  const gate = makeGate();
  await using world = await open(async () => {
    await gate.wait;
    return wrong;
  });
  await fill(world.user, 'x');
  await waitFor(() => expect(world.calls()).toHaveLength(1));
  await world.user.click(screen.getByRole('button', { name: 'Sign in' }));
  gate.open();
  await screen.findByRole('alert');
  expect(world.calls()).toHaveLength(1);
});

test('password managers find their fields, and the password can be looked at [X2]', async () => {
  await using world = await open(() => wrong);
  expect(screen.getByLabelText('E-mail').getAttribute('autocomplete')).toBe('username');
  const password = screen.getByLabelText('Password');
  expect([password.getAttribute('autocomplete'), password.getAttribute('type')]).toEqual(['current-password', 'password']);
  await world.user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password.getAttribute('type')).toBe('text');
});

test('the way to a new password shows only where mails can carry it', async () => {
  await using world = await open(() => wrong, '', { forgotten_password: true });
  expect((await screen.findByRole('link', { name: 'Forgotten your password?' })).getAttribute('href')).toBe('/forgotten-password');
  expect(world.calls()).toHaveLength(0);
});
