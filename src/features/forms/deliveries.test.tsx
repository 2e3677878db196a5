import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { openDialog } from '../../engine/dialogs/index.ts';
import { closeEverything, renderConsole, startTestServer, type Answerer, type TestServer } from '../../engine/form/test-kit.tsx';
import { room } from './index.ts';
import type { Delivery } from './studio-api.ts';

let server: TestServer | undefined;
afterEach(async () => {
  closeEverything();
  await server?.close();
});

async function open(answer: Answerer): Promise<HTMLElement> {
  server = await startTestServer(answer);
  room.register?.();
  await renderConsole(<p>Page</p>);
  void openDialog('forms.deliveries', { id: 'ops/ticket' });
  return screen.findByRole('dialog', { name: 'Deliveries of ops/ticket' });
}

const failed: Delivery = {
  id: 7,
  target: 'tickets',
  state: 'failed',
  user_name: 'Kari',
  created_at: '2026-11-02 09:00:00',
  next_at: null,
  attempts: [
    { at: '2026-11-02 09:00:00', status: 503, reason: null, duration_ms: 120 },
    { at: '2026-11-02 09:00:10', status: null, reason: 'too-slow', duration_ms: 10_000 },
  ],
};
const taken: Delivery = {
  ...failed,
  id: 6,
  state: 'delivered',
  attempts: [{ at: '2026-11-02 09:00:00', status: 204, reason: null, duration_ms: 80 }],
};

test('each delivery says its state and every try with its answer; one that failed can be tried at once', async () => {
  let isTaken = false;
  const dialog = await open(({ path, method }) => {
    if (method === 'POST' && path === '/forms/ops/ticket/deliveries/7/retry') isTaken = true;
    if (method === 'POST') return { body: { success: true, data: { state: 'delivered', status: 200 } } };
    return { body: { success: true, data: [isTaken ? { ...failed, state: 'delivered' } : failed, taken] as never } };
  });
  const tries = within(await within(dialog).findByRole('table', { name: 'Attempts of delivery 7' }));
  expect(tries.getByText('code 503')).toBeTruthy();
  expect(tries.getByText('No response within 10 seconds')).toBeTruthy();
  expect(within(dialog).getByText('Failed')).toBeTruthy();
  const again = within(dialog).getAllByRole('button', { name: 'Retry now' });
  expect(again).toHaveLength(1);
  await userEvent.click(again[0] as HTMLElement);
  await screen.findByText('Delivery 7 succeeded.');
  await waitFor(() => expect(within(dialog).getAllByText('Delivered')).toHaveLength(2));
  expect(within(dialog).queryByRole('button', { name: 'Retry now' })).toBeNull();
});

test('a form that handed over nothing says so', async () => {
  const dialog = await open(() => ({ body: { success: true, data: [] } }));
  await within(dialog).findByText('No deliveries yet');
});
