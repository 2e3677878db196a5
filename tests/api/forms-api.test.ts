import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../server/features/forms/repo.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeRole } from '../helpers/factories.ts';
import { apnForm, textOf } from '../helpers/forms.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const PATH = '/forms/ops/set-apn';
const first = textOf(apnForm());
const second = textOf(apnForm({ title: { en: 'Set the APN' } }));
const third = textOf(apnForm({ title: { en: 'APN' } }));

async function place(): Promise<{ world: World; admin: Caller }> {
  const world = await makeWorld();
  return { world, admin: await as(world, 'super_admin') };
}

const over = (text: string): Record<string, string> => ({ 'if-match': `"${hashOf(text)}"` });

test('each form is listed with its level, worked out on the server from the text that is in use [G9]', async () => {
  const { world, admin } = await place();
  await using _end = world;
  await admin.put(PATH, { text: first });
  const listed = async () => (await admin.get('/forms')).data.find(({ id }: { id: string }) => id === 'ops/set-apn').quality;
  expect(await listed()).toEqual({ level: 'bronze', next: 'silver', missing: ['description', 'examples'] });
  const better = apnForm({
    description: { en: 'For the first modem' },
    examples: [{ apn: 'iot.example', auth: 'pap', password: 'secret', mtu: 1400 }],
  });
  await admin.put(PATH, { text: textOf(better) }, over(first));
  expect(await listed()).toEqual({ level: 'silver', next: 'gold', missing: ['languages'] });
});

describe('saving a form [G5]', () => {
  test('writes the file and a version with who, when and why [G5]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    const saved = await admin.put(PATH, { text: first, note: 'The first' });
    expect([saved.status, saved.data.version, saved.headers['etag']]).toEqual([200, 1, `"${hashOf(first)}"`]);
    expect(readFileSync(join(world.ctx.config.formsDir, 'ops/set-apn.form.json'), 'utf8')).toBe(first);
    await admin.put(PATH, { text: second }, over(first));
    const { data } = await admin.get(`${PATH}/versions`);
    expect(data).toMatchObject([
      { number: 2, sha256: hashOf(second), note: '' },
      { number: 1, user_name: admin.user.username, note: 'The first', at: '2026-11-02 09:00:00' },
    ]);
    expect((await admin.get(`${PATH}/versions/1`)).data.text).toBe(first);
    expect((await admin.get(PATH)).data).toMatchObject({ text: second, etag: `"${hashOf(second)}"`, findings: [] });
  });

  test('two people who save over the same text: the second sees both, and nothing is lost [G5]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    const other = await as(world, 'super_admin');
    await admin.put(PATH, { text: first });
    await other.put(PATH, { text: second }, over(first));
    const refused = await admin.put(PATH, { text: third }, over(first));
    expect([refused.status, refused.codes, refused.meta]).toEqual([
      412,
      ['FORM_CHANGED'],
      { yours: hashOf(third), theirs: hashOf(second) },
    ]);
    expect((await admin.put(PATH, { text: third })).status, 'without a tag it could be anything').toBe(412);
    expect((await admin.delete(PATH, undefined, over(first))).status).toBe(412);
    expect((await admin.get(PATH)).data.text).toBe(second);
  });

  test('a former version is restored as a new one, also after the form was removed [G5]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    await admin.put(PATH, { text: first });
    await admin.put(PATH, { text: second }, over(first));
    expect((await admin.post(`${PATH}/versions/1/restore`, undefined, over(second))).data).toMatchObject({ version: 3 });
    expect((await admin.get(PATH)).data.text).toBe(first);
    expect((await admin.delete(PATH, undefined, over(first))).status).toBe(200);
    expect((await admin.get(PATH)).codes).toEqual(['NOT_FOUND']);
    expect((await admin.post(`${PATH}/versions/2/restore`)).data).toMatchObject({ version: 4 });
    const actions = await world.ctx.db
      .selectFrom('audit')
      .select(['action', 'entity_name'])
      .where('entity', '=', 'form')
      .orderBy('id')
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(['forms.save', 'forms.save', 'forms.restore', 'forms.remove', 'forms.restore']);
  });

  test('a wrong text is refused with an item for each finding, with line and column, and the file stays [G3]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    await admin.put(PATH, { text: first });
    const wrong = first.replace('"execute_device_actions"', '"execute_device_action"').replace('{apn}', '{apm}');
    const refused = await admin.put(PATH, { text: wrong }, over(first));
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_FORM', 'INVALID_FORM']]);
    expect(refused.errors[0]).toMatchObject({
      source: '8:17',
      message: 'No permission named "execute_device_action". Did you mean "execute_device_actions"?',
      params: { line: 8, column: 17, finding: 'unknown-permission' },
    });
    expect((await admin.get(PATH)).data).toMatchObject({ text: first, health: 'ok' });
    expect((await admin.put('/forms/Ops/set-apn', { text: first })).codes).toEqual(['NOT_FOUND']);
    expect((await admin.put('/forms/ops/..', { text: first })).status).toBe(404);
  });
});

