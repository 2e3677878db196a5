import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { registerDialog } from '../../engine/dialogs/index.ts';
import { closeEverything, renderConsole, startTestServer } from '../../engine/form/test-kit.tsx';
import type { TestServer } from '../../engine/form/test-kit.tsx';
import { loadTexts } from '../../kernel/i18n/index.ts';
import { FirmwarePage } from './UpdatePages.tsx';

const asked: unknown[] = [];
registerDialog('job.start', async () => ({
  default: ({ dialog, ...order }) => {
    if (asked.length === 0) asked.push(order);
    return <button onClick={() => dialog.close()}>close</button>;
  },
}));

let server: TestServer;
afterEach(async () => {
  closeEverything();
  await server.close();
});

test('devices are chosen first; then it is asked what they get', async () => {
  server = await startTestServer(() => ({
    body: { success: true, data: [{ id: 4, name: 'Quay 4', model: 'RUTX50', firmware: 'RUTX_R_00.07.10', status: 1 }], meta: { total: 1 } },
  }));
  await loadTexts('form', 'forms-devices', 'updates');
  const user = userEvent.setup();
  await renderConsole(<FirmwarePage />);
  expect(screen.getByRole('button', { name: 'Continue with 0 devices' }).hasAttribute('disabled')).toBe(true);
  await user.click(await screen.findByRole('checkbox', { name: 'Quay 4' }));
  await user.click(screen.getByRole('button', { name: 'Continue with 1 device' }));
  await waitFor(() =>
    expect(asked).toMatchObject([
      { kind: 'update_firmware', form: 'devices/update-firmware', risk: 'disruptive', selection: { device_id: [4] }, count: 1 },
    ]),
  );
});
