import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { addDeviceEvents } from '../../server/domain/devices/events.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function auditOf(world: World, action: string) {
  return world.ctx.db.selectFrom('audit').selectAll().where('action', '=', action).orderBy('id').execute();
}

const EDITABLE = new Set(['name', 'description', 'dynamic_monitoring', 'user_set_latitude', 'user_set_longitude']);

describe('editing devices', () => {
  test('changes name and description, is found by the new name, and is in the history', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const device = await makeDevice(world, { company: top, name: 'before' });
    expect((await admin.put(`/devices/${device.id}`, { name: 'after all', description: 'Cabinet 3' })).status).toBe(200);
    expect((await admin.get('/devices', { q: 'after' })).data).toMatchObject([
      { id: device.id, name: 'after all', description: 'Cabinet 3' },
    ]);
    expect((await admin.get('/devices', { q: 'before' })).data).toEqual([]);
    await admin.put(`/devices/${device.id}`, { name: 'after all' });
    const rows = await auditOf(world, 'devices.edit');
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0]?.before ?? '')).toMatchObject({ name: 'before', serial: device.serial });
    expect(`${rows[0]?.before}${rows[0]?.after}`).not.toContain(device.credential_hash);
  });

  test('of many at once is all or nothing, with each fault at its place', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const [one, two] = [
      await makeDevice(world, { company: middle, name: 'one' }),
      await makeDevice(world, { company: middle, name: 'two' }),
    ];
    const outside = await makeDevice(world, { company: foreign });
    const bad = await admin.put('/devices', {
      data: [
        { id: one.id, name: 'fine' },
        { id: two.id, name: 'a/b' },
        { id: one.id, nmae: 'x' },
      ],
    });
    expect(bad.status).toBe(400);
    expect(bad.errors.map((error) => error.source).sort()).toEqual(['data.1.name', 'data.2.nmae']);
    const missing = await admin.put('/devices', {
      data: [
        { id: one.id, name: 'fine' },
        { id: outside.id, name: 'stolen' },
        { id: 987654, name: 'x' },
      ],
    });
    expect(missing.status).toBe(404);
    expect(missing.errors.map((error) => error.source)).toEqual(['data.1.id', 'data.2.id']);
    expect((await admin.get(`/devices/${one.id}`)).data.name).toBe('one');
    expect(
      (
        await admin.put('/devices', {
          data: [
            { id: one.id, name: 'uno' },
            { id: two.id, description: 'second' },
          ],
        })
      ).data,
    ).toEqual([one.id, two.id]);
    expect((await admin.get('/devices', { sort: 'name' })).data).toMatchObject([{ name: 'two', description: 'second' }, { name: 'uno' }]);
  });

  test('writes no other column [AC4]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const { id } = await makeDevice(world, { company: top });
    const readDevice = () => world.ctx.db.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const device = await readDevice();
    const more = Object.fromEntries(
      Object.keys(device)
        .filter((key) => !EDITABLE.has(key))
        .map((key) => [key, 1]),
    );
    const answer = await admin.put(`/devices/${device.id}`, { name: 'x', ...more });
    expect(answer.status).toBe(400);
    expect(answer.errors.map((error) => error.source).sort()).toEqual(Object.keys(more).sort());
    expect(await readDevice()).toEqual(device);
  });
});

