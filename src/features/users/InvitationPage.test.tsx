import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type Handler } from '../../kernel/http/test-server.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { InvitationPage } from './InvitationPage.tsx';

beforeAll(() => startI18n('en'));

const looked = { body: { success: true, data: { email: 'ola@fjordline.example', company_name: 'Fjordline', is_distributor: false } } };
const refused = { status: 403, body: { success: false, errors: [{ code: 'INVITATION_REFUSED', message: 'x' }] } };

async function open(handler: Handler) {
  const world = await startTestServer(handler);
  history.replaceState(null, '', '/invitation#secret-token');
  const onDone = vi.fn();
  render(<InvitationPage onDone={onDone} />);
  return { ...world, onDone, user: userEvent.setup() };
}

test('an invited person joins; the token leaves the address at once [SE6]', async () => {
  await using world = await open(() => looked);
  expect(await screen.findByText(/Fjordline/)).toBeTruthy();
  expect(location.href).not.toContain('secret-token');
  await world.user.click(screen.getByRole('button', { name: 'Join' }));
  expect(document.activeElement).toBe(screen.getByLabelText('First name'));
  await world.user.type(screen.getByLabelText('First name'), 'Ola');
  await world.user.type(screen.getByLabelText('Last name'), 'Nordmann');
  await world.user.type(screen.getByLabelText('Password'), 'a long phrase{Enter}');
  await waitFor(() => expect(world.onDone).toHaveBeenCalled());
  expect(JSON.parse(world.seen.at(-1)?.body ?? '')).toEqual({
    token: 'secret-token',
    first_name: 'Ola',
    last_name: 'Nordmann',
    password: 'a long phrase',
  });
});

test('the page does not know whether the address has an account: who has one says so and enters its password [HF9]', async () => {
  await using world = await open(() => looked);
  await world.user.click(await screen.findByRole('button', { name: 'I already have an account' }));
  expect(screen.queryByLabelText('First name')).toBeNull();
  await world.user.type(screen.getByLabelText('Password'), 'a long phrase{Enter}');
  await waitFor(() => expect(world.onDone).toHaveBeenCalled());
  const paths = world.seen.map(({ path }) => path).filter((path) => path.includes('/invitations/'));
  expect(paths).toEqual(['/api/invitations/look', '/api/invitations/join']);
});

test('an invitation that cannot be used says so and asks for nothing', async () => {
  await using world = await open(() => refused);
  expect((await screen.findByRole('alert')).textContent).toContain('This invitation cannot be used.');
  expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
  expect(world.seen).toHaveLength(1);
});
