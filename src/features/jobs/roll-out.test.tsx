import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { closeEverything, renderConsole, startTestServer } from '../../engine/form/test-kit.tsx';
import { loadUser } from '../../kernel/session/index.ts';
import { room } from './index.ts';
import RollOutPage from './RollOutPage.tsx';
import type { Job, JobWave } from './job-api.ts';
import type { TestServer } from '../../engine/form/test-kit.tsx';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

room.register?.();

const none = { queued: 0, sent: 0, running: 0, ok: 0, failed: 0, skipped: 0, 'timed-out': 0, cancelled: 0 };
const wave = (number: number, total: number, more: Partial<JobWave>): JobWave => ({
  ...{ id: number, number, total, state: 'planned', counts: { ...none, queued: total }, failed_percent: null, began_at: null },
  ...{ ended_at: null, ...more },
});
const job: Job = {
  ...{ id: 12, kind: 'update_firmware', state: 'running', company_id: 1, company_name: 'Fjordline', user_id: 1, user_name: 'Kari' },
  ...{
    parent_id: null,
    channel: 'jobs.12',
    reason: null,
    input: { entries: [{ file: { name: 'RUTX_R_00.07.14_WEBUI.bin' } }] },
    total: 12,
  },
  ...{ counts: { ...none, queued: 6, ok: 3, failed: 2, skipped: 1 }, starts_at: null, waits_until: null },
  waves: {
    ...{ size: 4, first: 1, approve: false, is_waiting: false, stop_percent: 30, on_stop: 'hold', pause_seconds: 300, newcomers: false },
    ...{ number: 2, total: 4, resumes_at: null, is_stopped: true },
  },
  ...{ paused_at: '2026-11-21 09:50:00', cancel_requested_at: null, message: null },
  ...{ created_at: '2026-11-21 09:41:00', started_at: '2026-11-21 09:41:00', finished_at: null },
};
const waves = [
  wave(1, 1, { state: 'done', counts: { ...none, ok: 1 }, failed_percent: 0 }),
  wave(2, 4, { state: 'done', counts: { ...none, ok: 2, failed: 2 }, failed_percent: 50 }),
  wave(3, 4, {}),
  wave(4, 2, {}),
];

let server: TestServer;
const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));

async function start(shown: Job, shownWaves: readonly JobWave[]): Promise<void> {
  server = await startTestServer(({ method, path }) => {
    if (path === '/user') return { body: { success: true, data: { id: 1, permissions: ['execute_device_updates'] } } };
    if (path === '/jobs/12/roll-back') {
      const skipped = [{ reason: 'CHANGED_SINCE', count: 1, sample: [{ id: 3, name: 'Quay 3' }] }];
      return { body: { success: true, data: plain({ total: 3, seen: null, will_run: 2, skipped, warnings: [] }) } };
    }
    if (method === 'POST') return { body: { success: true, data: null } };
    if (path === '/jobs/12') return { body: { success: true, data: plain(shown) } };
    if (path === '/jobs/12/waves') return { body: { success: true, data: plain(shownWaves) } };
    return { body: { success: true, data: [], meta: { total: 0 } } };
  });
  await loadUser();
  await renderConsole(<RollOutPage id={12} />);
}
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

test('a roll-out shows its waves with what is between them, says that too many failed, and is resumed [B7]', async () => {
  await start(job, waves);
  expect(await screen.findByRole('heading', { level: 1, name: 'Update firmware: RUTX_R_00.07.14_WEBUI.bin' })).toBeTruthy();
  const list = await screen.findByRole('list', { name: 'Waves' });
  const rows = within(list).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Wave 1canary.*Done1.*At most 30 % failed: 0 % so far · Wait 5 min$/),
    expect.stringMatching(/^Wave 2.*Done with failures.*Done2Failed2.*At most 30 % failed: 50 % so far/),
    expect.stringMatching(/^Wave 3.*Planned.*Waiting4.*At most 30 % may fail/),
    expect.stringMatching(/^Wave 4.*Planned.*Waiting2$/),
  ]);
  expect(screen.getByText(/^It stopped after wave 2: 50 % failed, more than 30 %/)).toBeTruthy();
  expect(screen.getByText('1 device was skipped from the start.')).toBeTruthy();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Resume' }));
  await waitFor(() => expect(server.calls.some(({ path }) => path === '/jobs/12/resume')).toBe(true));
});

test('all that succeeded are rolled back after a preview that says which can not [DV4]', async () => {
  const user = userEvent.setup();
  await start(job, waves);
  await user.click(await screen.findByRole('button', { name: 'Roll back 3 devices' }));
  const dialog = await screen.findByRole('dialog', { name: 'Roll back' });
  expect(await within(dialog).findByText('changed since then')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Roll back 2 devices' }));
  await waitFor(() => {
    const sent = server.calls.filter(({ path }) => path === '/jobs/12/roll-back').map(({ body }) => Object(body).dry_run);
    expect(sent).toEqual([true, undefined]);
  });
});

test('of many waves only those around the present one are shown until the others are asked for', async () => {
  const many = Array.from({ length: 20 }, (_, index) =>
    wave(index + 1, 10, index < 9 ? { state: 'done', counts: { ...none, ok: 10 }, failed_percent: 0 } : {}),
  );
  await start({ ...job, paused_at: null }, many);
  const list = await screen.findByRole('list', { name: 'Waves' });
  const user = userEvent.setup();
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(6));
  await user.click(screen.getByRole('button', { name: 'Show 6 finished waves' }));
  await user.click(screen.getByRole('button', { name: 'and 8 more waves' }));
  expect(within(list).getAllByRole('listitem')).toHaveLength(20);
});
