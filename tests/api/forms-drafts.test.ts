import { expect, test } from 'vitest';
import { as, asUser } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeRole } from '../helpers/factories.ts';
import { apnForm, textOf } from '../helpers/forms.ts';
import { makeWorld } from '../helpers/world.ts';

const DRY_RUN = '/forms/check/dry-run';
const MINUTES = 60_000;

test('a text that is not saved is drawn and tried: its code for some minutes, its command for a device, and nothing happens [G4]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world, { name: 'Fjordline' });
  const device = await makeDevice(world, { company, name: 'Quay 4' });
  const admin = await as(world, 'super_admin', { company });
  const checked = await admin.post('/forms/check', { text: textOf(apnForm()) });
  const { hash } = checked.data;
  const code = await admin.get(`//forms-code/ops/set-apn.${hash}.js`);
  expect([code.status, code.text.includes('export const form')]).toEqual([200, true]);
  expect((await admin.get(`//forms-code/ops/other.${hash}.js`)).status).toBe(404);

  const data = { apn: 'iot.example', auth: 'pap', password: 'hunter2', device_id: [device.id] };
  const tried = await admin.post(DRY_RUN, { hash, data });
  expect(tried.data).toMatchObject({ will_run: 1, device: { id: device.id } });
  expect(tried.data.command).toContain(`'uci' 'set' 'network.mob1s1a1.apn=iot.example'`);
  expect(tried.data.command).not.toContain('hunter2');
  expect((await admin.post(DRY_RUN, { hash, data: { ...data, dry_run: false } })).data.will_run).toBe(1);
  expect(world.commands).toEqual([]);
  expect(await world.ctx.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  expect((await admin.post(DRY_RUN, { hash, data: { ...data, apn: '' } })).errors).toMatchObject([{ source: 'apn' }]);

  await world.clock.jump(11 * MINUTES);
  const later = await asUser(world, admin.user);
  expect((await later.post(DRY_RUN, { hash, data })).codes).toEqual(['NOT_FOUND']);
});

test('a text under edit is for those who manage forms, and tried only with the right that it names [G4]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world, { name: 'Fjordline' });
  const device = await makeDevice(world, { company });
  const admin = await as(world, 'super_admin', { company });
  const { hash } = (await admin.post('/forms/check', { text: textOf(apnForm()) })).data;
  const sender = await as(world, await makeRole(world, { company, permissions: ['execute_device_actions', 'view_devices'] }), { company });
  const author = await as(world, await makeRole(world, { company, permissions: ['manage_forms', 'view_devices'] }), { company });
  const body = { hash, data: { apn: 'iot.example', device_id: [device.id] } };
  expect((await sender.post(DRY_RUN, body)).codes).toEqual(['FORBIDDEN']);
  expect((await author.post(DRY_RUN, body)).codes).toEqual(['FORBIDDEN']);
  expect((await sender.get(`//forms-code/ops/set-apn.${hash}.js`)).status).toBe(404);
});
