import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';
import form from '../../../schemas/forms/set-up/first-administrator.form.json' with { type: 'json' };
import { startTestServer, type Handler } from '../../kernel/http/test-server.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { EMPTY_SET_UP } from './check-set-up.ts';
import { SetUpPage } from './SetUpPage.tsx';

beforeAll(() => startI18n('en'));

async function open(handler: Handler, search = '?token=K7QM-2V9D') {
  const world = await startTestServer(handler);
  history.replaceState(null, '', `/set-up${search}`);
  const onDone = vi.fn();
  render(<SetUpPage onDone={onDone} />);
  return { ...world, onDone, user: userEvent.setup() };
}

async function fill(user: ReturnType<typeof userEvent.setup>) {
  const texts = {
    Company: 'Fjordline',
    'First name': 'Ola',
    'Last name': 'Nordmann',
    'E-mail': 'ola@x.example',
    Password: 'a long enough phrase',
  };
  for (const [label, text] of Object.entries(texts)) await user.type(screen.getByLabelText(label), text);
  await user.click(screen.getByRole('button', { name: 'Set up and sign in' }));
}

test('the page asks for what the contract asks for', () => {
  expect(Object.keys(EMPTY_SET_UP).toSorted()).toEqual(Object.keys(form.schema.properties).toSorted());
  expect(form.schema.properties.password.minLength).toBe(10);
  expect(form.schema.properties.company_name.minLength).toBe(3);
});

test('the token of the printed address is not asked for, and leaves the address [O1]', async () => {
  await using world = await open(() => ({}));
  expect(screen.queryByLabelText('Set-up token')).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText('Company'));
  expect(location.search).toBe('');
  await fill(world.user);
  await waitFor(() => expect(world.onDone).toHaveBeenCalled());
  expect(JSON.parse(world.seen[0]?.body ?? '')).toEqual({
    token: 'K7QM-2V9D',
    company_name: 'Fjordline',
    first_name: 'Ola',
    last_name: 'Nordmann',
    email: 'ola@x.example',
    password: 'a long enough phrase',
  });
});

test('every fault is said at its field, the first one gets the focus, nothing is sent [F2]', async () => {
  await using world = await open(() => ({}), '');
  await world.user.click(screen.getByRole('button', { name: 'Set up and sign in' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Set-up token'));
  expect(document.querySelectorAll('[aria-invalid="true"]')).toHaveLength(6);
  expect(world.seen).toHaveLength(0);
});

test('what the server refuses is shown at its field; what has no field is shown above [F3]', async () => {
  let errors = [{ code: 'WRONG_SET_UP_TOKEN', message: 'x', source: 'token' }];
  await using world = await open(() => ({ status: 400, body: { success: false, errors } }));
  await fill(world.user);
  await screen.findByText('The set-up token is wrong.');
  const token = screen.getByLabelText<HTMLInputElement>('Set-up token');
  expect([token.getAttribute('aria-invalid'), token.value]).toEqual(['true', 'K7QM-2V9D']);
  errors = [{ code: 'UNKNOWN_TO_US', message: 'The server is closing.', source: '' }];
  await world.user.click(screen.getByRole('button', { name: 'Set up and sign in' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The server is closing.');
});