describe('a text that is not saved yet [G4]', () => {
  test('is judged, completed and documented', async () => {
    const { world, admin } = await place();
    await using _end = world;
    const { data } = await admin.post('/forms/check', { text: first });
    expect(data.findings).toEqual([]);
    expect(data.form.submit).toMatchObject({ method: 'POST', path: '/forms/ops/set-apn/run', payload: 'devices' });
    expect(data.documentation.request).toMatchObject({ path: '/forms/ops/set-apn/run', body: { apn: 'iot.example', device_id: [1] } });
    expect(data.documentation.fields[0]).toMatchObject({ name: 'apn', type: 'string', required: true });
    const wrong = (await admin.post('/forms/check', { text: 'no form' })).data;
    expect([wrong.form, wrong.findings[0]]).toEqual([null, expect.objectContaining({ code: 'bad-json', line: 1, column: 1 })]);
    expect((await admin.get('/forms/ops/set-apn')).status).toBe(404);
  });

  test('lists the fields for which calls made for the version in use would be refused [G5]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    const check = async (text: string) => (await admin.post('/forms/check', { id: 'ops/set-apn', text })).data.breaks;
    expect(await check(first)).toEqual([]);
    await admin.put('/forms/ops/set-apn', { text: first });
    expect(await check(first)).toEqual([]);
    const narrower = first.replace('"maxLength": 100', '"maxLength": 90');
    expect(narrower).not.toBe(first);
    expect(await check(narrower)).toEqual([{ field: 'apn', what: 'limits' }]);
  });

  test('is right while it is that of a form that ships, and takes its id once it differs', async () => {
    const { world, admin } = await place();
    await using _end = world;
    const { text } = (await admin.get('/forms/tags/new')).data;
    const { data } = await admin.post('/forms/check', { id: 'tags/new', text });
    expect([data.findings, data.hash]).toEqual([[], expect.any(String)]);
    const changed = await admin.post('/forms/check', { id: 'tags/new', text: `${text} ` });
    expect(changed.data.findings).toMatchObject([{ message: expect.stringContaining('ships already') }]);
  });
});

describe('forms on their way to another installation', () => {
  test('an export is imported there; what cannot be used is reported, the rest is saved', async () => {
    const { world, admin } = await place();
    await using _end = world;
    await admin.put(PATH, { text: first });
    const bundle = JSON.parse((await admin.get('/forms/export')).text);
    await using there = await makeWorld();
    const other = await as(there, 'super_admin');
    const bad = { id: 'ops/bad', text: '{}' };
    const answer = await other.post('/forms/import', { ...bundle, forms: [bad, ...bundle.forms] });
    expect([answer.status, answer.data]).toEqual([207, [{ id: 'ops/set-apn', version: 1 }]]);
    expect(answer.errors[0]).toMatchObject({ code: 'INVALID_FORM', source: 'forms.0.1:1', params: { id: 'ops/bad' } });
    const changed = { forms: [{ id: 'ops/set-apn', text: second }] };
    expect((await other.post('/forms/import', changed)).codes).toEqual(['FORM_CHANGED']);
    expect((await other.post('/forms/import', { ...changed, overwrite: true })).data).toEqual([{ id: 'ops/set-apn', version: 2 }]);
  });
});

describe('who may see and load an added form', () => {
  test('holders of the permission that its file names; nobody else learns of it', async () => {
    const { world, admin } = await place();
    await using _end = world;
    await admin.put(PATH, { text: first });
    const holder = await as(world, await makeRole(world, { permissions: ['execute_device_actions'] }));
    const stranger = await as(world, await makeRole(world, { permissions: ['view_devices'] }));
    const { data } = await holder.get('/forms/added');
    expect(data).toMatchObject([
      { id: 'ops/set-apn', title: { en: 'Set APN' }, permission: 'execute_device_actions', place: { devices: ['row', 'bulk'] } },
    ]);
    expect((await stranger.get('/forms/added')).data).toEqual([]);
    const address = `//forms-code/ops/set-apn.${data[0].hash}.js`;
    const module = await holder.get(address);
    expect([module.status, module.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(module.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    expect((await stranger.get(address)).status).toBe(404);
    expect((await send(world, 'GET', address)).status).toBe(401);
    expect((await holder.get('//forms-code/ops/set-apn.00000000000000000000000000000000.js')).status).toBe(404);
    expect(module.text).not.toMatch(/new Function|\beval\(|\brequire\(|^import /m);
    const loaded = await import(`data:text/javascript,${encodeURIComponent(module.text)}`);
    expect(loaded.form.id).toBe('ops/set-apn');
    expect([loaded.validate({ apn: 'x' }), loaded.validate({ apn: '' })]).toEqual([true, false]);
    expect((await holder.get('/forms')).codes).toEqual(['FORBIDDEN']);
  });

  test('the API description has the calls of added forms [G6]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    await admin.put(PATH, { text: first });
    const { paths } = JSON.parse((await admin.get('/docs/json')).text);
    const operation = paths['/api/forms/ops/set-apn/run'].post;
    expect(operation.description).toContain('execute_device_actions');
    expect(Object.keys(operation.requestBody.content['application/json'].schema.properties)).toContain('apn');
  });

  test('the meta-schema is there for every editor [G2]', async () => {
    const { world } = await place();
    await using _end = world;
    const answer = await send(world, 'GET', '//schemas/form-v1.json');
    expect([answer.status, answer.headers['access-control-allow-origin'], JSON.parse(answer.text).title]).toEqual([
      200,
      '*',
      'Canopy form',
    ]);
  });
});
