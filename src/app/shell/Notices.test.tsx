import { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderConsole, startTestServer } from '../../engine/form/test-kit.tsx';
import { network } from '../../kernel/network.ts';
import { AccessDeniedPage } from '../pages/AccessDeniedPage.tsx';
import { Notices } from './Notices.tsx';

afterEach(() => vi.restoreAllMocks());

test('a lost network is shown once by a toast, and above the page until it is back [X5]', async () => {
  const server = await startTestServer(() => ({ body: { success: true, data: [] } }));
  await renderConsole(<Notices />);
  const words = 'You are offline. Please make sure to check network cables, modem, and router or reconnecting to Wi-Fi and try again';
  const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fireEvent(window, new Event('offline'));
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getAllByText('The network connection has been lost')).toHaveLength(1);
  line.mockReturnValue(true);
  fireEvent(window, new Event('online'));
  await waitFor(() => expect(screen.queryByText(words)).toBeNull());
  await server.close();
});

test('where one address is cut off while others answer, pages are not loaded repeatedly', async () => {
  const server = await startTestServer(() => ({ body: { success: true, data: [] } }));
  await renderConsole(<Notices />);
  const refetch = vi.spyOn(QueryClient.prototype, 'refetchQueries').mockResolvedValue();
  for (let times = 0; times < 20; times += 1) {
    act(() => network.reportSilence());
    expect(await screen.findByText('The server is not responding')).toBeTruthy();
    act(() => network.reportAnswer());
    await waitFor(() => expect(refetch).toHaveBeenCalled());
  }
  expect(refetch).toHaveBeenCalledTimes(1);
  await server.close();
});

test('a user without any permission sees a message that says so', async () => {
  await renderConsole(<AccessDeniedPage />);
  expect(screen.getByText('Access denied: User has no view permissions available')).toBeTruthy();
});
