import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromBuffer } from 'yauzl';
import { sweepFiles } from '../../server/features/files/sweep.ts';
import { sweepUploads } from '../../server/kernel/http/uploads.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeFile, makeRole, makeTree } from '../helpers/factories.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

function namesBelow(world: World, folder: string): string[] {
  const path = join(world.ctx.config.dataDir, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

function upload(world: World, caller: Caller, company: { id: number }, content: string | Buffer, name = 'ferry.cfg', type = 'config') {
  return sendParts(world, caller, '/files', [
    { name: 'company_id', text: String(company.id) },
    { name: 'type', text: type },
    { name: 'description', text: 'For the ferries' },
    filePart(content, name),
  ]);
}

async function download(world: World, caller: Caller, path: string, headers: Record<string, string> = {}, body?: object) {
  return world.app.fastify.inject({
    method: body ? 'POST' : 'GET',
    url: `/api${path}`,
    headers: { ...caller.headers, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  });
}

/** The entries of a ZIP: name → text. */
function unzip(bytes: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      const entries: Record<string, string> = {};
      zip.on('entry', (entry: { fileName: string }) => {
        zip.openReadStream(entry as never, (failure, content) => {
          if (failure) return reject(failure);
          const chunks: Buffer[] = [];
          content.on('data', (chunk: Buffer) => chunks.push(chunk));
          content.on('end', () => {
            entries[entry.fileName] = Buffer.concat(chunks).toString();
            zip.readEntry();
          });
        });
      });
      zip.on('end', () => resolve(entries));
      zip.readEntry();
    });
  });
}

describe('uploading', () => {
  test('keeps the bytes with their sum, and tells who did it; nothing is left of the call', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = await upload(world, admin, middle, 'ssid=ferry\n');
    expect(made.status).toBe(201);
    expect((await admin.get(`/files/${made.data.id}`)).data).toMatchObject({
      name: 'ferry.cfg',
      description: 'For the ferries',
      type: 'config',
      owner: 'company',
      company_name: 'Middle',
      file_size: 11,
      sha256: createHash('sha256').update('ssid=ferry\n').digest('hex'),
    });
    expect((await download(world, admin, `/files/${made.data.id}/download`)).body).toBe('ssid=ferry\n');
    expect(namesBelow(world, 'uploads')).toEqual([]);
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'files.new', entity_name: 'ferry.cfg' });
  });

  test('reads model and version out of the name of a firmware, and takes nothing else for one', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = await upload(world, admin, top, 'bytes', 'RUT9XX_R_00.06.00_WEBUI.bin', 'firmware');
    expect((await admin.get(`/files/${made.data.id}`)).data).toMatchObject({ device_model: 'RUT9XX', version: '00.06.00' });
    expect(await upload(world, admin, top, 'bytes', 'holiday.png', 'firmware')).toMatchObject({
      status: 400,
      codes: ['FILE_KIND'],
      errors: [{ source: 'file' }],
    });
    for (const type of ['global_firmware', 'eventslog', 'nothing'])
      expect([type, (await upload(world, admin, top, 'bytes', 'a.bin', type)).errors[0]?.source]).toEqual([type, 'type']);
    expect(namesBelow(world, 'files')).toHaveLength(1);
  });

  test.each(['a<b.cfg', 'a|b', "o'brien.cfg", 'a*', ' lead.cfg', 'x'.repeat(256), 'a\u202Egpj.bin', '..'])(
    'IN4 the name %j is refused at the field and nothing is kept',
    async (name) => {
      await using world = await makeWorld();
      const { top } = await makeTree(world);
      const admin = await as(world, 'admin', { company: top });
      const answer = await upload(world, admin, top, 'x', name);
      expect([answer.status, answer.errors[0]?.source]).toEqual([400, 'file']);
      expect(answer.errors[0]?.params).toEqual({ key: 'validation.format.file-name' });
      expect([...namesBelow(world, 'files'), ...namesBelow(world, 'uploads')]).toEqual([]);
    },
  );

  test('IN4 a path in a name leads nowhere: only its last part is kept', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = await upload(world, admin, top, 'x', '../../etc/passwd');
    expect((await admin.get(`/files/${made.data.id}`)).data.name).toBe('passwd');
    expect(namesBelow(world, 'files').every((name) => /^[0-9a-f-]{36}$/.test(name))).toBe(true);
  });

  test('IN4 a company cannot hold more than its quota, and the message says what is left', async () => {
    await using world = await makeWorld({ config: { fileQuotaBytes: 3 * 1024 * 1024 } });
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await upload(world, admin, top, 'a'.repeat(2 * 1024 * 1024))).status).toBe(201);
    expect(await upload(world, admin, top, 'a'.repeat(1024 * 1024 + 1))).toMatchObject({
      status: 413,
      codes: ['FILE_QUOTA_EXCEEDED'],
      errors: [{ source: 'file', params: { quota: '3 MB', left: '1 MB' } }],
    });
    expect((await upload(world, admin, middle, 'another company')).status).toBe(201);
    const both = await Promise.all([0, 1].map(() => upload(world, admin, top, 'a'.repeat(700_000))));
    expect(both.map((answer) => answer.status).toSorted()).toEqual([201, 413]);
    expect(namesBelow(world, 'files')).toHaveLength(3);
  });

  test('AC2 into a company outside the own tree is "not found" at its field, and keeps nothing', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    expect(await upload(world, admin, foreign, 'x')).toMatchObject({ status: 404, errors: [{ source: 'company_id' }] });
    expect(namesBelow(world, 'files')).toEqual([]);
  });
});

