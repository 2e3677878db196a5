import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { DialogWindow, closeAllDialogs, openDialog, registerDialog } from './index.ts';
import { renderConsole } from '../form/test-kit.tsx';
import { toasts } from '../../kernel/toasts/index.ts';
import type { DialogHandle } from './index.ts';

declare module './registry.ts' {
  interface DialogTypes {
    'test.beside': { props: object; result: undefined };
  }
}
registerDialog('test.beside', async () => ({
  default: ({ dialog }: { dialog: DialogHandle<undefined> }) => (
    <DialogWindow dialog={dialog} title="Beside">
      <button type="button">Inside</button>
    </DialogWindow>
  ),
}));

afterEach(async () => {
  vi.useRealTimers();
  act(() => {
    closeAllDialogs();
    toasts.clear();
  });
  await vi.waitUntil(() => toasts.shown.get().length === 0);
});

test('an error is an alert, anything else a status; a click closes it, and so does its cross [N1]', async () => {
  await renderConsole(<button type="button">Opener</button>);
  const user = userEvent.setup();
  act(() => {
    toasts.error('It failed');
    toasts.success('It worked');
    toasts.info('Pin', { isDismissible: false });
  });
  expect((await screen.findByRole('alert')).textContent).toContain('It failed');
  await user.click(screen.getByText('It worked'));
  await waitFor(() => expect(screen.queryByText('It worked')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText('It failed')).toBeNull());
  await user.click(screen.getByText('Pin'));
  expect(toasts.shown.get()[0]?.isClosing).toBe(false);
});

test('three are dismissed at one press, those that wait come up [N1]', async () => {
  await renderConsole(<p>Page</p>);
  act(() => {
    for (let number = 1; number < 9; number += 1) toasts.error(`Number ${number}`);
  });
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Dismiss all' }));
  await waitFor(() => expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['Number 8']));
  expect(screen.queryByRole('button', { name: 'Dismiss all' })).toBeNull();
});

test('dismissing one of many by keyboard moves the focus to the next one, not to the button for all [N1]', async () => {
  await renderConsole(<p>Page</p>);
  act(() => {
    for (const number of [1, 2, 3, 4]) toasts.error(`Number ${number}`);
  });
  const first = (await screen.findAllByRole('button', { name: 'Dismiss' }))[0];
  act(() => first?.focus());
  await userEvent.setup().keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByText('Number 1')).toBeNull());
  await waitFor(() => expect(document.activeElement?.closest('[role="alert"]')?.textContent).toContain('Number 2'));
});

test('hostile text in a toast is text [IN1]', async () => {
  const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script><a href="javascript:window.ran=1">x</a>';
  await renderConsole(<p>Page</p>);
  act(() => {
    toasts.error(hostile);
    toasts.success(hostile);
  });
  const shown = [await screen.findByRole('alert'), (await screen.findAllByText(hostile))[0]];
  for (const element of shown) {
    expect(element?.textContent).toContain(hostile);
    expect(element?.querySelector('img, script, a')).toBeNull();
  }
  expect('ran' in window).toBe(false);
});

test('each is at its edge, the lower right one by default [N1]', async () => {
  await renderConsole(<p>Page</p>);
  act(() => {
    toasts.info('here');
    toasts.info('there', { position: 'top-left' });
  });
  const placeOf = (words: string) => screen.getByText(words).closest('[data-position]')?.getAttribute('data-position');
  expect([placeOf('here'), placeOf('there')]).toEqual(['bottom-right', 'top-left']);
});

test('time stops under the pointer and under the focus [N1]', async () => {
  await renderConsole(<button type="button">Opener</button>);
  vi.useFakeTimers();
  act(() => void toasts.info('Read me'));
  const region = screen.getByRole('region', { name: 'Messages' });
  fireEvent.pointerEnter(region);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText('Read me')).toBeTruthy();
  fireEvent.pointerLeave(region);
  act(() => void vi.advanceTimersByTime(3000));
  act(() => screen.getByRole('button', { name: 'Dismiss' }).focus());
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText('Read me')).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Opener' }).focus());
  act(() => void vi.advanceTimersByTime(1150));
  expect(screen.queryByText('Read me')).toBeNull();
});

test('it is reached by Tab from a dialog, and closing it gives the focus back [N1 D1]', async () => {
  await renderConsole(<p>Page</p>);
  const user = userEvent.setup();
  act(() => void openDialog('test.beside', {}));
  const inside = await screen.findByRole('button', { name: 'Inside' });
  act(() => void toasts.error('It failed'));
  inside.focus();
  await user.tab();
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Dismiss' }));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(inside));
});
