import { describe, expect, test } from 'vitest';
import { resources } from '../../resources.config.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import { fillFleet } from '../../bench/server/fill.ts';
import { as, send } from '../helpers/as.ts';
import { makeDevice, makeRole, makeTag, makeTree } from '../helpers/factories.ts';
import { download } from '../helpers/files.ts';
import { unzip } from '../helpers/unzip.ts';
import { makeWorld } from '../helpers/world.ts';

describe('export of every list', () => {
  test('each list of the console has a file of it [T10]', async () => {
    await using world = await makeWorld();
    const paths = new Set(world.app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
    const lists = resources.filter((resource: ResourceEntry) => resource.table !== undefined);
    const without = lists.filter(
      (resource: ResourceEntry) => !paths.has(`/api${resource.export?.csv ?? `/${resource.path ?? resource.name}/export/csv`}`),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test('it has the shown columns of all that match, in CSV, JSON and a workbook, and nothing of other companies [T10 AC2]', async () => {
    await using world = await makeWorld();
    const { middle, bottom, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    for (let number = 0; number < 501; number += 1)
      await makeTag(world, { company: number % 2 ? middle : bottom, name: `tag ${String(number).padStart(3, '0')}` });
    await makeTag(world, { company: foreign, name: 'foreign' });
    await makeTag(world, { company: middle, name: '=cmd()' });
    const csv = await admin.get('/tags/export/csv', { sort: '-name', fields: 'name,company_name' });
    const lines = csv.text.trim().split('\r\n');
    expect([lines.length, lines[0], lines[1]]).toEqual([503, 'name,company_name', 'tag 500,Bottom']);
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="tags-\d{4}-\d\d-\d\d\.csv"$/);
    expect(lines.at(-1)).toBe("'=cmd(),Middle");
    expect(csv.text).not.toContain('foreign');
    const json = JSON.parse((await admin.get('/tags/export/csv', { format: 'json', q: 'tag 00', fields: 'name,created_at' })).text);
    expect(json[0]).toEqual({ name: 'tag 000', created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) });
    expect((await admin.get('/tags/export/csv', { format: 'xlsx' })).headers['content-type']).toContain('spreadsheetml');
    expect((await admin.get('/tags/export/csv', { format: 'pdf' })).errors).toMatchObject([{ source: 'format' }]);
    expect((await admin.get('/tags/export/csv', { fields: 'path' })).codes).toEqual(['UNKNOWN_FIELD']);
    expect((await send(world, 'GET', '/tags/export/csv')).status).toBe(401);
  });
});

describe('CSV export of devices', () => {
  test('has the asked columns of all that match, in the order of the list [T10]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const [above, a, b] = [
      await makeTag(world, { company: top, name: 'above' }),
      await makeTag(world, { company: middle, name: 'a' }),
      await makeTag(world, { company: middle, name: 'b' }),
    ];
    const at = Date.UTC(2026, 10, 21, 3, 4, 5);
    await makeDevice(world, { company: bottom, name: 'zebra', signal: -75, created_at: at, tags: [b, a, above] });
    await makeDevice(world, { company: middle, name: 'ant', created_at: at, last_connection_at: null, status: 0 });
    await makeDevice(world, { company: middle, name: 'bee', created_at: at, status: null });
    const answer = await admin.get('/devices/export/csv', {
      fields: 'name,status,signal,tags,company_path,created_at,last_connection_at,is_simulated',
      sort: '-name',
      'ne:status': 'not_activated',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="devices-\d{4}-\d\d-\d\d\.csv"$/);
    const [head, first, ...rest] = answer.text.split('\r\n');
    expect(head).toBe('name,status,signal,tags,company_path,created_at (UTC),last_connection_at (UTC),is_simulated');
    expect(first).toMatch(/^zebra,1,-75,"a, b",Middle \/ Bottom,2026-11-21 03:04:05,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,true$/);
    expect(rest).toEqual(['ant,0,,,Middle,2026-11-21 03:04:05,,true', '']);
  });

  test('nothing that a device or a person wrote becomes a formula [IN3]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await makeDevice(world, {
      company: top,
      name: '=HYPERLINK("http://evil")',
      description: '+1',
      hostname: '@SUM(A1)',
      operator: '-2',
      os: '\t=1',
    });
    const { text } = await admin.get('/devices/export/csv', { fields: 'name,description,hostname,operator,os' });
    expect(text.split('\r\n')[1]).toBe(`"'=HYPERLINK(""http://evil"")",'+1,'@SUM(A1),'-2,'\t=1`);
  });

  test('starts with a byte order mark only when asked, and is otherwise the same', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await makeDevice(world, { company: top, name: 'Ødegård' });
    const plain = await admin.get('/devices/export/csv', { fields: 'name' });
    const marked = await admin.get('/devices/export/csv', { fields: 'name', bom: 1 });
    expect(plain.text).toBe('name\r\nØdegård\r\n');
    expect(marked.text).toBe(`\uFEFF${plain.text}`);
  });

  test('leaves out what the caller may not see [AC2 AC3]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    await makeDevice(world, { company: middle, name: 'own' });
    await makeDevice(world, { company: foreign, name: 'secret' });
    const role = await makeRole(world, { permissions: ['view_devices'], company: middle });
    const viewer = await as(world, role, { company: middle });
    const { text } = await viewer.get('/devices/export/csv');
    expect(text).toContain('own');
    expect(text).not.toContain('secret');
    expect(text.split('\r\n')[0]?.split(',')).not.toContain('company_name');
    expect((await viewer.get('/devices/export/csv', { fields: 'tags' })).status).toBe(400);
    expect((await viewer.get('/devices/export/csv', { limit: 5 })).errors[0]).toMatchObject({ code: 'UNKNOWN_FIELD', source: 'limit' });
  });

  test('of many devices is streamed whole', async () => {
    await using world = await makeWorld();
    const { top } = await fillFleet(world.ctx.db, { companies: 31, devices: 6000 }, world.clock.now());
    const admin = await as(world, 'admin', { company: { id: top } });
    const { text } = await admin.get('/devices/export/csv');
    const serials = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => /11000\d{5}/.exec(line)?.[0]);
    expect(new Set(serials).size).toBe(6000);
  });

  test('as a workbook that opens, as JSON, of chosen devices, and in a time zone [T10]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const created_at = Date.UTC(2026, 6, 1, 22, 30, 0);
    const one = await makeDevice(world, { company: top, name: '=1+1', created_at });
    await makeDevice(world, { company: top, name: 'other' });
    const ask = { fields: 'name,created_at', id: String(one.id), timezone: 'Europe/Oslo' };
    const json = await admin.get('/devices/export/csv', { ...ask, format: 'json' });
    expect(JSON.parse(json.text)).toEqual([{ name: '=1+1', created_at: '2026-07-02T00:30:00+02:00' }]);
    const csv = await admin.get('/devices/export/csv', ask);
    expect(csv.text).toBe("name,created_at (Europe/Oslo),created_at (UTC offset)\r\n'=1+1,2026-07-02 00:30:00,+02:00\r\n");
    const address = `/devices/export/csv?${new URLSearchParams({ ...ask, format: 'xlsx' })}`;
    const file = await download(world, admin, address);
    expect(file.headers['content-disposition']).toMatch(/filename="devices-\d{4}-\d\d-\d\d\.xlsx"$/);
    const parts = await unzip(file.rawPayload);
    expect(Object.keys(parts).toSorted()).toEqual([
      ...['[Content_Types].xml', '_rels/.rels', 'xl/_rels/workbook.xml.rels', 'xl/styles.xml', 'xl/workbook.xml'],
      'xl/worksheets/sheet1.xml',
    ]);
    expect(parts['xl/worksheets/sheet1.xml']).toContain('<t xml:space="preserve">=1+1</t>');
    expect(parts['xl/worksheets/sheet1.xml']).toMatch(/<\/sheetData><\/worksheet>$/);
    for (const [source, wrong] of [
      ['format', { format: 'exe' }],
      ['timezone', { timezone: 'Mars/Base' }],
    ] as const)
      expect((await admin.get('/devices/export/csv', wrong)).errors).toMatchObject([{ source }]);
  });
});