describe('downloading', () => {
  test('gives the file as something to save, never to run', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const file = await makeFile(world, { company: top, name: 'Ålesund.html', content: '<script>alert(1)</script>' });
    const answer = await download(world, await as(world, 'admin', { company: top }), `/files/${file.id}/download`);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="Alesund.html"; filename*=UTF-8''%C3%85lesund.html`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: `"${file.sha256}"`,
      'content-length': '25',
    });
  });

  test('goes on where it stopped, as long as the content is the same', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const file = await makeFile(world, { company: top, content: '0123456789' });
    const admin = await as(world, 'admin', { company: top });
    const path = `/files/${file.id}/download`;
    const rest = await download(world, admin, path, { range: 'bytes=4-', 'if-range': `"${file.sha256}"` });
    expect([rest.statusCode, rest.headers['content-range'], rest.body]).toEqual([206, 'bytes 4-9/10', '456789']);
    const other = await download(world, admin, path, { range: 'bytes=4-', 'if-range': '"another"' });
    expect([other.statusCode, other.body]).toEqual([200, '0123456789']);
    const beyond = await download(world, admin, path, { range: 'bytes=10-' });
    expect([beyond.statusCode, beyond.headers['content-range'], beyond.body]).toEqual([416, 'bytes */10', '']);
    expect((await download(world, admin, path, { 'if-none-match': `"${file.sha256}"` })).statusCode).toBe(304);
  });

  test('several come as a ZIP with distinct names', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const files = [
      await makeFile(world, { company: top, name: 'backup.tar', content: 'one' }),
      await makeFile(world, { company: middle, name: 'Backup.tar', content: 'two' }),
      await makeFile(world, { company: top, name: 'å.log', content: 'three'.repeat(1000) }),
    ];
    const answer = await download(world, admin, '/files/download/zip', {}, { files: files.map((file) => file.id) });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/zip' });
    expect(await unzip(answer.rawPayload)).toEqual({ 'backup.tar': 'one', 'Backup (2).tar': 'two', 'å.log': 'three'.repeat(1000) });
  });

  test('a file whose bytes are lost says so', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const file = await makeFile(world, { company: top });
    await world.ctx.files.remove(file.content_key);
    const admin = await as(world, 'admin', { company: top });
    expect(await admin.get(`/files/${file.id}/download`)).toMatchObject({ status: 410, codes: ['FILE_CONTENT_MISSING'] });
  });
});

describe('looking into a file', () => {
  const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  test.each([
    ['text', 'ssid=ferry', { kind: 'text', text: 'ssid=ferry', is_cut: false }],
    ['an empty file', '', { kind: 'text', text: '', is_cut: false }],
    ['a PNG, whatever its name', PNG, { kind: 'image', media_type: 'image/png' }],
    ['a vector image, which may hold scripts, as text', '<svg/>', { kind: 'text', text: '<svg/>', is_cut: false }],
    ['bytes', Buffer.from([0, 1, 2, 255]), { kind: 'none' }],
    ['text that is no UTF-8', Buffer.from([0x41, 0xe5, 0x41]), { kind: 'none' }],
  ])('shows %s', async (_what, content, preview) => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const file = await makeFile(world, { company: top, content, name: 'x.html' });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.get(`/files/${file.id}/preview`)).data).toEqual(preview);
  });

  test('a long text is cut between two signs', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const file = await makeFile(world, { company: top, content: `a${'å'.repeat(200_000)}` });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.get(`/files/${file.id}/preview`)).data).toEqual({
      kind: 'text',
      text: `a${'å'.repeat(128 * 1024 - 1)}`,
      is_cut: true,
    });
  });
});

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

describe('firmware for everybody', () => {
  test('is uploaded by whoever holds the permission, seen by every company, and changed by nobody else', async () => {
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
  test('FT1 halves of uploads and contents without a file are swept, what belongs to a file stays', async () => {
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
