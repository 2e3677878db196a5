import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseOption } from '../../ui/test-kit.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { offerDrafts } from '../../engine/form/offer-drafts.ts';
import { api } from '../../kernel/http/index.ts';
import { loadUser } from '../../kernel/session/index.ts';
import { closeEverything, renderConsole, startTestServer } from '../../engine/form/test-kit.tsx';
import { room } from './index.ts';
import type { Job, JobTarget } from './job-api.ts';
import type { Answerer, TestServer } from '../../engine/form/test-kit.tsx';

room.register?.();

const counts: Job['counts'] = { queued: 0, sent: 0, running: 0, ok: 1, failed: 1, skipped: 1, 'timed-out': 0, cancelled: 0 };
const job: Job = {
  id: 12,
  kind: 'run',
  state: 'finished',
  company_id: 1,
  company_name: 'Fjordline',
  user_id: 1,
  user_name: 'Kari',
  parent_id: null,
  channel: 'jobs.12',
  input: { command: 'uptime' },
  reason: null,
  total: 3,
  counts,
  waves: null,
  paused_at: null,
  starts_at: null,
  waits_until: null,
  cancel_requested_at: null,
  message: null,
  created_at: '2026-11-21 09:41:00',
  started_at: '2026-11-21 09:41:00',
  finished_at: '2026-11-21 09:42:00',
};
const target = (id: number, rest: Partial<JobTarget>): JobTarget => ({
  id,
  job_id: 12,
  device_id: 100 + id,
  device_name: `Quay ${id}`,
  company_id: 1,
  company_name: 'Fjordline',
  state: 'ok',
  reason: null,
  message: null,
  code: 0,
  output: null,
  truncated: false,
  step: 1,
  steps: 1,
  step_name: null,
  file_id: null,
  wave: null,
  due_at: null,
  started_at: '2026-11-21 09:41:00',
  finished_at: '2026-11-21 09:42:00',
  ...rest,
});
const targets = [
  target(1, { output: '\u001B[32mup 9 days\u001B[0m' }),
  target(2, { state: 'failed', code: 127, message: 'exit code 127' }),
  target(3, { state: 'skipped', reason: 'OFFLINE', code: null, started_at: null }),
];

const answer: Answerer = ({ method, path, query, body }) => {
  if (path === '/devices/actions' && isDryRun(body)) {
    return {
      body: {
        success: true,
        data: {
          total: 60,
          seen: 58,
          will_run: 57,
          skipped: [{ reason: 'OFFLINE', count: 3, sample: [{ id: 3, name: 'Quay 3' }] }],
          warnings: [{ code: 'MANY_DEVICES', params: { count: 57 } }],
        },
      },
    };
  }
  if (path === '/jobs/12/retry' && isDryRun(body)) {
    // The chosen one is offline, unless the job waits for it.
    const isOffline = 'target_id' in body && !('wait_seconds' in body);
    const skipped = isOffline ? [{ reason: 'OFFLINE', count: 1, sample: [{ id: 103, name: 'Quay 3' }] }] : [];
    return { body: { success: true, data: { total: 1, seen: null, will_run: isOffline ? 0 : 1, skipped, warnings: [] } } };
  }
  if (method === 'POST') return { body: { success: true, data: null, meta: { channel: path.includes('retry') ? 'jobs.13' : 'jobs.12' } } };
  if (path.endsWith('/targets')) {
    const states = query['state']?.split(',');
    const found = targets.filter((row) => !states || states.includes(row.state));
    return { body: { success: true, data: JSON.parse(JSON.stringify(found)), meta: { total: found.length } } };
  }
  if (path === '/user') return { body: { success: true, data: { id: 1, permissions: ['execute_device_commands'] } } };
  if (path === '/jobs/12') return { body: { success: true, data: JSON.parse(JSON.stringify(job)) } };
  if (path === '/jobs/13')
    return { body: { success: true, data: JSON.parse(JSON.stringify({ ...job, id: 13, parent_id: 12, channel: 'jobs.13' })) } };
  return { body: { success: true, data: [], meta: { total: 0 } } };
};
function isDryRun(body: unknown): body is { dry_run: boolean } {
  return typeof body === 'object' && body !== null && 'dry_run' in body;
}

let server: TestServer;
let user: ReturnType<typeof userEvent.setup>;
beforeEach(async () => {
  server = await startTestServer(answer);
  user = userEvent.setup();
});
afterEach(async () => {
  act(() => closeEverything());
  await server.close();
});

