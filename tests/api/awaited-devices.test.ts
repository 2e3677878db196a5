import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { welcomeJoined } from '../../server/features/awaited-devices/first-contact.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { paid } from '../helpers/credits.ts';
import { makeCompany, makeDevice, makeEnrolmentCode, makeTag } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { answer } from '../helpers/jobs.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const channel = recordingChannel();
let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;

beforeAll(async () => {
  world = await makeWorld({ parts: { devices: async () => channel } });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

/** A zip of these files. */
async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}

let count = 0;
/** A device that nobody knows yet. */
function fresh(more: object = {}) {
  count += 1;
  const hex = count.toString(16).padStart(4, '0').toUpperCase();
  return {
    company_id: company.id,
    device_series: 'rut',
    serial: `11060${count}`,
    mac: `00:1E:42:00:${hex.slice(0, 2)}:${hex.slice(2)}`,
    ...more,
  };
}
const add = (...data: object[]) => admin.post('/devices', { data });
const enrol = (body: object) => send(world, 'POST', '/enrol', { body });
const deviceOf = async (serial: string) => (await admin.get('/devices', { q: serial })).data[0];
const hello = (deviceKey: string, payload: object) =>
  channel.handlers?.deliver([
    { kind: 'message', message: { deviceKey, topic: 'hello', payload: { v: 1, report_seconds: 60, ...payload } } },
  ]);

describe('devices that are added before they join [O2]', () => {
  test('wait as not activated, take their record with its name and tags when they join by a code, and are not taken twice', async () => {
    const tag = await makeTag(world, { company });
    const row = fresh({ name: 'Quay 04', tag_id: [tag.id] });
    const { status, data } = await add(row);
    expect([status, data]).toEqual([201, [{ index: 0, id: expect.any(Number) }]]);
    expect(await deviceOf(row.serial)).toMatchObject({ id: data[0].id, name: 'Quay 04', status: null, model: null });
    expect((await admin.get(`/devices/${data[0].id}/awaited`)).data).toMatchObject({
      device_series: 'rut',
      has_proof: false,
      has_joined: false,
    });
    const code = await makeEnrolmentCode(world, { company, uses: 5 });
    const joined = await enrol({ code: code.code, serial: row.serial, mac: row.mac, model: 'RUTX50', name: 'OpenWrt' });
    expect(joined.status).toBe(201);
    expect((await admin.get('/devices', { q: row.serial })).meta['total']).toBe(1);
    expect(await deviceOf(row.serial)).toMatchObject({ id: data[0].id, name: 'Quay 04', model: 'RUTX50', tags: [{ id: tag.id }] });
    await hello(joined.data.device_key, { serial: row.serial, mac: row.mac });
    expect(await deviceOf(row.serial)).toMatchObject({ status: 1 });
    await welcomeJoined(world.ctx);
    expect((await admin.get(`/devices/${data[0].id}/awaited`)).data).toBeNull();
    await enrol({ code: code.code, serial: row.serial, mac: row.mac });
    const [, second] = (await admin.get('/devices', { q: row.serial, sort: 'created_at' })).data;
    expect(second).toMatchObject({ quarantine: 'rejoin' });
  });

  test('join by their password without a code; a wrong one, another MAC and another company’s serial are refused alike', async () => {
    const row = fresh({ password_confirmation: 'as on the label' });
    await add(row);
    const by = (more: object) => enrol({ proof: 'as on the label', serial: row.serial, mac: row.mac, ...more });
    const refusals = [await by({ proof: 'As on the label' }), await by({ mac: '00:1E:42:FF:FF:FF' }), await by({ serial: fresh().serial })];
    for (const refusal of refusals) expect([refusal.status, refusal.codes]).toEqual([403, ['ENROLMENT_REFUSED']]);
    expect((await by({ code: 'K7QM-2V9D-XR4T-8HWN' })).errors[0]?.source).toBe('code');
    expect((await by({})).status).toBe(201);
    expect((await by({})).codes).toEqual(['ENROLMENT_REFUSED']);
    const kept = await world.ctx.db.selectFrom('awaited_devices').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain('label');
  });

  test('get their firmware and their settings as one job at the first contact, then what their tags do', async () => {
    const { data: firmware } = await upload(world, admin, company, 'an image', 'RUTX_R_00.07.15_WEBUI.bin', 'firmware');
    const { data: settings } = await upload(world, admin, company, 'settings', 'ferry.cfg', 'config');
    const tag = await makeTag(world, { company });
    await admin.post(`/tags/${tag.id}/actions`, { action: 'reboot' });
    const row = fresh({ firmware_file_id: firmware.id, config_file_id: settings.id, tag_id: [tag.id], password_confirmation: 'x' });
    await add(row);
    const { data } = await enrol({ proof: 'x', serial: row.serial, mac: row.mac, model: 'RUTX50', firmware: 'RUTX_R_00.07.14' });
    await hello(data.device_key, { serial: row.serial, mac: row.mac, model: 'RUTX50', firmware: 'RUTX_R_00.07.14' });
    await welcomeJoined(world.ctx);
    await welcomeJoined(world.ctx);
    await world.ctx.jobs.settled();
    const { id } = await deviceOf(row.serial);
    const verbs: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      verbs.push(channel.commands.findLast((sent) => sent.deviceKey === data.device_key)?.command.verb ?? '');
      await answer({ ...world, commands: channel.commands }, { id, device_key: data.device_key }, {});
    }
    expect(verbs).toEqual(['firmware', 'confirm', 'restore', 'confirm']);
    const jobs = (await admin.get('/jobs', { device_id: id })).data;
    expect(jobs).toMatchObject([{ kind: 'first_contact', state: 'finished', counts: { ok: 1 } }]);
    const runs = await world.ctx.db.selectFrom('tag_runs').select(['tag_id', 'device_id']).where('device_id', '=', id).execute();
    expect(runs.map(({ tag_id }) => tag_id)).toEqual((await admin.get(`/tags/${tag.id}/actions`)).data.length > 0 ? [tag.id] : []);
  });

  test('what is wrong is said at its line and field, and the others are added all the same [O3]', async () => {
    const known = await makeDevice(world, { company });
    const good = fresh();
    const rows = [
      good,
      fresh({ device_series: 'abc' }),
      fresh({ serial: 'a b' }),
      fresh({ mac: '00:1E' }),
      fresh({ mac: '' }),
      { ...fresh(), device_series: 'trb', imei: undefined },
      { ...fresh(), serial: good.serial },
      { ...fresh(), mac: good.mac },
      fresh({ serial: known.serial }),
      fresh({ name: 'a/b' }),
    ];
    const expected = ['1.device_series', '2.serial', '3.mac', '4.mac', '5.imei', '6.serial', '7.mac', '8.serial', '9.name'].map(
      (place) => `data.${place}`,
    );
    const check = await admin.post('/devices', { data: rows, dry_run: true });
    expect([check.status, check.data, check.errors.map(({ source }) => source).sort()]).toEqual([207, { good: [0] }, expected]);
    expect((await admin.get('/devices', { q: good.serial })).data).toEqual([]);
    const added = await add(...rows);
    expect([added.status, added.data.length, added.errors.length]).toEqual([207, 1, 9]);
    expect((await add(fresh({ mac: 'x' }))).status).toBe(400);
  });

  test('nobody adds to a company that they do not see, nor with its tags and files, and no foreign serial is shown [AC9]', async () => {
    const other = await makeCompany(world);
    const foreign = await makeDevice(world, { company: other });
    const tag = await makeTag(world, { company: other });
    const stranger = await as(world, 'admin', { company: other });
    const { data: file } = await upload(world, stranger, other, 'an image', 'RUTX_R_00.07.15_WEBUI.bin', 'firmware');
    expect((await add({ ...fresh(), company_id: other.id })).errors[0]).toMatchObject({ code: 'NOT_FOUND', source: 'data.0.company_id' });
    expect((await add(fresh(), fresh({ tag_id: [tag.id] }))).errors[0]).toMatchObject({ code: 'NOT_FOUND', source: 'data.1.tag_id.0' });
    expect((await add(fresh({ firmware_file_id: file.id }))).errors[0]).toMatchObject({
      code: 'NOT_FOUND',
      source: 'data.0.firmware_file_id',
    });
    expect((await add(fresh({ serial: foreign.serial }))).status).toBe(201);
    const mine = await add(fresh());
    expect((await stranger.get(`/devices/${mine.data[0].id}/awaited`)).status).toBe(404);
  });
});

