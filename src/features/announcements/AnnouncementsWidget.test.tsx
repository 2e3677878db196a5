import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import AnnouncementsWidget from './AnnouncementsWidget.tsx';
import { SafeHtml } from './SafeHtml.tsx';

let server: TestServer;
afterEach(() => server.close());

test('the number goes once it was opened; the text stays', async () => {
  let dismissed: string | null = null;
  server = await startTestServer(({ method }) => {
    if (method === 'PUT') dismissed = '2026-11-21 10:00:00';
    const item = { id: 3, type: 'maintenance', summary: 'Update on <b>Sunday</b>', ends_at: null, dismissed_at: dismissed };
    return { body: { success: true, data: [item] } };
  });
  await renderConsole(<AnnouncementsWidget />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'System announcements, 1 new' }));
  const panel = await screen.findByRole('dialog', { name: 'System announcements' });
  expect(within(panel).getByText('Sunday').localName).toBe('b');
  expect(within(panel).getByText('Maintenance')).toBeTruthy();
  await waitFor(() => expect(server.calls.find((call) => call.method === 'PUT')?.body).toEqual({ id: [3] }));
  expect(await screen.findByRole('button', { name: 'System announcements' })).toBeTruthy();
});

test('it is not there while there are no announcements', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: [] } }));
  await renderConsole(<AnnouncementsWidget />);
  await waitFor(() => expect(server.calls).toHaveLength(1));
  expect(screen.queryByRole('button')).toBeNull();
});

test('whatever a text holds, only known elements and addresses come onto the page [IN1]', async () => {
  server = await startTestServer(() => ({ body: { success: true, data: [] } }));
  const html =
    '<p onclick="x()">a<script>x()</script><img src=x onerror=x()></p><a href="javascript:x()">b</a><a href="https://e.example/">c</a><style>*{}</style><svg onload=x()>';
  await renderConsole(
    <div data-testid="text">
      <SafeHtml html={html} />
    </div>,
  );
  expect(screen.getByTestId('text').innerHTML).toBe(
    '<p>a</p>b<a href="https://e.example/" target="_blank" rel="noopener noreferrer nofollow">c</a>',
  );
});
