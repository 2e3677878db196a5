import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let ann: Caller;
let bo: Caller;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  ann = await as(world, 'admin', { company });
  bo = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

async function make(caller: Caller, given: object = {}): Promise<number> {
  const answer = await caller.post('/dashboards', { name: 'Room', kind: 'fleet', template: 'overview', share: 'company', ...given });
  expect(answer.status).toBe(201);
  return answer.data['id'];
}
const read = async (caller: Caller, id: number) => (await caller.get(`/dashboards/${id}`)).data;
const text = (id: string, x: number, y: number) => ({ id, type: 'text', x, y, w: 4, h: 2, text: 'Call Ann' });

test('a dashboard begins as its template, and one of the company is there for everybody in it [M1]', async () => {
  const id = await make(ann);
  const widgets = JSON.parse((await read(bo, id))['widgets']);
  expect(widgets.map(({ type }: { type: string }) => type)).toContain('map');
  const own = await make(ann, { share: 'private', template: 'empty' });
  expect((await read(ann, own))['widgets']).toBe('[]');
  expect((await bo.get(`/dashboards/${own}`)).status).toBe(404);
  expect((await bo.put(`/dashboards/${own}/layout`, { version: 1, widgets: [] })).status).toBe(404);
  expect((await bo.delete(`/dashboards/${own}`)).status).toBe(404);
});

test('two people who change one dashboard do not write over each other', async () => {
  const id = await make(ann, { template: 'empty' });
  const first = await ann.put(`/dashboards/${id}/layout`, { version: 1, widgets: [text('a', 0, 0)] });
  expect(first.data).toEqual({ version: 2 });
  const second = await bo.put(`/dashboards/${id}/layout`, { version: 1, widgets: [] });
  expect(second).toMatchObject({ status: 409, errors: [{ code: 'DASHBOARD_CHANGED' }] });
  expect(JSON.parse((await read(bo, id))['widgets'])).toHaveLength(1);
});

test('widgets that lie on each other are moved apart, and each change is in the history', async () => {
  const id = await make(ann, { template: 'empty' });
  await ann.put(`/dashboards/${id}/layout`, { version: 1, widgets: [text('a', 0, 5), text('b', 0, 5)] });
  expect(JSON.parse((await read(ann, id))['widgets']).map(({ y }: { y: number }) => y)).toEqual([0, 2]);
  const rows = await world.ctx.db
    .selectFrom('audit')
    .select('action')
    .where('entity', '=', 'dashboard')
    .where('entity_id', '=', id)
    .execute();
  expect(rows.map(({ action }) => action)).toEqual(['dashboards.new', 'dashboards.edit']);
});

test.each([
  [{ type: 'states', source: 'presence' }, 'widgets.0.type'],
  [{ type: 'line', source: 'nothing' }, 'widgets.0.source'],
  [{ x: 10 }, 'widgets.0.w'],
  [{ x: -1 }, 'widgets.0.x'],
  [{ text: 'x'.repeat(2001) }, 'widgets.0.text'],
])('what a dashboard cannot show is refused at its place: %j', async (wrong, source) => {
  const id = await make(ann, { template: 'empty' });
  const answer = await ann.put(`/dashboards/${id}/layout`, { version: 1, widgets: [{ ...text('a', 0, 0), ...wrong }] });
  expect(answer.status).toBeLessThan(500);
  expect(answer.errors[0]?.source).toBe(source);
});

test('a company begins with one dashboard of each kind at most', async () => {
  const [one, other, device] = [await make(ann), await make(ann), await make(ann, { kind: 'device' })];
  for (const id of [one, device, other])
    expect((await ann.put(`/dashboards/${id}`, { name: 'Room', share: 'company', is_company_default: true })).status).toBe(200);
  expect([await read(ann, one), await read(ann, other), await read(ann, device)].map((row) => row['is_company_default'])).toEqual([
    false,
    true,
    true,
  ]);
});

test('an exported dashboard becomes another one; what is none is refused', async () => {
  const exported = { format: 'canopy-dashboard', kind: 'device', name: 'Copy', widgets: [text('a', 0, 0)] };
  const answer = await ann.post('/dashboards/import', { text: JSON.stringify(exported), share: 'private' });
  expect(await read(ann, answer.data['id'])).toMatchObject({ name: 'Copy', kind: 'device', share: 'private' });
  for (const wrong of [
    '{}',
    '[',
    'null',
    JSON.stringify({ ...exported, format: 'x' }),
    JSON.stringify({ ...exported, widgets: [{ ...text('a', 0, 0), type: 'bar', source: 'model' }] }),
  ])
    expect((await ann.post('/dashboards/import', { text: wrong, share: 'private' })).errors[0]?.source).toBe('text');
});

test('guests look at dashboards and change none; those of other companies are not there', async () => {
  const id = await make(ann);
  const guest = await as(world, 'read_only', { company });
  expect((await guest.get(`/dashboards/${id}`)).status).toBe(200);
  expect((await guest.put(`/dashboards/${id}/layout`, { version: 1, widgets: [] })).status).toBe(403);
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await stranger.get(`/dashboards/${id}`)).status).toBe(404);
  expect((await stranger.get('/dashboards')).data).toEqual([]);
});
