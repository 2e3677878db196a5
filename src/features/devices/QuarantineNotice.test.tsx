import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { closeEverything, renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { loadTexts } from '../../kernel/i18n/index.ts';
import { loadUser } from '../../kernel/session/index.ts';
import { QuarantineNotice } from './QuarantineNotice.tsx';

const shared = { model: 'RUTX11', wan_ip: '203.0.113.7', company_name: 'Kraftnett', last_update_at: null };
const rows = [
  { ...shared, id: 3, name: 'Quay 3', mac: '00:1E:42:00:00:01' },
  { ...shared, id: 7, name: 'Quay 7', mac: '00:1E:42:00:00:02' },
];

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(({ path }) => {
    if (path === '/user') return { body: { success: true, data: { id: 1, permissions: ['view_devices', 'update_devices'] } } };
    if (path === '/devices/7/namesakes') return { body: { success: true, data: rows } };
    return { body: { success: true, data: [], meta: { total: 0 } } };
  });
  await loadUser();
});
afterEach(async () => {
  await closeEverything();
  await server.close();
});

test('a device that waits stands beside the one with its serial number, with what differs and the decision', async () => {
  await loadTexts('devices');
  await renderConsole(<QuarantineNotice device={{ id: 7, name: 'Quay 7', quarantine: 'duplicate_serial' } as Device} />);
  const other = await screen.findByRole('row', { name: /Quay 3/ });
  expect(within(other).getByRole('link', { name: 'Quay 3' }).getAttribute('href')).toBe('/devices/3');
  expect(within(other).getByText('MAC address')).toBeTruthy();
  expect(within(other).getByText('00:1E:42:00:00:01').tagName).toBe('MARK');
  expect(within(screen.getByRole('row', { name: /Quay 7/ })).queryByRole('link')).toBeNull();
  await userEvent.setup().click(screen.getByRole('button', { name: /^Refuse/ }));
  expect(await screen.findByRole('dialog')).toBeTruthy();
});
