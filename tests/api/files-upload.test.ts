import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { download, namesBelow, upload } from '../helpers/files.ts';
import { makeWorld } from '../helpers/world.ts';

describe('uploading', () => {
  test('keeps the bytes with their sum, and says who did it; nothing is left of the call', async () => {
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
    'the name %j is refused at the field and nothing is kept [IN4]',
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

  test('a path in a name leads nowhere: only its last part is kept [IN4]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = await upload(world, admin, top, 'x', '../../etc/passwd');
    expect((await admin.get(`/files/${made.data.id}`)).data.name).toBe('passwd');
    expect(namesBelow(world, 'files').every((name) => /^[0-9a-f-]{36}$/.test(name))).toBe(true);
  });

  test('a company cannot hold more than its quota, and the message says what is left [IN4]', async () => {
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

  test('into a company outside the own tree is "not found" at its field, and keeps nothing [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    expect(await upload(world, admin, foreign, 'x')).toMatchObject({ status: 404, errors: [{ source: 'company_id' }] });
    expect(namesBelow(world, 'files')).toEqual([]);
  });
});
