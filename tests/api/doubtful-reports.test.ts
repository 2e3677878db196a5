import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

test('after a clock of a device that was ahead, rules act at once on what it says next [CA6]', async () => {
  const { world, say } = await makeReportingWorld();
  await using _ = world;
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, status: 1 });
  await admin.post('/automations', {
    ...{ name: 'Full', cooldown_duration: 0, applies_to: 'device', device_ids: [device.id] },
    conditions_body: [
      {
        type: 'if',
        expression: [{ parameter: 'tank_level', operator: '>', value: '90' }],
        actions: [{ name: 'RaiseAlert', options: { severity: 'critical', message: '%rn: %ex' } }],
      },
    ],
  });
  await world.clock.advance(3 * SECOND);
  const seconds = (ahead: number): number => Math.floor((world.clock.now() + ahead) / SECOND);
  await say(device, 'telemetry', { at: seconds(50 * MINUTE), values: { tank_level: 20 } });
  await world.clock.advance(MINUTE);
  await say(device, 'telemetry', { at: seconds(0), values: { tank_level: 95 } });
  await world.clock.advance(3 * SECOND);
  expect(await world.ctx.db.selectFrom('alerts').select('device_id').execute()).toEqual([{ device_id: device.id }]);
  const future = await world.ctx.db.selectFrom('device_samples').select('at').where('at', '>', world.clock.now()).execute();
  expect(future).toEqual([]);
});

test('0,0 without a fix, and degrees that are none, are no place of a device [CI5]', async () => {
  const { world, say } = await makeReportingWorld();
  await using _ = world;
  const device = await makeDevice(world, { status: 1 });
  const positions = [
    { lat: 0, lon: 0 },
    { lat: 0, lon: 0, satellites: 0 },
    { lat: 59.9, lon: 10.7, satellites: 0 },
    { lat: 59.9, lon: 10.7, fix: 0 },
    { lat: 91, lon: 10 },
    { lat: 10, lon: 181 },
    { lat: null, lon: 10 },
    { lat: 'NaN', lon: 10 },
  ];
  for (const position of positions) {
    await say(device, 'details', { position });
    await world.clock.advance(11 * SECOND);
  }
  const places = () => world.ctx.db.selectFrom('device_positions').select(['latitude', 'longitude']).execute();
  expect(await places()).toEqual([]);
  await say(device, 'details', { position: { lat: 59.9, lon: 10.7, satellites: 7 } });
  expect(await places()).toEqual([{ latitude: 59.9, longitude: 10.7 }]);
});
