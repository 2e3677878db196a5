import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { readCookie, writeCookie } from '../../kernel/cookies.ts';
import { settings } from '../../kernel/settings/index.ts';
import { adoptTimezone } from '../../kernel/settings/timezone.ts';
import { currentTimezone, formatTime, guessedTimezone } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { TimezoneSetting } from './TimezoneSetting.tsx';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
});
afterEach(async () => {
  await server.close();
  writeCookie('canopy_timezone', undefined);
  toasts.clear();
});

test('a chosen zone is kept for the user, shown in both clocks, and the page loads again', async () => {
  const reload = vi.fn<() => void>();
  await renderConsole(<TimezoneSetting onReload={reload} />);
  const user = userEvent.setup();
  await user.type(screen.getByRole('combobox', { name: 'Time zone' }), 'Asia/Tok{Enter}');
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(screen.getByText('Timezone updated successfully')).toBeTruthy();
  expect(settings.get('timezone')).toBe('Asia/Tokyo');
  expect(formatTime(0)).toBe('1970-01-01 09:00:00');
  expect(screen.getByText(/^UTC:/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
  expect(screen.getByText('The default timezone is used')).toBeTruthy();
  expect([currentTimezone(), settings.get('timezone')]).toEqual([guessedTimezone(), 'auto']);
});

test('the zone chosen in another browser counts in this one', async () => {
  await settings.set('timezone', 'Asia/Tokyo');
  adoptTimezone();
  expect(readCookie('canopy_timezone')).toBe('Asia/Tokyo');
  await settings.set('timezone', 'Nowhere/Nothing');
  adoptTimezone();
  expect(currentTimezone()).toBe('Asia/Tokyo');
  await settings.set('timezone', 'auto');
  adoptTimezone();
  expect(readCookie('canopy_timezone')).toBeUndefined();
});
