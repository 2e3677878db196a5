import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sweepFiles } from '../../server/features/files/index.ts';
import { sweepUploads } from '../../server/kernel/http/uploads.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeFile, makeRole, makeTree } from '../helpers/factories.ts';
import { download, namesBelow } from '../helpers/files.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { makeWorld } from '../helpers/world.ts';

describe('lists, edits and removals', () => {
  test('the list filters by type, owner and device, searches, sorts', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const device = await makeDevice(world, { company: top, name: 'quay' });
    await makeFile(world, { company: top, name: 'b.cfg', content: '22' });
    await makeFile(world, { company: top, name: 'a.log', type: 'eventslog', device_id: device.id, content: '1' });
    await makeFile(world, { company: null, name: 'c.bin', content: '333' });
    const admin = await as(world, 'admin', { company: top });
    const names = async (query: Record<string, string | number>) =>
      (await admin.get('/files', query)).data.map((row: { name: string }) => row.name);
    expect(await names({ sort: 'name' })).toEqual(['a.log', 'b.cfg', 'c.bin']);
    expect(await names({ sort: '-file_size' })).toEqual(['c.bin', 'b.cfg', 'a.log']);
    expect(await names({ type: 'eventslog' })).toEqual(['a.log']);
    expect(await names({ owner: 'company,global', sort: 'name' })).toEqual(['b.cfg', 'c.bin']);
    expect(await names({ device_id: device.id })).toEqual(['a.log']);
    expect(await names({ device_id: 'is_null', sort: 'name' })).toEqual(['b.cfg', 'c.bin']);
    expect(await names({ q: 'A.L' })).toEqual(['a.log']);
    expect((await admin.get('/files', { type: 'eventslog' })).data[0]).toMatchObject({ device_name: 'quay', owner: 'device' });
  });

  test('a device that went to another company is not named to the company that it left', async () => {
    await using world = await makeWorld();
    const { middle, sibling } = await makeTree(world);
    const device = await makeDevice(world, { company: sibling, name: 'gone' });
    const file = await makeFile(world, { company: middle, device_id: device.id, type: 'troubleshoot' });
    const admin = await as(world, 'admin', { company: middle });
    expect((await admin.get(`/files/${file.id}`)).data.device_name).toBeNull();
  });

  test('the description changes, and the history has both', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const file = await makeFile(world, { company: top, description: 'old' });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.put(`/files/${file.id}`, { description: 'new' })).data.description).toBe('new');
    expect((await admin.put(`/files/${file.id}`, { description: 'x'.repeat(256) })).errors[0]?.source).toBe('description');
    const row = await world.ctx.db.selectFrom('audit').selectAll().where('action', '=', 'files.edit').executeTakeFirstOrThrow();
    expect([JSON.parse(row.before ?? '').description, JSON.parse(row.after ?? '').description]).toEqual(['old', 'new']);
    expect(row.after).not.toContain(file.content_key);
  });

  test('a removed file is gone with its bytes; of several all or none', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const mine = await makeFile(world, { company: middle });
    const other = await makeFile(world, { company: top });
    const theirs = await makeFile(world, { company: foreign });
    const admin = await as(world, 'admin', { company: top });
    expect(await admin.post('/files/remove', { files: [mine.id, theirs.id] })).toMatchObject({
      status: 404,
      errors: [{ source: 'files.1' }],
    });
    expect(namesBelow(world, 'files')).toHaveLength(3);
    expect((await admin.delete(`/files/${mine.id}`)).status).toBe(200);
    expect((await admin.post('/files/remove', { files: [other.id] })).status).toBe(200);
    expect(namesBelow(world, 'files')).toEqual([theirs.content_key]);
  });
});

describe('global firmware', () => {
  test('is uploaded by people with the permission, seen by every company, and changed by nobody else', async () => {
    await using world = await makeWorld();
    const { foreign, middle } = await makeTree(world);
    const owner = await as(world, 'super_admin');
    const made = await sendParts(world, owner, '/files/global/firmware', [filePart('bytes', 'RUTX_R_00.07.14.2_WEBUI.bin')]);
    expect(made.status).toBe(201);
    const path = `/files/${made.data.id}`;
    for (const company of [foreign, middle]) {
      const admin = await as(world, 'admin', { company });
      expect((await admin.get(path)).data).toMatchObject({ owner: 'global', company_id: null, version: '00.07.14.2' });
      expect((await download(world, admin, `${path}/download`)).body).toBe('bytes');
      expect(await admin.put(path, { description: 'mine' })).toMatchObject({ status: 403 });
      expect(await admin.delete(path)).toMatchObject({ status: 403 });
      expect((await sendParts(world, admin, '/files/global/firmware', [filePart('x', 'a.bin')])).status).toBe(403);
    }
    const keeper = await as(world, await makeRole(world, { permissions: ['view_files', 'update_files', 'upload_files_global_scope'] }));
    expect((await keeper.put(path, { description: 'stable' })).status).toBe(200);
    expect((await keeper.get('/files/global/firmware')).data).toHaveLength(1);
    expect((await owner.delete(path)).status).toBe(200);
  });
});

describe('what a crash leaves behind', () => {
  test('halves of uploads and contents without a file are swept, what belongs to a file stays [FT1]', async () => {
    await using world = await makeWorld();
    const file = await makeFile(world);
    const { dataDir } = world.ctx.config;
    const half = join(dataDir, 'uploads', 'half');
    const orphan = join(dataDir, 'files', 'ab', 'abababab-8f0e-4d7a-9d55-0c7b1f3f2a10');
    for (const path of [half, orphan]) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, 'half');
      const hoursAgo = Date.now() / 1000 - 7200;
      utimesSync(path, hoursAgo, hoursAgo);
    }
    await sweepUploads(world.ctx);
    await sweepFiles(world.ctx);
    expect(namesBelow(world, 'uploads')).toEqual([]);
    expect(namesBelow(world, 'files')).toEqual([file.content_key]);
  });
});