describe('the channel of a call that adds devices', () => {
  const poll = (caller: Caller, channel: unknown) => caller.get(`//status/channel/${String(channel)}`);

  test('has every device of the call: those that were added by their id, those that were refused by their place', async () => {
    const [good, bad] = [fresh(), fresh({ mac: '00:1E' })];
    const { status, data, meta, errors } = await add(bad, good);
    expect([status, meta['channel']]).toEqual([207, expect.stringMatching(/^devices-added\.\d+$/)]);
    const added = { status: 'completed', value: 'Added; waits for its first contact', serial: good.serial };
    const refused = { status: 'error', value: errors[0]?.message, errorCode: 'INVALID_FIELD', source: 'data.0.mac', serial: bad.serial };
    expect((await poll(admin, meta['channel'])).data).toEqual({ [data[0].id]: [added], 'data.0': [refused] });
  });

  test('answers a file of devices in the same way', async () => {
    const row = fresh();
    const parts = Object.entries({ type: 'csv', company_id: String(company.id), device_series: 'rut', auto_credit_enable: 'false' });
    const file = filePart(`serial,mac\n${row.serial},${row.mac}\n`, 'devices.csv');
    const { status, data, meta } = await sendParts(world, admin, '/devices/import', [
      ...parts.map(([name, text]) => ({ name, text })),
      file,
    ]);
    expect([status, (await poll(admin, meta['channel'])).data]).toEqual([
      201,
      { [data[0].id]: [expect.objectContaining({ status: 'completed', serial: row.serial })] },
    ]);
  });

  test('is unknown to everybody else, and after a day [AC9]', async () => {
    const { meta } = await add(fresh());
    const colleague = await as(world, 'admin', { company });
    for (const [caller, channel] of [[colleague, meta['channel']], [admin, 'devices-added.987654321']] as const)
      expect((await poll(caller, channel)).codes).toEqual(['CHANNEL_NOT_FOUND']);
    expect((await poll(admin, meta['channel'])).status).toBe(200);
    const old = { created_at: world.clock.now() - 25 * 60 * 60 * 1000 };
    await world.ctx.db.updateTable('device_additions').set(old).where('id', '=', Number(String(meta['channel']).split('.')[1])).execute();
    expect((await poll(admin, meta['channel'])).codes).toEqual(['CHANNEL_NOT_FOUND']);
  }); // prettier-ignore
});