test('the entries of a job are offered after signing in again, in its own dialog for the same devices [F4]', async () => {
  let isLost = false;
  await server.close();
  server = await startTestServer((call) =>
    isLost
      ? { status: 401, body: { success: false, errors: [{ code: 'UNAUTHORIZED', message: 'Sign in to continue.' }] } }
      : answer(isDryRun(call.body) ? { ...call, path: '/devices/actions' } : call),
  );
  await loadUser();
  await renderConsole(<p>Page</p>);
  const props = { kind: 'run', form: 'devices/run-command', risk: 'disruptive', selection: { device_id: [1, 2] }, count: 2 } as const;
  act(() => void openDialog('job.start', { ...props, selection: { device_id: [1, 2] } }));
  await user.type(await screen.findByRole('textbox', { name: 'Command' }), 'uptime');
  isLost = true;
  await api.get('/devices').catch(() => undefined);
  window.dispatchEvent(new Event('pagehide'));
  act(() => closeEverything());
  isLost = false;
  act(() => offerDrafts(1));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Command' })).value).toBe('uptime');
  expect(screen.getByText('Your entries were saved')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  await waitFor(() => expect(server.calls.at(-1)?.body).toMatchObject({ command: 'uptime', device_id: [1, 2], dry_run: true }));
});

describe('starting a job', () => {
  const start = (risk: 'low' | 'disruptive') =>
    act(() => void openDialog('job.start', { kind: 'reboot', risk, selection: { device_id: [1, 2] }, count: 60 }));

  test('nothing is sent before the preview says who runs, who is left out and why [B1]', async () => {
    await renderConsole(<p>Page</p>);
    start('disruptive');
    expect(await screen.findByText('Will run on 57 devices.')).toBeTruthy();
    const left = screen.getByRole('region', { name: '3 devices will be skipped' });
    expect(left.textContent).toContain('3 offline');
    expect(left.textContent).toContain('Quay 3');
    expect(screen.getByText('This affects 57 devices at once.')).toBeTruthy();
    expect(server.calls.filter((call) => call.path === '/devices/actions').map((call) => call.body)).toEqual([
      { action: 'reboot', device_id: [1, 2], dry_run: true },
    ]);
  });

  test('above 50 devices the number is typed, then the job opens [B2]', async () => {
    await renderConsole(<p>Page</p>);
    start('disruptive');
    const send = await screen.findByRole('button', { name: 'Reboot 57 devices' });
    const field = screen.getByRole('textbox', { name: 'Type 57 to confirm' });
    await user.click(send);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await user.type(field, '57{Enter}');
    expect(await screen.findByRole('dialog', { name: 'uptime' })).toBeTruthy();
    const sent = server.calls.filter((call) => call.path === '/devices/actions' && !isDryRun(call.body));
    expect(sent.map((call) => call.body)).toEqual([{ action: 'reboot', device_id: [1, 2] }]);
  });

  test('it is planned by the own clock with UTC beside it, waits for offline devices, and asks again who would run [B7]', async () => {
    await renderConsole(<p>Page</p>);
    start('disruptive');
    await chooseOption(user, await screen.findByRole('combobox', { name: 'Start' }), 'Scheduled');
    const field = screen.getByLabelText(/^Time in /);
    fireEvent.change(field, { target: { value: '2001-01-01T03:00' } });
    expect(screen.getByText('Choose a time within the next 90 days.')).toBeTruthy();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    const time = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 16);
    fireEvent.change(field, { target: { value: time } });
    const utc = /, (\d{4}-\d\d-\d\d \d\d:\d\d) in UTC$/.exec((await screen.findByText(/\d in UTC$/)).textContent ?? '')?.[1];
    await chooseOption(user, screen.getByRole('combobox', { name: 'Offline devices' }), 'Wait for them, at most 1 h');
    const times = { starts_at: `${utc}:00`, wait_seconds: 3600 };
    const calls = () => server.calls.filter((call) => call.path === '/devices/actions').map((call) => call.body);
    await waitFor(() => expect(calls().at(-1)).toMatchObject({ dry_run: true, ...times }));
    await user.type(screen.getByRole('textbox', { name: 'Type 57 to confirm' }), '57');
    await user.click(screen.getByRole('button', { name: 'Schedule for 57 devices' }));
    await waitFor(() => expect(calls().at(-1)).toEqual({ action: 'reboot', device_id: [1, 2], ...times }));
  });
});