describe('moving devices', () => {
  test('is a job: both companies see it happen, tags that may not go along come off', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const [common, left] = [
      await makeTag(world, { company: top, name: 'common' }),
      await makeTag(world, { company: middle, name: 'left behind' }),
    ];
    const device = await makeDevice(world, { company: bottom, tags: [common, left] });
    const preview = await admin.post('/devices/move', { company_id: sibling.id, device_id: [device.id], dry_run: true });
    expect(preview.data).toMatchObject({
      total: 1,
      will_run: 1,
      groups: [{ group: { from: bottom.name, tags: 'left behind' }, count: 1 }],
    });
    expect((await admin.get(`/devices/${device.id}`)).data.company_id).toBe(bottom.id);
    const started = await admin.post('/devices/move', { company_id: sibling.id, device_id: [device.id] });
    expect(started.meta['channel']).toBe(`jobs.${started.meta['job_id']}`);
    await world.ctx.jobs.settled();
    expect((await admin.get(`/devices/${device.id}`)).data).toMatchObject({
      company_id: sibling.id,
      company_name: 'Sibling',
      tags: [{ name: 'common' }],
    });
    const [row] = await auditOf(world, 'devices.move');
    const moved = (await auditOf(world, 'devices.move')).find((entry) => entry.entity === 'device') ?? row;
    expect(JSON.parse(moved?.before ?? '')).toMatchObject({ company_id: bottom.id, tag_id: [common.id, left.id] });
    expect(JSON.parse(moved?.after ?? '')).toMatchObject({ company_id: sibling.id, tag_id: [common.id] });
    expect((await admin.get(`/devices/${device.id}/logs`)).data).toMatchObject([
      { type: 'moved', company_id: sibling.id, user_id: admin.user.id },
    ]);
  });

  test('needs both ends in scope [AC6]', async () => {
    await using world = await makeWorld();
    const { middle, bottom, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const [own, outside] = [await makeDevice(world, { company: middle }), await makeDevice(world, { company: foreign })];
    const out = await admin.post('/devices/move', { company_id: foreign.id, device_id: [own.id] });
    expect(out.errors).toMatchObject([{ code: 'NOT_FOUND', source: 'company_id' }]);
    const into = await admin.post('/devices/move', { company_id: bottom.id, device_id: [own.id, outside.id] });
    expect(into.errors).toMatchObject([{ code: 'NOT_FOUND', source: 'device_id.1' }]);
    await world.ctx.jobs.settled();
    const rows = await world.ctx.db.selectFrom('devices').select(['id', 'company_id']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: own.id, company_id: middle.id },
      { id: outside.id, company_id: foreign.id },
    ]);
  });

  test('the history of either company shows a move, and nothing of the other company to those who do not see it [AC6]', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const mover = await as(world, 'admin', { company: top });
    const [old, next] = [await as(world, 'admin', { company: middle }), await as(world, 'admin', { company: sibling })];
    const device = await makeDevice(world, { company: middle, name: 'Quay 4' });
    await mover.post('/devices/move', { company_id: sibling.id, device_id: [device.id] });
    await world.ctx.jobs.settled();
    const ofDevices = { entity: 'device' };
    const [left, ...noMore] = (await old.get('/history', ofDevices)).data;
    expect(noMore).toEqual([]);
    expect(left).toMatchObject({ action: 'devices.leave', entity_name: 'Quay 4', entity_id: null, before: null, after: null });
    const came = await next.get('/history', ofDevices);
    expect(came.data).toMatchObject([{ action: 'devices.move', entity_id: device.id, after: { company_id: sibling.id } }]);
    expect(Object.keys(came.data[0].before)).not.toContain('company_id');
    for (const { text } of [came, await next.get('/history/changes', ofDevices), await next.get('/history/export')])
      expect(text).not.toContain('Middle');
    const [{ before, labels }] = (await mover.get('/history', { ...ofDevices, entity_id: device.id })).data;
    expect([before.company_id, labels[`company_id:${middle.id}`]]).toEqual([middle.id, 'Middle']);
  });

  test('a person who sees one company only is not notified of the removal of one below it [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const one = await as(world, 'end_user', { company: top });
    await admin.delete(`/companies/${middle.id}`);
    for (const path of ['/history', '/history/changes', '/history/export']) {
      expect((await admin.get(path)).text).toContain('companies.remove');
      expect((await one.get(path)).text).not.toContain('companies.remove');
    }
  });

  test('after a move the old company sees neither the device nor what happened to it [AC6]', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const mover = await as(world, 'admin', { company: top });
    const [old, next] = [await as(world, 'admin', { company: middle }), await as(world, 'admin', { company: sibling })];
    const device = await makeDevice(world, { company: middle });
    await inTransaction(world.ctx.db, (trx) =>
      addDeviceEvents(world.ctx, trx, [
        { deviceId: device.id, companyId: middle.id, serial: device.serial, type: 'connected', message: 'in the old company' },
      ]),
    );
    await mover.post('/devices/move', { company_id: sibling.id, device_id: [device.id] });
    await world.ctx.jobs.settled();
    expect((await old.get(`/devices/${device.id}`)).status).toBe(404);
    expect((await old.get('/devices')).meta['total']).toBe(0);
    expect((await next.get(`/devices/${device.id}/logs`)).data.map((event: { type: string }) => event.type)).toEqual(['moved']);
    expect((await mover.get(`/devices/${device.id}/logs`)).data.map((event: { type: string }) => event.type)).toEqual([
      'moved',
      'connected',
    ]);
  });
});

