import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const MISSING = { errors: [{ code: 'INVALID_FIELD', source: 'reason' }] };

test('a company asks why risky jobs are started on its devices and on those below; the reason is with the job and in the history', async () => {
  await using world = await makeWorld();
  const { top, bottom } = await makeTree(world);
  const device = await makeDevice(world, { company: bottom, status: 1 });
  const admin = await as(world, 'admin', { company: top });
  const reboot = { action: 'reboot', device_id: [device.id] };
  expect((await admin.post('/devices/actions', { ...reboot, dry_run: true })).data).toMatchObject({ asks_reason: false });

  expect((await admin.put(`/companies/${top.id}/reasons`, { asks_reason: true })).status).toBe(200);
  expect((await admin.get(`/companies/${top.id}/reasons`)).data).toMatchObject({ asks_reason: true });
  expect((await admin.post('/devices/actions', { ...reboot, dry_run: true })).data).toMatchObject({ asks_reason: true });
  for (const reason of [undefined, '   ']) {
    const refused = await admin.post('/devices/actions', { ...reboot, reason });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining(MISSING.errors[0] ?? {})] }),
    ]);
  }
  const { meta } = await admin.post('/devices/actions', { ...reboot, reason: ' Hangs since the storm ' });
  expect((await admin.get(`/jobs/${meta['job_id']}`)).data).toMatchObject({ reason: 'Hangs since the storm' });
  const { data } = await admin.get('/history', { entity: 'job' });
  expect(data[0]).toMatchObject({ action: 'devices.reboot', after: { reason: 'Hangs since the storm' } });
});

test('harmless jobs need no reason, and only those who may change a company ask for one [AC2]', async () => {
  await using world = await makeWorld();
  const { top, foreign } = await makeTree(world);
  const device = await makeDevice(world, { company: top, status: 1 });
  const admin = await as(world, 'admin', { company: top });
  await admin.put(`/companies/${top.id}/reasons`, { asks_reason: true });
  expect((await admin.post('/devices/actions', { action: 'update_metrics_data', device_id: [device.id] })).status).toBe(200);
  const guest = await as(world, 'read_only', { company: top });
  expect((await guest.put(`/companies/${top.id}/reasons`, { asks_reason: false })).status).toBe(403);
  expect((await admin.put(`/companies/${foreign.id}/reasons`, { asks_reason: false })).status).toBe(404);
});