describe('files of devices [IN3]', () => {
  const read = (content: string | Buffer) =>
    sendParts(world, admin, '/devices/import/preview', [
      { name: 'company_id', text: String(company.id) },
      { name: 'source', text: 'file' },
      { name: 'device_series', text: 'rut' },
      filePart(content, 'devices.csv'),
    ]);
  const common = () => ({ company_id: company.id, device_series: 'rut' });

  test('are read with or without headings, whatever parts their cells, and say what is wrong in them', async () => {
    const rows = [
      { ...common(), serial: '1', mac: '001e42000001', name: 'One' },
      { ...common(), serial: '2', name: 'Two' },
    ];
    for (const text of [
      'Serial number,MAC,Name\n1,001e42000001,One\n\n2,,Two\n',
      '\uFEFFserial;mac;name\n1;001e42000001;One\n2;;Two',
      '1\t001e42000001\tOne\n2\t\tTwo',
    ]) {
      const { data } = await read(text);
      expect(data).toMatchObject({ rows, good: [0], faults: [{ source: 'data.1.mac', params: { key: 'devices.new.mac_missing' } }] });
    }
    const typed = await admin.post('/devices/import/preview', { ...common(), source: 'list', lines: '7,00:1E:42:00:00:07' });
    expect(typed.data).toMatchObject({ rows: [{ serial: '7', mac: '00:1E:42:00:00:07' }], good: [0], faults: [] });
  });

  test('are read with commas, semicolons, tabs or bars, trailing ones too, in UTF-8 or UTF-16 [CC3]', async () => {
    const expected = [{ ...common(), serial: '1', mac: '001e42000001', name: 'Tromsø' }];
    for (const separator of [',', ';', '\t', '|']) {
      const text = `serial,mac,name,\r\n1,001e42000001,Tromsø,\r\n,,,\r\n`.replaceAll(',', separator);
      for (const content of [
        text,
        `\uFEFF${text}`,
        Buffer.from(`\uFEFF${text}`, 'utf16le'),
        Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      ])
        expect((await read(content)).data).toMatchObject({ rows: expected, good: [0], faults: [] });
    }
  });

  test('in another encoding are refused with how to save them, and not read wrong [CC3]', async () => {
    const windows = Buffer.from('Serial;MAC;Name\r\n1106433101;00:1E:42:00:00:01;Tromsø kai\r\n', 'latin1');
    const answer = await read(windows);
    expect([answer.status, answer.codes, answer.errors[0]?.message]).toEqual([400, ['NOT_UNICODE'], expect.stringContaining('CSV UTF-8')]);
  });

  test.each([
    'Serienummer;MAC-adresse;Navn',
    'シリアル番号;MAC アドレス;名前',
    'Серійний номер;MAC-адреса;Назва',
    'Serial number;MAC address;Device name',
  ])('have the headings %s [CC5]', async (headings) => {
    const { data } = await read(`${headings}\n1106433401;00:1E:42:00:03:01;kai\n`);
    expect(data).toMatchObject({ rows: [{ ...common(), serial: '1106433401', mac: '00:1E:42:00:03:01', name: 'kai' }], faults: [] });
  });

  test('whose headings nobody knows are refused, and make no device of them [CC5]', async () => {
    const { codes, errors } = await read('Numéro;Adresse;Nom\n1106433401;00:1E:42:00:03:01;quai\n');
    expect([codes, errors[0]?.message]).toEqual([['SHEET_HEADINGS_UNKNOWN'], expect.stringContaining('Numéro, Adresse, Nom')]);
  });

  test('with numbers that a spreadsheet has rounded say so [CC6]', async () => {
    const csv =
      "serial,mac,imei,name\n0011064333,00:1E:42:00:02:01,3.56938E+14,a\n1.10643E+09,00:1E:42:00:02:02,356938035643809,b\n1106433303,00:1E:42:00:02:03,'356938035643809,c\n";
    const { data } = await read(csv);
    expect(data).toMatchObject({
      good: [2],
      faults: [
        { source: 'data.0.imei', params: { key: 'devices.new.rounded' } },
        { source: 'data.1.serial', params: { key: 'devices.new.rounded' } },
      ],
    });
    expect(data.rows[0].serial).toBe('0011064333');
  });

  test('of Excel are read too, texts that are shared and texts that are in their cell', async () => {
    const sheet = `<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>MAC</t></is></c></row>
      <row><c r="A2"><v>1106433012</v></c><c r="C2" t="s"><v>1</v></c></row></sheetData></worksheet>`;
    const strings = '<sst><si><t>Serial</t></si><si><r><t>00:1E:42:</t></r><r><t>AA:BB:CC</t></r></si></sst>';
    const { data } = await read(await zipOf({ 'xl/worksheets/sheet1.xml': sheet, 'xl/sharedStrings.xml': strings }));
    expect(data.rows).toEqual([{ ...common(), serial: '1106433012', mac: '00:1E:42:AA:BB:CC' }]);
  });

  test('are sent by programs in one call: the good devices are added, and what is wrong is said of the others', async () => {
    const [one, other] = [fresh(), fresh()];
    const csv = `serial,mac,name\n${one.serial},${one.mac},Quay\n${other.serial},00:1E,Pier\n`;
    const tag = await makeTag(world, { company });
    const fields = { type: 'csv', company_id: String(company.id), device_series: 'rut', auto_credit_enable: 'false', 'tag_id[0]': String(tag.id) };
    const parts = [...Object.entries(fields).map(([name, text]) => ({ name, text })), filePart(csv, 'devices.csv')];
    const { status, data, errors } = await sendParts(world, admin, '/devices/import', parts);
    expect([status, data, errors]).toEqual([207, [{ index: 0, id: expect.any(Number) }], [expect.objectContaining({ source: 'data.1.mac' })]]);
    expect(await deviceOf(one.serial)).toMatchObject({ name: 'Quay', status: null, tags: [{ id: tag.id }] });
    expect((await admin.get('/devices', { q: other.serial })).meta['total']).toBe(0);
  }); // prettier-ignore

  test('that are none are refused in words: binary, an old workbook, broken or hostile zips, too many lines', async () => {
    const hostile = [
      Buffer.from([1, 0, 2]),
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.from('504b0304ffff', 'hex'),
      await zipOf({ 'readme.txt': 'no sheet' }),
      await zipOf({ 'xl/worksheets/sheet1.xml': '<!DOCTYPE x [<!ENTITY a "aa">]><worksheet><row><c><v>&a;</v></c></row></worksheet>' }),
      await zipOf({ 'xl/worksheets/sheet1.xml': `<worksheet><row><c><v>${'9'.repeat(70 * 1024 * 1024)}</v></c></row></worksheet>` }),
    ];
    for (const content of hostile) expect((await read(content)).codes).toEqual(['NOT_A_TABLE']);
    expect((await read('1\n'.repeat(10_001))).codes).toEqual(['SHEET_TOO_LONG']);
  });
});

