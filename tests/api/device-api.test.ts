import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { as, type Answer, type Caller } from '../helpers/as.ts';
import { filePart, sendParts, type Part } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const PATH = '/devices/configurator/specifications';
function upload(world: World, caller: Caller, parts: Part[]): Promise<Answer> {
  return sendParts(world, caller, PATH, parts);
}

const file = (text: string, fileName = 'rutos.json'): Part => filePart(text, fileName);
const system = { name: 'system', text: 'rutos' };
/** An API document with one address that devices answer, and what else is said of it. */
function apiDocument(path = '/system/status', entry: object = {}): string {
  const schema = { type: 'object', properties: { uptime: { type: 'integer' } } };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  return JSON.stringify({ openapi: '3.0.0', paths: { [path]: { get, ...entry } } });
}
const GOOD = apiDocument();

function keptFiles(world: World, folder: string): string[] {
  const path = join(world.ctx.config.dataDir, folder);
  return existsSync(path) ? readdirSync(path) : [];
}

describe("uploading a device system's API description", () => {
  test('keeps the file under its checksum, lists it, and writes it down', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const sha256 = createHash('sha256').update(GOOD).digest('hex');
    const answer = await upload(world, caller, [system, file(GOOD)]);
    expect(answer).toMatchObject({ status: 201, data: { system: 'rutos', file_name: 'rutos.json', size: GOOD.length, sha256 } });
    const { sections, left_out: leftOut, left_out_count: leftOutCount, ...kept } = answer.data;
    expect((await caller.get(PATH)).data).toEqual([kept]);
    expect([sections, leftOut, leftOutCount], 'it has no section of settings').toEqual([0, [], 0]);
    expect(keptFiles(world, 'api-descriptions')).toEqual([`${sha256}.json`]);
    expect(readFileSync(join(world.ctx.config.dataDir, 'api-descriptions', `${sha256}.json`), 'utf8')).toBe(GOOD);
    expect(keptFiles(world, 'uploads'), 'nothing is left behind').toEqual([]);
    expect((await caller.get('/history')).data[0]).toMatchObject({ action: 'devices.api-description', entity_name: 'rutos' });
  });

  test('replaces an earlier one only when that is asked for', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    await upload(world, caller, [system, file(GOOD)]);
    const other = apiDocument('/modems/status');
    expect(await upload(world, caller, [system, file(other)])).toMatchObject({
      status: 409,
      codes: ['API_DESCRIPTION_EXISTS'],
      errors: [{ source: 'overwrite' }],
    });
    expect((await upload(world, caller, [system, { name: 'overwrite', text: 'true' }, file(other)])).status).toBe(201);
    expect((await caller.get(PATH)).data).toMatchObject([{ size: other.length }]);
    expect(keptFiles(world, 'api-descriptions')).toHaveLength(1);
  });

  test('refuses one that says nothing of devices, and one without settings in place of one that has some [CD11]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const put = {
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { on: { type: 'boolean' } } } } } },
    };
    const withSettings = apiDocument('/wifi/config/{id}', { 'x-uci': { config: 'wireless', type: 'wifi-iface' }, put });
    for (const text of ['{"paths":{}}', apiDocument('/wifi/{id}', { put })])
      expect(await upload(world, caller, [system, file(text)])).toMatchObject({ status: 400, codes: ['API_DESCRIPTION_UNFIT'] });
    expect((await upload(world, caller, [system, file(withSettings)])).data).toMatchObject({ sections: 1 });
    const refused = await upload(world, caller, [system, { name: 'overwrite', text: 'true' }, file(GOOD)]);
    expect(refused).toMatchObject({ status: 400, codes: ['API_DESCRIPTION_UNFIT'], errors: [{ source: 'file' }] });
    expect((await caller.get(PATH)).data).toMatchObject([{ size: withSettings.length }]);
  });

  test.each([
    ['{\n  "paths": {,\n}', 2, 13],
    ['{ "a": 1 ', 1, 10],
    ['{\n  // no\n  "a": 1\n}', 2, 3],
    ['[]', 1, 1],
    ['', 1, 1],
  ])('broken JSON is refused with file, line and column: %j [F9]', async (text, line, column) => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const answer = await upload(world, caller, [system, file(text, 'my file.json')]);
    expect(answer).toMatchObject({
      status: 400,
      codes: ['JSON_FILE_BROKEN'],
      errors: [{ source: 'file', params: { file: 'my file.json', line, column } }],
    });
    expect([...keptFiles(world, 'uploads'), ...keptFiles(world, 'api-descriptions')]).toEqual([]);
  });

  test('a missing file, a wrong kind and a wrong system are refused at their fields [F3]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const sourceOf = async (parts: Part[]) => (await upload(world, caller, parts)).errors.map((error) => error.source);
    expect(await sourceOf([system])).toEqual(['file']);
    expect(await sourceOf([system, { name: 'file', text: 'file-made-up' }])).toEqual(['file']);
    expect(await sourceOf([system, file(GOOD, 'rutos.exe')])).toEqual(['file']);
    expect(await sourceOf([{ name: 'system', text: 'dos' }, file(GOOD)])).toEqual(['system']);
    expect(await sourceOf([system, file(GOOD), { name: 'role_id', text: '1' }])).toEqual(['role_id']);
    expect(keptFiles(world, 'uploads')).toEqual([]);
  });

  test('a file above the limit is refused with the limit while it comes, and leaves nothing', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const answer = await upload(world, caller, [system, file(`{"a":"${'x'.repeat(83_886_080)}"}`)]);
    expect(answer).toMatchObject({ status: 413, codes: ['FILE_TOO_LARGE'], errors: [{ source: 'file', params: { size: '80 MB' } }] });
    expect(keptFiles(world, 'uploads')).toEqual([]);
  });

  test('hostile part names and file names touch nothing [AC4]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    for (const name of [
      '__proto__',
      '__proto__[a]',
      'system[__proto__][a]',
      'constructor[prototype][a]',
      'a b',
      '../x',
      `a${'[b]'.repeat(9)}`,
    ])
      expect([name, (await upload(world, caller, [system, { name, text: '1' }, file(GOOD)])).status]).toEqual([name, 400]);
    expect(({} as { a?: number }).a).toBeUndefined();
    const answer = await upload(world, caller, [system, file(GOOD, '../../etc/passwd.json')]);
    expect(answer.status).toBe(201);
    expect(keptFiles(world, 'api-descriptions')).toEqual([`${answer.data.sha256}.json`]);
  });

  test('only system administrators, and other routes take no files [AC1]', async () => {
    await using world = await makeWorld();
    for (const role of ['admin', 'end_user', 'readonly_admin', 'read_only'] as const)
      expect((await upload(world, await as(world, role), [system, file(GOOD)])).status).toBe(403);
    const caller = await as(world, 'super_admin');
    expect((await sendParts(world, caller, '/tags', [{ name: 'name', text: 'ferry' }])).status).toBe(415);
    expect(keptFiles(world, 'uploads')).toEqual([]);
  });
});
