import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import { makeWorld } from '../helpers/world.ts';

test('the demo fleet is simulated devices on the real protocol in a company of its own, and goes at one call', async () => {
  await using world = await makeWorld({ listen: true, broker: true });
  const company = await makeCompany(world, { name: 'Fjordline' });
  const administrator = await as(world, 'super_admin', { company });
  const devices = () => world.ctx.db.selectFrom('devices').selectAll().execute();
  expect((await administrator.get('/demo-fleet')).data).toEqual({ company_id: null, devices: 12 });

  const { data } = await administrator.post('/demo-fleet', {});
  await until('all are online', async () => (await devices()).filter(({ status }) => status === 1).length === 12);
  const all = await devices();
  expect(new Set(all.map((device) => device.company_id))).toEqual(new Set([data.company_id]));
  const { data: shown } = await administrator.get(`/devices?company_id=${data.company_id}&limit=100`);
  expect(shown.every((device: { is_simulated?: boolean }) => device.is_simulated)).toBe(true);
  // Started once more it is the same one.
  expect((await administrator.post('/demo-fleet', {})).data).toEqual(data);
  const admin = await as(world, 'admin', { company });
  expect((await admin.delete('/demo-fleet')).status).toBe(403);

  await administrator.delete('/demo-fleet');
  await world.clock.advance(MINUTE);
  expect(await devices()).toEqual([]);
  expect(await world.ctx.db.selectFrom('companies').select('name').execute()).not.toContainEqual({ name: 'Demo fleet' });
  expect(existsSync(join(world.ctx.config.dataDir, 'demo-fleet.json'))).toBe(false);
  expect((await administrator.get('/demo-fleet')).data.company_id).toBeNull();
});
