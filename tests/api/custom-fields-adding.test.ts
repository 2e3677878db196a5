import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { describe, expect, test } from 'vitest';
import { readCustomText } from '../../schemas/kit/devices/custom-text.ts';
import { as } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const FIELDS = [
  { name: 'asset', title: 'Asset number', type: 'text' },
  { name: 'weight', title: 'Weight', type: 'number' },
  { name: 'installed', title: 'Installed', type: 'date' },
  { name: 'critical', title: 'Critical', type: 'boolean' },
  { name: 'cabinet', title: 'Шафа', type: 'choice', choices: ['Indoor', 'Outdoor'] },
];

async function makeFields(world: World, fields: object[] = FIELDS) {
  const company = await makeCompany(world);
  const plain = await makeCompany(world);
  const root = await as(world, 'super_admin');
  const admin = await as(world, 'admin', { company });
  expect((await admin.put(`/companies/${company.id}/custom-fields`, { fields })).status).toBe(200);
  const row = (index: number, more: object = {}) => ({
    company_id: company.id,
    device_series: 'rut',
    serial: `90${index}`,
    mac: `00:1E:42:00:00:0${index}`,
    ...more,
  });
  const custom = async (serial: string) => (await admin.get('/devices', { q: serial })).data[0]?.custom;
  const read = (content: string | Buffer, more: Record<string, string> = {}) =>
    sendParts(world, admin, '/devices/import/preview', [
      ...Object.entries({ company_id: String(company.id), source: 'file', device_series: 'rut', ...more }).map(([name, text]) => ({
        name,
        text,
      })),
      filePart(content, 'devices.csv'),
    ]);
  return { company, plain, root, admin, row, custom, read };
}

describe('custom fields of devices that are added', () => {
  test('come with them, alone or many, and are in the history of what was added', async () => {
    await using world = await makeWorld();
    const { admin, row, custom } = await makeFields(world);
    const values = { asset: '007', weight: 2.5, installed: '2026-11-25', critical: false, cabinet: 'Outdoor' };
    const alone = await admin.post('/devices/ahead', row(1, { custom: values }));
    expect(alone.status).toBe(201);
    expect(await custom('901')).toEqual(values);
    const many = await admin.post('/devices', { data: [row(2, { custom: { asset: 'B', weight: null } }), row(3)] });
    expect(many.status).toBe(201);
    expect([await custom('902'), await custom('903')]).toEqual([{ asset: 'B' }, {}]);
    expect((await admin.get('/devices', { 'custom.weight': '>2' })).data.map(({ serial }: { serial: string }) => serial)).toEqual(['901']);
    const { after } = await world.ctx.db
      .selectFrom('audit')
      .select('after')
      .where('entity_id', '=', alone.data.id)
      .where('action', '=', 'devices.new')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(after ?? '').custom).toEqual(values);
  });

  test('that do not fit are refused at their line and field, by the fields of the company of that line', async () => {
    await using world = await makeWorld();
    const { admin, root, row, plain } = await makeFields(world);
    const bad = { asset: 'a'.repeat(501), weight: 'much', installed: '2026-02-30', critical: 'maybe', cabinet: 'Attic', other: 1 };
    const places = Object.keys(bad).map((name) => `custom.${name}`);
    const alone = await admin.post('/devices/ahead', row(1, { custom: bad }));
    expect([alone.status, alone.errors.map(({ source }) => source).sort()]).toEqual([400, places.toSorted()]);
    const many = await root.post('/devices', {
      data: [row(2, { custom: { asset: 'fine' } }), row(3, { custom: bad }), row(4, { company_id: plain.id, custom: { asset: 'x' } })],
    });
    const expected = [...places.map((place) => `data.1.${place}`), 'data.2.custom.asset'];
    expect([many.status, many.errors.map(({ source }) => source).sort()]).toEqual([207, expected.toSorted()]);
    expect(many.data).toEqual([{ index: 0, id: expect.any(Number) }]);
    expect((await admin.get('/devices', { q: '901' })).data).toEqual([]);
    expect((await admin.post('/devices', { data: [row(5, { custom: { asset: ['x'] } })] })).status).toBe(400);
  });

  test('are asked for where the company requires them and custom fields are sent; programs that know none add devices as before', async () => {
    await using world = await makeWorld();
    const { admin, row, read } = await makeFields(world, [{ ...FIELDS[0], required: true }]);
    expect((await admin.post('/devices/ahead', row(1))).status).toBe(201);
    expect((await admin.post('/devices/ahead', row(2, { custom: {} }))).errors[0]?.source).toBe('custom.asset');
    const { data } = await read('serial,mac\n903,00:1E:42:00:00:03\n');
    expect(
      data.faults.map(({ source }: { source: string }) => source),
      'the window asks',
    ).toEqual(['data.0.custom.asset']);
  });
});