test('a credit is reserved for devices that are added with one; those that there is none for are added all the same', async () => {
  const rich = await makeCompany(world);
  const own = await as(world, 'admin', { company: rich });
  const root = await as(world, 'super_admin');
  expect((await root.post('/credits', { ...paid(rich.id, 1), credit_type_id: 4 })).errors).toEqual([]);
  const rows = [
    fresh({ company_id: rich.id, auto_credit_enable: true }),
    fresh({ company_id: rich.id, auto_credit_enable: true }),
    fresh({ company_id: rich.id }),
  ];
  const { status, data, meta } = await own.post('/devices', { data: rows });
  expect(status).toBe(201);
  await world.ctx.jobs.settled();
  const targets = (await own.get(`/jobs/${String(meta['job_id'])}/targets`)).data;
  expect(targets.map(({ state }: { state: string }) => state)).toEqual(['ok', 'failed']);
  const events = (await own.get(`//status/channel/${String(meta['channel'])}`)).data;
  expect(data.map(({ id }: { id: number }) => events[id].at(-1))).toMatchObject([
    { status: 'completed', value: 'Credit: Done' },
    { status: 'warning', errorCode: 'FAILED' },
    { status: 'completed', value: 'Added; waits for its first contact' },
  ]);
  expect((await own.get('/credits/devices', { company_id: rich.id })).data).toMatchObject([
    { device_id: data[0].id, state: 'reserved', auto_extend_credit: true, credit_type_name: 'management_6m' },
  ]);
  const clerk = await as(world, 'readonly_admin', { company: rich });
  expect((await clerk.post('/devices', { data: [fresh({ company_id: rich.id, auto_credit_enable: true })] })).status).toBe(403);
});
