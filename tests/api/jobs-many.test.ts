import { expect, test } from 'vitest';
import { as, type Answer } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { startJob } from '../helpers/jobs.ts';
import { until } from '../helpers/until.ts';
import { makeWorld } from '../helpers/world.ts';

const DEVICES = 10_000;
const AT_ONCE = 250;

/** Filling the database keeps this very process busy, and a server that is refuses calls with 503 until it has caught up. */
async function onceCalm(call: () => Promise<Answer>): Promise<Answer> {
  return until('the server is calm', async () => {
    const answer = await call();
    return answer.status !== 503 && answer;
  });
}

test('a job for ten thousand devices: a row for each, read a page at a time, and no page larger than a hundred [B9]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const { id: _id, ...device } = await makeDevice(world, { company });
  for (let from = 1; from < DEVICES; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, DEVICES - from) }, (_, index) => {
      const number = String(from + index);
      const mac = `02:00:00:00:${number.padStart(5, '0').replace(/(..)(...)/, '$1:$2')}`;
      return { ...device, name: `many-${number}`, device_key: `key-${number}`, serial: `9${number.padStart(9, '0')}`, mac };
    });
    await world.ctx.db.insertInto('devices').values(rows).execute();
  }
  const admin = await as(world, 'admin', { company });
  const body = { action: 'reboot', selection: { query: {}, count: DEVICES } };
  const preview = await onceCalm(() => admin.post('/devices/actions', { ...body, dry_run: true }));
  expect(preview).toMatchObject({ errors: [], data: { total: DEVICES, will_run: DEVICES } });
  const { meta } = await onceCalm(() => startJob(world, admin, '/devices/actions', body));
  const job = `/jobs/${String(meta['job_id'])}`;
  expect((await admin.get(job)).data).toMatchObject({
    total: DEVICES,
    counts: { sent: world.commands.length, queued: DEVICES - world.commands.length },
  });
  const last = await admin.get(`${job}/targets`, { limit: 50, offset: DEVICES - 20 });
  expect([last.data.length, last.meta['total']]).toEqual([20, DEVICES]);
  expect((await admin.get(`${job}/targets`, { limit: 101 })).status).toBe(400);
});
