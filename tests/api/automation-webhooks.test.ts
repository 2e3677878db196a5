import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { HOUR, MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { webhookTo, WEBHOOK_SECRET } from '../helpers/forms.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

/** A company with a rule that calls a webhook, and then raises an alert, for each device that is offline. */
async function makeCallingWorld(url: string) {
  const { world, say } = await makeReportingWorld(webhookTo(url, true));
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const actions = [{ name: 'Webhook', options: { url: 'tickets' } }, { name: 'RaiseAlert' }];
  const conditions_body = [{ type: 'if', expression: [{ parameter: 'status', operator: '==', value: 'offline' }], actions }];
  const { data: rule } = await admin.post('/automations', { name: 'Ticket', cooldown_duration: 0, conditions_body });
  const goOffline = async (device: Row<'devices'>) => {
    await say(device, 'status', { online: false });
    await world.clock.advance(5 * SECOND);
  };
  const entries = async () => (await (await as(world, 'admin', { company })).get(`/automations/${rule.id}/logs`)).data;
  const alerts = async () => (await (await as(world, 'admin', { company })).get('/alerts')).data;
  return { world, company, rule, goOffline, entries, alerts };
}

test('the webhook of a rule is called once and signed, again with pauses while it does not take it, and the log says what it answered', async () => {
  await using receiver = await startReceiver([503, 500, 200]);
  const { world, company, rule, goOffline, entries, alerts } = await makeCallingWorld(receiver.url);
  await using _world = world;
  const device = await makeDevice(world, { company, status: 1, name: 'Till' });
  await goOffline(device);
  expect((await alerts()).map(({ device_name }: { device_name: string }) => device_name)).toEqual(['Till']);
  expect(await entries()).toMatchObject([
    { status: 'done', actions: [{ name: 'Webhook', status: 'ok', message: 'queued' }, { status: 'ok' }] },
  ]);
  for (let minute = 0; minute < 2; minute += 1) await world.clock.advance(1 * MINUTE);
  const [entry] = await entries();
  expect(receiver.taken).toHaveLength(3);
  expect(entry).toMatchObject({
    status: 'done',
    actions: [
      { status: 'ok', message: '200' },
      { name: 'RaiseAlert', status: 'ok' },
    ],
  });
  for (const { headers, body } of receiver.taken) {
    const signed = createHmac('sha256', WEBHOOK_SECRET).update(`${String(headers['x-canopy-timestamp'])}.${body}`);
    expect(headers['x-canopy-signature']).toBe(`sha256=${signed.digest('hex')}`);
    expect(JSON.parse(body)).toMatchObject({
      ...{ automation: { id: rule.id, name: 'Ticket' }, device: { id: device.id, name: 'Till' }, delivery: `${entry.id}-0` },
      conditions: [{ parameter: 'status', actual: 'offline' }],
    });
  }
  await world.clock.jump(8 * HOUR);
  expect(receiver.taken).toHaveLength(3);
  expect(await world.ctx.db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
});

test('a webhook that never answers is given up after hours, the entry says so, and meanwhile it holds up nothing else', async () => {
  await using receiver = await startReceiver(Array.from({ length: 20 }, () => 503));
  const { world, company, goOffline, entries, alerts } = await makeCallingWorld(receiver.url);
  await using _world = world;
  for (const name of ['First', 'Second']) await goOffline(await makeDevice(world, { company, status: 1, name }));
  expect(await alerts()).toHaveLength(2);
  await world.clock.advance(3 * MINUTE);
  for (let hour = 0; hour < 8; hour += 1) await world.clock.jump(1 * HOUR);
  await world.clock.advance(10 * SECOND);
  expect(receiver.taken).toHaveLength(12);
  const failed = { status: 'failed', action_status_message: '503', actions: [{ status: 'failed', message: '503' }, { status: 'ok' }] };
  expect(await entries()).toMatchObject([failed, failed]);
});
