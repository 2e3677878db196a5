import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { paid } from '../helpers/credits.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { asProgram, type Program } from '../helpers/program.ts';
import { makeWorld, type World } from '../helpers/world.ts';

// Requests as programs send them that were written for the public API. The console, with a session, gets the strict answers.

let world: World;
let program: Program;
let console: Caller;
let companyId: number;
let deviceId: number;
let tagId: number;

beforeAll(async () => {
  world = await makeWorld();
  const { top } = await makeTree(world);
  companyId = top.id;
  program = await asProgram(world, 'admin', { company: top });
  console = await as(world, 'admin', { company: top });
  deviceId = (await makeDevice(world, { company: top })).id;
  tagId = (await makeTag(world, { company: top, name: 'ferry' })).id;
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/credits', paid(companyId, 10));
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(['/credits/report/json', '/credits/report', '/statistics/devices/online', '/companies/data/history', '/credits/history'])(
  'the period of %s is asked for by days as by times of them',
  async (path) => {
    const period = { start_date: '2026-10-23 21:04:00', end_date: '2026-11-22 21:04:00' };
    expect((await program.get(path, { company_id: companyId, ...period })).status).toBe(200);
    expect((await program.get(path, { company_id: companyId, start_date: '2026-10-23', end_date: '2026-11-22' })).status).toBe(200);
    const wrong = await program.get(path, { company_id: companyId, start_date: '2026-10-23 25:00:00' });
    expect(wrong).toMatchObject({ status: 400, errors: [{ source: 'start_date' }] });
  },
);

test('a period ends with the second that it names', async () => {
  const [entry] = (await program.get('/credits/history')).data;
  const at: string = entry.created_at;
  expect((await program.get('/credits/history', { start_date: at, end_date: at })).data).toContainEqual(entry);
  const before = new Date(Date.parse(`${at.replace(' ', 'T')}Z`) - 1000).toISOString().slice(0, 19).replace('T', ' ');
  expect((await program.get('/credits/history', { end_date: before })).data).not.toContainEqual(entry);
});

test('a page that a program asks for is at most 100 rows, and 0 asks for the total', async () => {
  for (const limit of [1000, 10_000])
    expect((await program.get('/tags', { limit })).data.map(({ id }: { id: number }) => id)).toContain(tagId);
  const none = await program.get('/tags', { limit: 0 });
  expect([none.status, none.data, Number(none.meta['total']) > 0]).toEqual([200, [], true]);
  expect((await program.get('/tags', { limit: -1 })).status).toBe(400);
  for (const limit of [1000, 0]) expect((await console.get('/tags', { limit })).errors).toMatchObject([{ source: 'limit' }]);
});

test('a parameter that nobody knows is left out with a warning for a program, and refused for the console [AC3]', async () => {
  for (const path of ['/devices', `/devices/${deviceId}`, '/user']) {
    const answer = await program.get(path, { tags: 'prod' });
    expect([path, answer.status, answer.headers['warning']]).toEqual([path, 200, '299 - "Unknown parameter ignored: tags"']);
    expect((await console.get(path, { tags: 'prod' })).errors).toMatchObject([{ code: 'UNKNOWN_FIELD', source: 'tags' }]);
  }
  const action = await program.post('/devices/actions', { action: 'reboot', filter: { tags: 'prod' } });
  expect(action.status).toBe(422);
});

test('fields to search in that a list does not have are left out with a warning for a program, and refused for the console [AC3]', async () => {
  const asked = { q: 'fer', 'search-fields': 'name,email', fields: 'id,name,email' };
  const answer = await program.get('/tags', asked);
  expect([answer.status, answer.headers['warning']]).toEqual([
    200,
    '299 - "Unknown field ignored: email", 299 - "Unknown field ignored: email"',
  ]);
  expect((await program.get('/tags', { 'search-fields': 'imei' })).status).toBe(200);
  expect((await console.get('/tags', asked)).errors).toMatchObject([{ code: 'UNKNOWN_FIELD' }]);
});

test('an unknown member of a body that says nothing is left out with a warning, one that says something is refused', async () => {
  const body = { name: 'quay', company_id: companyId, parameters: {} };
  const made = await program.post('/tags', body);
  expect([made.status, made.headers['warning']]).toEqual([201, '299 - "Unknown field ignored: parameters"']);
  const wrong = await program.post('/tags', { ...body, name: 'pier', parameters: { a: 1 } });
  expect(wrong).toMatchObject({ status: 422, errors: [{ code: 'UNKNOWN_FIELD', source: 'parameters' }] });
  expect((await console.post('/tags', { ...body, name: 'pier' })).status).toBe(400);
});

test('wrong fields are 422 for a program and 400 for the console, with the first code beside the list', async () => {
  const wrong = await program.post('/tags', { name: '', company_id: companyId });
  expect(wrong).toMatchObject({ status: 422, errors: [{ code: 'INVALID_FIELD', source: 'name' }] });
  expect(JSON.parse(wrong.text)).toMatchObject({ success: false, code: 'INVALID_FIELD' });
  expect((await console.post('/tags', { name: '', company_id: companyId })).status).toBe(400);
  const channel = await program.get('//status/channel/x');
  expect([channel.status, JSON.parse(channel.text).code]).toEqual([404, 'CHANNEL_NOT_FOUND']);
});

test('a call that names JSON as its type may have no body', async () => {
  const json = { 'content-type': 'application/json' };
  expect((await program.delete('/tags/999999', undefined, json)).status).toBe(404);
  const own = await makeTag(world, { company: { id: companyId }, name: 'gone' });
  expect((await program.delete(`/tags/${own.id}`, undefined, json)).status).toBe(200);
  expect((await program.post('/tags', undefined, json)).status).toBe(422);
});
