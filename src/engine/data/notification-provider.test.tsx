import { act, screen, waitFor } from '@testing-library/react';
import { useNotification } from '@refinedev/core';
import { useEffect } from 'react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { toasts } from '../../kernel/toasts/index.ts';
import { renderConsole } from '../form/test-kit.tsx';

const refine: ReturnType<typeof useNotification> = {};

function Page() {
  const notification = useNotification();
  useEffect(() => void Object.assign(refine, notification));
  return <p>Page</p>;
}

afterEach(async () => {
  act(() => toasts.clear());
  await vi.waitUntil(() => toasts.shown.get().length === 0);
});

test('what failed is said although the code of the notification provider does not come [X5]', async () => {
  vi.doMock('./AntdNotifications.tsx', () => {
    throw new Error('Offline');
  });
  await renderConsole(<Page />);
  act(() => refine.open?.({ type: 'error', message: 'The server is not responding' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The server is not responding');
  vi.doUnmock('./AntdNotifications.tsx');
});

test("Refine's notifications are toasts: heading and text in one sentence, closed by their key [N1]", async () => {
  await renderConsole(<Page />);
  act(() => {
    refine.open?.({ type: 'success', key: 'first', message: 'Kept', description: 'View' });
    refine.open?.({ type: 'error', key: 'second', message: 'Refused' });
  });
  expect((await screen.findByRole('status')).textContent).toContain('View: Kept');
  expect(screen.getByRole('alert').textContent).toContain('Refused');
  act(() => refine.close?.('second'));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.getByText('View: Kept')).toBeTruthy();
});

test('a change that can still be cancelled is one toast with Undo, however often Refine counts down [N1]', async () => {
  const cancelMutation = vi.fn();
  await renderConsole(<Page />);
  act(() => {
    for (const undoableTimeout of [5, 4, 3])
      refine.open?.({ type: 'progress', key: 'one', message: 'Changed', undoableTimeout, cancelMutation });
  });
  expect(screen.getAllByRole('status')).toHaveLength(1);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
  expect(cancelMutation).toHaveBeenCalledOnce();
});
