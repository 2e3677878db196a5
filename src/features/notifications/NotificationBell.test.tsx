import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { loadUser } from '../../kernel/session/index.ts';
import type { Notification } from './notification-api.ts';
import NotificationBell from './NotificationBell.tsx';
import { withNews } from './use-notifications.ts';

const offline: Notification = {
  id: 5,
  type: 'deviceOffline',
  summary: 'Gate went offline',
  count: 14,
  company_id: 2,
  company_name: 'Fjordline',
  subject_id: 7,
  subject_name: 'Gate',
  details: {},
  link: '/devices/7',
  created_at: '2026-11-21 09:41:00',
  updated_at: '2026-11-21 09:42:00',
  seen_at: null,
};
const short: Notification = {
  ...offline,
  id: 4,
  type: 'creditAmountTooLow',
  count: 1,
  subject_name: 'Management',
  details: { left: 3 },
  link: '/resources',
  seen_at: '2026-11-21 09:42:00',
};

let server: TestServer;
let items: Notification[];
let isDown: boolean;
beforeEach(async () => {
  items = [offline, short];
  isDown = false;
  server = await startTestServer(({ method, path, query }) => {
    if (path === '/user') return { body: { success: true, data: { id: 1, permissions: ['view_credits'] } } };
    if (isDown) return { status: 502, body: { success: false } };
    if (method === 'PUT') items = items.map((one) => ({ ...one, seen_at: '2026-11-21 10:00:00' }));
    const found = query['is_seen'] === '0' ? items.filter((one) => one.seen_at === null) : items;
    return { body: { success: true, data: JSON.parse(JSON.stringify(found)), meta: { total: found.length } } };
  });
  await loadUser();
});
afterEach(() => server.close());

test('the bell counts what is new, shows it, and marks it as seen only when it closes [N2]', async () => {
  await renderConsole(<NotificationBell />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 new' }));
  const panel = await screen.findByRole('dialog', { name: 'Notifications' });
  expect((await within(panel).findByRole('link', { name: 'Gate went offline' })).getAttribute('href')).toBe('/devices/7');
  expect(within(panel).getByText('×14')).toBeTruthy();
  expect(within(panel).getByRole('link', { name: 'Get more resources' }).getAttribute('href')).toBe('/resources');
  expect(within(panel).getByRole('link', { name: 'Show all notifications' }).getAttribute('href')).toBe('/notifications');
  expect(server.calls.filter((call) => call.method === 'PUT')).toEqual([]);
  await user.keyboard('{Escape}');
  await waitFor(() =>
    expect(server.calls.filter((call) => call.method === 'PUT')).toMatchObject([{ path: '/notifications', body: { id: [5] } }]),
  );
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy();
});

test('without any it says so', async () => {
  items = [];
  await renderConsole(<NotificationBell />);
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Notifications' }));
  expect(await screen.findByText('No notifications')).toBeTruthy();
});

test('a list that cannot be loaded says so, in the words of the server or its own', async () => {
  await renderConsole(<NotificationBell />);
  await screen.findByRole('button', { name: /^Notifications/ });
  isDown = true;
  await userEvent.setup().click(screen.getByRole('button', { name: /^Notifications/ }));
  expect(await screen.findByText('Failed to get notifications.')).toBeTruthy();
});

test('new ones are at the top, and one that happened again takes the place of the older', () => {
  const again = { ...short, count: 2 };
  expect(withNews([offline, short], [again])).toEqual([again, offline]);
});
