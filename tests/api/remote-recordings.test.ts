import { writeFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { recordingPath } from '../../server/domain/remote/recording.ts';
import { as, send } from '../helpers/as.ts';
import { changeMember, makeCompany, makeDevice, makeRole, makeTag, makeTree } from '../helpers/factories.ts';
import { makeRemoteRecords } from '../helpers/remote-samples.ts';
import { makeWorld } from '../helpers/world.ts';

test.each(['http', 'vnc'] as const)(
  'a recording (%s) is read by those who may watch recordings of its company only, and each time is in the history [AC1]',
  async (protocol) => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const records = await makeRemoteRecords(world, {
      company: middle,
      device: await makeDevice(world, { company: middle }),
      user: admin.user,
      tag: await makeTag(world, { company: middle }),
      marker: 'quay',
    });
    const id = records['devices/connect/sessions'] ?? 0;
    const file = recordingPath(world.ctx.config.dataDir, { id, protocol });
    await world.ctx.db.updateTable('remote_sessions').set({ protocol }).where('id', '=', id).execute();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"version": 2}\n');
    const path = `/devices/connect/sessions/${id}/recording`;
    const offered = async () => (await admin.get('/devices/connect/logs')).data.find((one: { id: number }) => one.id === id).has_recording;
    const { ended_at } = await world.ctx.db.selectFrom('remote_sessions').select('ended_at').where('id', '=', id).executeTakeFirstOrThrow();
    await world.ctx.db.updateTable('remote_sessions').set({ ended_at: null }).where('id', '=', id).execute();
    expect([await offered(), (await admin.get(path)).status], 'while the session goes on').toEqual([0, 404]);
    await world.ctx.db.updateTable('remote_sessions').set({ ended_at }).where('id', '=', id).execute();
    expect(await offered()).toBe(1);
    expect(await admin.get(path)).toMatchObject({ status: 200, text: '{"version": 2}\n' });
    expect((await (await as(world, 'admin', { company: top })).get(path)).status).toBe(200);
    const user = await as(world, 'end_user', { company: middle });
    expect((await user.get(path)).codes, 'may connect, and not watch others').toEqual(['FORBIDDEN']);
    for (const company of [sibling, await makeCompany(world)])
      expect((await (await as(world, 'admin', { company })).get(path)).codes).toEqual(['NOT_FOUND']);
    expect((await send(world, 'GET', path, {})).status, 'nobody is signed in').toBe(401);
    await changeMember(world, admin.user, { role: await makeRole(world) });
    expect((await admin.get(path)).status, 'the right was taken').toBe(403);
    const looked = await world.ctx.db.selectFrom('audit').select('id').where('action', '=', 'remote-access.recording').execute();
    expect(looked).toHaveLength(2);
  },
);
