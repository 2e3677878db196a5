import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { MonitoringEntry } from '../../../schemas/kit/devices/monitoring-parts.ts';
import { closeEverything, renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { loadTexts } from '../../kernel/i18n/index.ts';
import { DeviceReporting } from './DeviceReporting.tsx';
import { NOTHING_KNOWN } from './tabs.tsx';

let server: TestServer;
afterEach(async () => {
  closeEverything();
  await server.close();
});

const entry = (key: string, more: Partial<MonitoringEntry> = {}): MonitoringEntry => ({
  ...{ label: key, key, down: 400, up: 624, min: 60, max: 31_536_000, period: 300, default: 300, config_id: null },
  ...{ compatKey: null, compatNotice: null },
  ...more,
});

test('each thing that a device reports has its interval and its data, and what it has not is said and costs nothing', async () => {
  const entries = [
    entry('dynamic_monitoring'),
    entry('gps_monitoring', { period: 60, compatKey: 'has_gps' }),
    entry('io_monitoring', { compatKey: 'has_io', compatNotice: 'This model has no inputs and outputs.' }),
    entry('template_7', { label: 'Vitals', config_id: 7 }),
  ];
  server = await startTestServer(() => ({ body: { success: true, data: entries, meta: {} } }));
  const device = { id: 3, name: 'Gate', updated_at: '2026-01-01 00:00:00' } as Device;
  await loadTexts('devices');
  await renderConsole(<DeviceReporting device={device} details={NOTHING_KNOWN} />);
  const cellsOf = async (name: string | RegExp) => {
    const header = await screen.findByRole('rowheader', { name });
    const row = header.closest('tr');
    return row ? within(row).getAllByRole('cell').map((cell) => cell.textContent) : []; // prettier-ignore
  };
  expect(await cellsOf('Status and readings')).toEqual(['5 min', '1 kB', '288 kB']);
  expect(await cellsOf('Position')).toEqual(['60 s', '1 kB', '1.4 MB']);
  expect(await cellsOf(/^Inputs and outputs.*no inputs/)).toEqual(['—', '—', '—']);
  expect(await cellsOf('Vitals')).toEqual(['5 min', '1 kB', '288 kB']);
  expect(screen.getByText(/About 2 MB a day/)).toBeTruthy();
});
