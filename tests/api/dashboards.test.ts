import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { DAY } from '../../server/kernel/clock.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
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

test.each([
  ['fleet', 'vpn'],
  ['fleet', 'site'],
  ['device', 'vpn'],
  ['device', 'site'],
])('a %s dashboard from the template %s shows what it can show', async (kind, template) => {
  const id = await make(ann, { kind, template });
  const widgets = JSON.parse((await read(ann, id))['widgets']);
  expect(widgets.length).toBeGreaterThan(3);
  expect((await ann.put(`/dashboards/${id}/layout`, { version: 1, widgets })).status).toBe(200);
});

test('a dashboard of a fleet says how many devices were online as long as was promised, and which were not', async () => {
  const now = world.clock.now();
  const put = async (name: string, spans: [days: number, value: string][], values: object = {}) => {
    const device = await makeDevice(world, { company, name, status: 1, status_changed_at: now - 90 * DAY, ...values });
    const rows = spans.map(([days, value]) => ({ device_id: device.id, name: 'status', at: now - days * DAY, value }));
    if (rows.length > 0) await world.ctx.db.insertInto('device_states').values(rows).execute();
    return device;
  };
  await put('steady', [[40, '1']]);
  const flaky = await put('flaky', [[20, '1'], [5, '0'], [4, '1']]); // prettier-ignore
  const late = await put('late', [[12, '0'], [5, '1']]); // prettier-ignore
  await put('never heard', [], { status: null, status_changed_at: null });
  const quiet = await put('quiet', [], { status: 0, status_changed_at: now - 5 * DAY });
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  const path = '/devices/availability';
  const { data } = await ann.get(path, { days: '10', target: '95', count: '2', company_id: String(company.id) });
  expect(data).toMatchObject({
    devices: 4,
    met: 1,
    worst: [
      { id: quiet.id, online_percent: 0 },
      { id: late.id, online_percent: 50 },
    ],
  });
  expect(data.average).toBeCloseTo((100 + 90 + 50 + 0) / 4, 5);
  expect((await ann.get(path, { days: '10', target: '90', id: String(flaky.id) })).data).toMatchObject({ devices: 1, met: 1, worst: [] });
  expect((await stranger.get(path)).data).toMatchObject({ devices: 0, average: null, worst: [] });
  expect((await ann.get(path, { days: '0' })).errors).toMatchObject([{ source: 'days' }]);
});
