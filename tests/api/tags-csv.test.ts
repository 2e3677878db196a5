import { describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeEnrolmentCode, makeTag, makeTree } from '../helpers/factories.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function tagNames(world: World, deviceId: number): Promise<string[]> {
  const rows = await world.ctx.db
    .selectFrom('device_tags')
    .innerJoin('tags', 'tags.id', 'device_tags.tag_id')
    .select('tags.name')
    .where('device_id', '=', deviceId)
    .orderBy('tags.name')
    .execute();
  return rows.map((row) => row.name);
}

interface Options {
  identifier?: string;
  mode?: string;
  tags?: { id: number }[];
}

function apply(world: World, caller: Caller, csv: string | Buffer, { identifier = 'serial', mode = 'assign', tags = [] }: Options = {}) {
  return sendParts(world, caller, '/devices/tags', [
    { name: 'first_parameter', text: identifier },
    { name: 'mode', text: mode },
    ...tags.map((tag, index) => ({ name: `tag_id[${index}]`, text: String(tag.id) })),
    filePart(csv, 'devices.csv'),
  ]);
}

async function makeFleet(world: World) {
  const { top, middle, sibling, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const first = await makeDevice(world, { company: middle, serial: '1001', mac: '00:1E:42:AB:CD:01' });
  const second = await makeDevice(world, { company: middle, serial: '1002', mac: '00:1E:42:AB:CD:02' });
  const ferry = await makeTag(world, { company: top, name: 'ferry' });
  const north = await makeTag(world, { company: middle, name: 'north' });
  return { top, middle, sibling, foreign, admin, first, second, ferry, north };
}

describe('tags from a list of devices', () => {
  test('a program that does not say what to do with the tags adds them', async () => {
    await using world = await makeWorld();
    const { admin, first, ferry, north } = await makeFleet(world);
    await apply(world, admin, '1001,north\n');
    const answer = await sendParts(world, admin, '/devices/tags', [
      { name: 'first_parameter', text: 'serial' },
      { name: 'tag_id[]', text: String(ferry.id) },
      filePart('1001\n', 'devices.csv'),
    ]);
    expect([answer.status, answer.data]).toEqual([200, [first.id]]);
    expect(await tagNames(world, first.id)).toEqual([ferry.name, north.name]);
  });

  test('a list of tags comes under its bare name too, a part for each', async () => {
    await using world = await makeWorld();
    const { admin, first, second, ferry, north } = await makeFleet(world);
    const send = (...tags: { id: number }[]) =>
      sendParts(world, admin, '/devices/tags', [
        { name: 'first_parameter', text: 'serial' },
        ...tags.map((tag) => ({ name: 'tag_id', text: String(tag.id) })),
        filePart('1001\n', 'devices.csv'),
      ]);
    expect([(await send(ferry, north)).status, await tagNames(world, first.id)]).toEqual([200, [ferry.name, north.name]]);
    expect((await send({ id: 987654 })).errors).toMatchObject([{ source: 'tag_id.0' }]);
    expect(await tagNames(world, second.id)).toEqual([]);
  });

  test('each line is done or refused by itself, with its number', async () => {
    await using world = await makeWorld();
    const { admin, first, second, sibling, foreign } = await makeFleet(world);
    await makeDevice(world, { company: foreign, serial: '2001' });
    await makeTag(world, { company: sibling, name: 'south' });
    const csv = 'Serial,Tags\n1001,ferry;north\n\n9999,ferry\n2001,ferry\n1002,nowhere\n1002,south\n1002\n1002,"ferry"\n';
    const answer = await apply(world, admin, csv);
    expect([answer.status, answer.data.toSorted(), answer.meta]).toEqual([207, [first.id, second.id], { lines: 7, changed: 2 }]);
    expect(answer.errors.map((error) => [error.source, error.code])).toEqual([
      ['file.4', 'CSV_DEVICE_UNKNOWN'],
      ['file.5', 'CSV_DEVICE_UNKNOWN'],
      ['file.6', 'CSV_TAG_UNKNOWN'],
      ['file.7', 'CSV_TAG_FOREIGN'],
      ['file.8', 'CSV_NO_TAG'],
    ]);
    expect(answer.errors[0]?.message).toBe('Line 4: device 9999 not found.');
    expect([await tagNames(world, first.id), await tagNames(world, second.id)]).toEqual([['ferry', 'north'], ['ferry']]);
    const rows = await world.ctx.db.selectFrom('audit').select('action').where('action', '=', 'devices.assign-tags').execute();
    expect(rows).toHaveLength(2);
  });

  test('devices can be named by MAC in any writing, and tags chosen for all lines', async () => {
    await using world = await makeWorld();
    const { admin, first, second, ferry } = await makeFleet(world);
    const answer = await apply(world, admin, '001e42abcd01\r\n00-1E-42-AB-CD-02\r\n', { identifier: 'mac', tags: [ferry] });
    expect([answer.status, answer.meta]).toEqual([200, { lines: 2, changed: 2 }]);
    expect([await tagNames(world, first.id), await tagNames(world, second.id)]).toEqual([['ferry'], ['ferry']]);
  });

  test('tags are taken off and replaced as well', async () => {
    await using world = await makeWorld();
    const { admin, first, ferry, north } = await makeFleet(world);
    await apply(world, admin, '1001,ferry;north');
    expect((await apply(world, admin, '1001', { mode: 'unassign', tags: [ferry] })).status).toBe(200);
    expect(await tagNames(world, first.id)).toEqual(['north']);
    await apply(world, admin, '1001,ferry', { mode: 'overwrite' });
    expect(await tagNames(world, first.id)).toEqual(['ferry']);
    await apply(world, admin, '1001', { mode: 'overwrite' });
    expect(await tagNames(world, first.id)).toEqual([]);
    expect(north.id).toBeGreaterThan(0);
  });

  test('of tags with one name the nearest to the device is meant', async () => {
    await using world = await makeWorld();
    const { admin, first, middle } = await makeFleet(world);
    const own = await makeTag(world, { company: middle, name: 'ferry' });
    await apply(world, admin, '1001,ferry');
    const rows = await world.ctx.db.selectFrom('device_tags').selectAll().execute();
    expect(rows).toEqual([{ device_id: first.id, tag_id: own.id }]);
  });

  test('a tag of another tree is not found, and too many lines or columns are refused as a whole [AC2]', async () => {
    await using world = await makeWorld();
    const { admin, foreign } = await makeFleet(world);
    const theirs = await makeTag(world, { company: foreign });
    expect(await apply(world, admin, '1001', { tags: [theirs] })).toMatchObject({ status: 404, errors: [{ source: 'tag_id.0' }] });
    expect(await apply(world, admin, '1001\n'.repeat(20_001))).toMatchObject({ status: 400, codes: ['CSV_TOO_LONG'] });
    expect(await apply(world, admin, `1001\n1002${',ferry'.repeat(200)}\n`)).toMatchObject({
      status: 400,
      errors: [{ code: 'TOO_MANY_COLUMNS', source: 'file', message: 'Row 2 has more than 200 columns. Remove the further ones.' }],
    });
    expect(await world.ctx.db.selectFrom('device_tags').selectAll().execute()).toEqual([]);
    expect(await apply(world, admin, `1001,ferry${','.repeat(300)}\n`)).toMatchObject({ status: 200 });
  });
});

test('the use of a tag lists its devices and the codes that still give it, of visible companies only', async () => {
  await using world = await makeWorld();
  const { admin, first, ferry, middle, foreign, north } = await makeFleet(world);
  await world.ctx.db.insertInto('device_tags').values({ device_id: first.id, tag_id: ferry.id }).execute();
  const code = await makeEnrolmentCode(world, { company: middle, tags: [north, ferry] });
  await makeEnrolmentCode(world, { company: middle, tags: [ferry], revoked_at: 1 });
  await makeEnrolmentCode(world, { company: middle, tags: [{ id: Number(`${ferry.id}1`) }] });
  await makeEnrolmentCode(world, { company: foreign, tags: [ferry] });
  expect((await admin.get(`/tags/${ferry.id}/usage`)).data).toEqual({
    devices_count: 1,
    codes: [{ id: code.id, hint: code.hint }],
    actions_count: 0,
  });
});

test('a file with semicolons, as spreadsheets of half of Europe write it, names tags with semicolons in quotes; rounded numbers are refused as such [CC3 CC6]', async () => {
  await using world = await makeWorld();
  const { admin, top, first } = await makeFleet(world);
  await makeTag(world, { company: top, name: 'quay; inner' });
  const csv = '\uFEFFSerienummer;Merke;Merke;\r\n1001;ferry;"quay; inner";\r\n1.10643E+09;ferry;;\r\n;;;\r\n';
  const answer = await apply(world, admin, csv);
  expect([answer.status, answer.data]).toEqual([207, [first.id]]);
  expect(answer.errors.map(({ source, code }) => [source, code])).toEqual([['file.3', 'CSV_NUMBER_ROUNDED']]);
  expect(await tagNames(world, first.id)).toEqual(['ferry', 'quay; inner']);
  expect((await apply(world, admin, Buffer.from('1001;kj\xf8', 'latin1'))).codes).toEqual(['NOT_UNICODE']);
});