describe('following a job', () => {
  test('counts filter the devices; raw output unfolds without its escape codes [B3]', async () => {
    await renderConsole(<p>Page</p>);
    act(() => void openDialog('job.status', { jobId: 12 }, { id: 'job-12' }));
    expect((await screen.findAllByRole('listitem')).length).toBe(3);
    await user.click(screen.getByRole('button', { name: 'Show output of Quay 1' }));
    expect(screen.getByRole('region', { name: 'Output of Quay 1' }).textContent).toBe('up 9 days');
    await user.click(screen.getByRole('button', { name: '1 failed' }));
    await waitFor(() => expect(screen.getAllByRole('listitem').length).toBe(1));
    expect(server.calls.at(-1)?.query['state']).toBe('failed,timed-out');
    expect(screen.getByText('Ended with exit code 127')).toBeTruthy();
  });

  test('is opened by the address, and the address is cleaned when it is closed [B4]', async () => {
    const { router } = await renderConsole(<p>Page</p>, '/devices?page=2&job=12');
    expect(await screen.findByRole('dialog', { name: 'uptime' })).toBeTruthy();
    expect(router.state.location.search).toBe('?page=2&job=12');
    await user.click(await screen.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(router.state.location.search).toBe('?page=2'));
  });

  test('a job of a form has the form’s name, in the language of the page', async () => {
    await server.close();
    const input = { form: 'ops/set-apn', title: { en: 'Set APN', nb: 'Sett APN' } };
    server = await startTestServer((call) =>
      call.path === '/jobs/12'
        ? { body: { success: true, data: JSON.parse(JSON.stringify({ ...job, kind: 'form', input })) } }
        : answer(call),
    );
    await renderConsole(<p>Page</p>);
    act(() => void openDialog('job.status', { jobId: 12 }, { id: 'job-12' }));
    expect(await screen.findByRole('dialog', { name: 'Set APN' })).toBeTruthy();
  });

  test('a partial failure is summarized in a sentence; its failed ones run again as a child job [B5]', async () => {
    await loadUser();
    await renderConsole(<p>Page</p>);
    act(() => void openDialog('job.status', { jobId: 12 }, { id: 'job-12' }));
    const dialog = await screen.findByRole('dialog', { name: 'uptime' });
    expect((await within(dialog).findAllByText('1 done, 1 failed, 1 skipped')).length).toBeGreaterThan(0);
    await user.click(within(dialog).getByRole('button', { name: 'Retry 1 failed' }));
    expect(await screen.findByRole('button', { name: 'Retry of job 12' })).toBeTruthy();
  });

  test('a cancelled job with devices under way says that those cannot be called back [B6]', async () => {
    await server.close();
    const busy = { ...counts, running: 1, cancelled: 1, failed: 0 };
    const cancelled = { ...job, state: 'running', counts: busy, finished_at: null, cancel_requested_at: '2026-11-21 09:41:30' };
    server = await startTestServer((call) =>
      call.path === '/jobs/12' ? { body: { success: true, data: JSON.parse(JSON.stringify(cancelled)) } } : answer(call),
    );
    await renderConsole(<p>Page</p>);
    act(() => void openDialog('job.status', { jobId: 12 }, { id: 'job-12' }));
    expect(await screen.findByText(/^Cancelled at .*: 1 device is already running it and cannot be stopped\.$/)).toBeTruthy();
  });

  test('a planned job says by whom and for when, and has lasted no time yet [B7]', async () => {
    await server.close();
    const planned = { ...job, state: 'queued', starts_at: '2099-01-01 03:00:00', started_at: null, finished_at: null };
    server = await startTestServer((call) =>
      call.path === '/jobs/12' ? { body: { success: true, data: JSON.parse(JSON.stringify(planned)) } } : answer(call),
    );
    await renderConsole(<p>Page</p>);
    act(() => void openDialog('job.status', { jobId: 12 }, { id: 'job-12' }));
    expect(await screen.findByText(/^Starts .*2099-01-01 03:00 in UTC\.$/)).toBeTruthy();
    expect(await screen.findByText(/^3 devices · scheduled 2026-11-21 \d\d:\d\d by (you|Kari)$/)).toBeTruthy();
  });

  test('a minimised job says how far it is [B4]', async () => {
    await server.close();
    const half = { ...job, state: 'running', counts: { ...counts, queued: 1, skipped: 0, failed: 0 }, total: 2, finished_at: null };
    server = await startTestServer((call) =>
      call.path === '/jobs/12' ? { body: { success: true, data: JSON.parse(JSON.stringify(half)) } } : answer(call),
    );
    await renderConsole(<p>Page</p>);
    act(() => void openDialog('job.status', { jobId: 12 }, { id: 'job-12' }));
    await user.click(await screen.findByRole('button', { name: 'Minimise' }));
    expect((await screen.findByRole('toolbar')).textContent).toContain('50 %');
  });

  test('the numbers of failed devices are copied [B5]', async () => {
    await loadUser();
    await renderConsole(<p>Page</p>);
    act(() => void openDialog('job.status', { jobId: 12 }, { id: 'job-12' }));
    await user.click(await screen.findByRole('button', { name: 'More' }));
    await user.click(await screen.findByText('Copy IDs of failed devices'));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('102'));
  });

  test('chosen ones that are offline run again when they are back [B5]', async () => {
    await loadUser();
    await renderConsole(<p>Page</p>);
    act(() => void openDialog('job.status', { jobId: 12 }, { id: 'job-12' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Select Quay 3' }));
    await user.click(screen.getByRole('button', { name: 'Retry 1 selected' }));
    await user.click(await screen.findByRole('button', { name: 'Retry on 1 device' }));
    await waitFor(() =>
      expect(server.calls.findLast((call) => call.path === '/jobs/12/retry')?.body).toEqual({ target_id: [3], wait_seconds: 604_800 }),
    );
  });
});
