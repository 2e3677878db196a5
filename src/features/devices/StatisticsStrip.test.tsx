import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { closeEverything, renderConsole, startTestServer, type TestServer } from '../../engine/form/test-kit.tsx';
import { loadTexts } from '../../kernel/i18n/index.ts';
import type { Resource } from '../../engine/resources/resource.ts';
import { resources } from '../../engine/resources/all.ts';
import StatisticsStrip from './StatisticsStrip.tsx';

const deviceList = resources.find(({ name }) => name === 'devices') as Resource;
let server: TestServer | undefined;
afterEach(async () => {
  await closeEverything();
  await server?.close();
});

async function open(status: Record<string, number>, loadedAt: number): Promise<void> {
  server = await startTestServer(({ path }) =>
    path === '/devices/statistics'
      ? { body: { success: true, data: { status, connection_type: {}, firmware: {}, signal: {} } } }
      : { body: { success: true, data: [], meta: { total: 0 } } },
  );
  await loadTexts('devices');
  await renderConsole(
    <StatisticsStrip
      resource={deviceList}
      filters={[]}
      query={{ company_id: String(loadedAt) }}
      onFilter={() => undefined}
      loadedAt={loadedAt}
    />,
  );
}

test('the fleet is shown in bars once there is a device, and one without parts says so', async () => {
  await open({ '1': 3 }, 1);
  expect(await screen.findByText('Online')).toBeTruthy();
  expect(screen.getAllByText('No devices')).toHaveLength(3);
});

test('before the first device there are no empty bars', async () => {
  await open({ '0': 0, '1': 0, '2': 0 }, 2);
  await waitFor(() => expect(document.querySelector('section')).toBeNull());
});