describe('removing devices', () => {
  test('is a job that ends the connections and keeps the devices for their restoration', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const tag = await makeTag(world, { company: top });
    const device = await makeDevice(world, { company: middle, tags: [tag] });
    const kept = await makeDevice(world, { company: middle });
    expect((await admin.delete('/devices', { device_id: [device.id] })).meta['channel']).toMatch(/^jobs\.\d+$/);
    await world.ctx.jobs.settled();
    expect((await admin.get('/devices')).data.map((row: { id: number }) => row.id)).toEqual([kept.id]);
    expect(world.commands).toEqual([]);
    const entry = (await auditOf(world, 'devices.remove')).find((row) => row.entity === 'device');
    expect(JSON.parse(entry?.before ?? '')).toMatchObject({ id: device.id, serial: device.serial, tag_id: [tag.id] });
    expect(entry?.after).toBeNull();
    await world.clock.advance(10 * SECOND);
  });

  test('is refused to those without the right, and for foreign devices [AC1]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const [own, outside] = [await makeDevice(world, { company: middle }), await makeDevice(world, { company: foreign })];
    const client = await as(world, 'end_user', { company: middle });
    expect((await client.delete('/devices', { device_id: [own.id] })).status).toBe(403);
    const admin = await as(world, 'admin', { company: middle });
    expect((await admin.delete('/devices', { device_id: [own.id, outside.id] })).status).toBe(404);
    expect((await admin.delete('/devices', {})).status).toBe(400);
    expect((await admin.get('/devices')).meta['total']).toBe(1);
  });

  test('"all that match" is evaluated with the rights of the one who asks [T5]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    await makeDevice(world, { company: middle, model: 'OLD' });
    await makeDevice(world, { company: middle });
    const outside = await makeDevice(world, { company: foreign, model: 'OLD' });
    const admin = await as(world, 'admin', { company: middle });
    const started = await admin.delete('/devices', { selection: { query: { model: 'OLD' }, count: 2 } });
    expect(started.meta).toMatchObject({ count: 1, seen: 2 });
    await world.ctx.jobs.settled();
    expect((await admin.get('/devices')).meta['total']).toBe(1);
    expect(await world.ctx.db.selectFrom('devices').select('id').where('id', '=', outside.id).executeTakeFirst()).toBeDefined();
    await world.clock.advance(1 * MINUTE);
  });
});

describe('devices in quarantine', () => {
  test('are shown as pending, let in or refused; others cannot be decided about', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const values = { company: top, status: 2, quarantine: 'duplicate_serial' } as const;
    const [first, second, running] = [
      await makeDevice(world, values),
      await makeDevice(world, values),
      await makeDevice(world, { company: top }),
    ];
    expect((await admin.get('/devices', { status: 'pending' })).meta['total']).toBe(2);
    expect((await admin.put(`/devices/${first.id}/quarantine`, { decision: 'accept' })).data).toEqual({ id: first.id });
    expect((await admin.get(`/devices/${first.id}`)).data).toMatchObject({ quarantine: null, status: null });
    expect((await admin.put(`/devices/${second.id}/quarantine`, { decision: 'refuse' })).status).toBe(200);
    expect((await admin.get(`/devices/${second.id}`)).status).toBe(404);
    expect((await admin.put(`/devices/${running.id}/quarantine`, { decision: 'accept' })).codes).toEqual(['NOT_QUARANTINED']);
    await world.clock.advance(1 * MINUTE);
  });
});
