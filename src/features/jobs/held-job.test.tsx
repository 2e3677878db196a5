import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { openDialog } from '../../engine/dialogs/index.ts';
import { closeEverything, renderConsole, startTestServer } from '../../engine/form/test-kit.tsx';
import { loadUser } from '../../kernel/session/index.ts';
import { room } from './index.ts';
import type { Job } from './job-api.ts';
import type { TestServer } from '../../engine/form/test-kit.tsx';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

room.register?.();

const counts = { queued: 4, sent: 0, running: 0, ok: 1, failed: 0, skipped: 0, 'timed-out': 0, cancelled: 0 };
const waves: NonNullable<Job['waves']> = {
  ...{ size: 4, first: 1, approve: true, is_waiting: true, stop_percent: null, on_stop: 'end', pause_seconds: null, newcomers: false },
  ...{ number: 1, total: 2, resumes_at: null, is_stopped: false },
};
const job: Job = {
  ...{ id: 12, kind: 'update_firmware', state: 'running', company_id: 1, company_name: 'Fjordline', user_id: 1, user_name: 'Kari' },
  ...{
    parent_id: null,
    channel: 'jobs.12',
    reason: null,
    input: {},
    total: 5,
    counts,
    waves,
    paused_at: null,
    starts_at: null,
    waits_until: null,
  },
  ...{ cancel_requested_at: null, message: null, created_at: '2026-11-21 09:41:00', started_at: '2026-11-21 09:41:00', finished_at: null },
};
const preview = {
  ...{ total: 3, seen: null, will_run: 2, skipped: [{ reason: 'DOWNGRADE', count: 1, sample: [{ id: 3, name: 'Quay 3' }] }] },
  warnings: [{ code: 'MOBILE_DATA', params: { count: 2, megabytes: 24 } }],
  groups: [{ group: { model: 'RUTX50', firmware: 'RUTX_R_00.07.10', file: 'RUTX_R_00.07.14_WEBUI.bin', version: '00.07.14' }, count: 2 }],
};

let server: TestServer;
let shown: Job = job;
const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));

async function start(): Promise<ReturnType<typeof userEvent.setup>> {
  server = await startTestServer(({ method, path, body }) => {
    if (path === '/user')
      return { body: { success: true, data: { id: 1, permissions: ['execute_device_updates', 'execute_device_actions'] } } };
    if (method === 'POST' && path === '/devices/actions' && Object(body).dry_run) return { body: { success: true, data: plain(preview) } };
    if (method === 'POST') return { body: { success: true, data: null } };
    if (path === '/jobs/12') return { body: { success: true, data: plain(shown) } };
    return { body: { success: true, data: [], meta: { total: 0 } } };
  });
  await loadUser();
  await renderConsole(<p>Page</p>);
  return userEvent.setup();
}
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

test('a wave that waits is let go on, and a job is paused and resumed [B7]', async () => {
  const user = await start();
  act(() => void openDialog('job.status', { jobId: 12 }));
  expect(await screen.findByText('This wave is done. The next one waits for approval.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Start next wave' }));
  await waitFor(() => expect(server.calls.some((call) => call.path === '/jobs/12/continue')).toBe(true));
  shown = { ...job, waves: { ...waves, is_waiting: false }, paused_at: '2026-11-21 09:50:00' };
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('Paused: nothing more is sent until it is resumed.')).toBeTruthy();
  // A click while the button still waits for the former answer is ignored.
  await waitFor(async () => {
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    expect(server.calls.some((call) => call.path === '/jobs/12/resume')).toBe(true);
  });
});

test('a preview says what each model gets, what goes over mobile data, and who is newer already [B1]', async () => {
  await start();
  act(() => void openDialog('job.start', { kind: 'download_backup', risk: 'low', selection: { device_id: [1, 2, 3] }, count: 3 }));
  const table = await screen.findByRole('table', { name: 'By model' });
  expect(table.textContent).toContain('RUTX50RUTX_R_00.07.10RUTX_R_00.07.14_WEBUI.bin2');
  expect(screen.getByText('2 devices download it over their mobile connections: about 24 MB in total.')).toBeTruthy();
  expect(screen.getByText('have a newer version')).toBeTruthy();
});