describe('custom fields in files of devices', () => {
  test('go by their name, with the prefix or without, or by their title; unknown columns are left out', async () => {
    await using world = await makeWorld();
    const { read } = await makeFields(world);
    const file =
      'Serial;MAC;custom.asset;WEIGHT;Installed;critical;шафа;custom.nothing;Colour\n' +
      '901;001E42000001;007;2,5;25.11.2026;ja;outdoor;x;red\n902;001E42000002;;;;;;;\n';
    const { data } = await read(file);
    expect(data.rows[0].custom).toEqual({ asset: '007', weight: 2.5, installed: '2026-11-25', critical: true, cabinet: 'Outdoor' });
    expect(data.rows[1].custom).toEqual({});
    expect([data.good, data.faults, data.fields]).toEqual([[0, 1], [], FIELDS]);
    expect(Object.keys(data.rows[0]).sort()).toEqual(['company_id', 'custom', 'device_series', 'mac', 'serial']);
  });

  test('have what was chosen for all where a line says nothing, and their faults at the line', async () => {
    await using world = await makeWorld();
    const { admin, read, row } = await makeFields(world);
    const file = 'serial,mac,weight\n901,001E42000001,3\n902,001E42000002,heavy\n903,001E42000003,\n';
    const { data } = await read(file, { 'custom[asset]': '007', 'custom[weight]': '9', 'custom[critical]': 'true' });
    expect(data.rows.map(({ custom }: { custom: object }) => custom)).toEqual(
      [3, 'heavy', 9].map((weight) => ({ asset: '007', weight, critical: true })),
    );
    expect(data.faults).toEqual([expect.objectContaining({ source: 'data.1.custom.weight' })]);
    const { status, data: added } = await admin.post('/devices', { data: [{ ...row(1), ...data.rows[0] }] });
    expect([status, added.length]).toEqual([201, 1]);
  });

  test('are read from Excel, dates as it keeps them, and from files that programs send', async () => {
    await using world = await makeWorld();
    const { admin, company, read, custom } = await makeFields(world);
    const cells = ['serial', 'mac', 'installed'].map((text, at) => `<c r="${'ABC'[at]}1" t="inlineStr"><is><t>${text}</t></is></c>`);
    const sheet = `<worksheet><sheetData><row>${cells.join('')}</row><row><c r="A2"><v>901</v></c>
      <c r="B2" t="inlineStr"><is><t>001E42000001</t></is></c><c r="C2"><v>46351</v></c></row></sheetData></worksheet>`;
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(sheet), 'xl/worksheets/sheet1.xml');
    zip.end();
    expect((await read(await buffer(zip.outputStream))).data.rows[0].custom).toEqual({ installed: '2026-11-25' });
    const parts = Object.entries({ type: 'csv', company_id: String(company.id), 'custom[cabinet]': 'Indoor' });
    const { status, errors } = await sendParts(world, admin, '/devices/import', [
      ...parts.map(([name, text]) => ({ name, text })),
      filePart('serial,mac,critical\n905,001E42000005,no\n906,001E42000006,perhaps\n', 'devices.csv'),
    ]);
    expect([status, errors.map(({ source }) => source)]).toEqual([207, ['data.1.custom.critical']]);
    expect(await custom('905')).toEqual({ critical: false, cabinet: 'Indoor' });
  });

  test('are texts that mean something: a comma in a number, a yes in four languages, a day; others stay as they are', () => {
    const cells: [type: 'text' | 'number' | 'date' | 'boolean', text: string, value: unknown][] = [
      ['number', '-2,5', -2.5],
      ['number', '1e3', 1000],
      ['number', '1,000.5', '1,000.5'],
      ['number', '0x10', '0x10'],
      ['boolean', 'ТАК', true],
      ['boolean', 'いいえ', false],
      ['boolean', 'Nei', false],
      ['boolean', '2', '2'],
      ['date', '5.2.2026', '2026-02-05'],
      ['date', '05/02/2026', '05/02/2026'],
      ['text', ' 007 ', '007'],
      ['text', ' ', undefined],
    ];
    for (const [type, text, value] of cells) expect(readCustomText({ type }, text), text).toEqual(value);
  });
});
