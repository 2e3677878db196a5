import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeFile, makeTree } from '../helpers/factories.ts';
import { download } from '../helpers/files.ts';
import { unzip } from '../helpers/unzip.ts';
import { makeWorld } from '../helpers/world.ts';

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

  test('a long text is cut between two characters', async () => {
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
