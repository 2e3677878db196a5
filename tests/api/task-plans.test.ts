import { beforeAll, describe, expect, test } from 'vitest';
import { runDuePlans } from '../../server/features/tasks/run-due.ts';
import { HOUR } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { statesOf } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let group: number;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  const tasks = [{ name: 'Greet', type: 'command', timeout: 30, data: { command: 'echo {{note}}' } }];
  const variables = [{ name: 'note', type: 'text' }];
  group = (await admin.post('/devices/tasks/groups', { name: 'Morning', company_id: company.id, tasks, variables })).data.id;
  return () => world[Symbol.asyncDispose]();
});

const plan = (more: object = {}) => ({
  ...{ name: 'Each six hours', group_id: group, applies_to: 'company', period: 'hours', every_hours: 6 },
  ...{ values: [{ name: 'note', value: 'hello' }], ...more },
});
const due = async (hours: number) => {
  await world.clock.jump(hours * HOUR);
  await runDuePlans(world.ctx);
};

describe('a plan of a task list', () => {
  test('runs the list on its devices every so many hours, once each time, with the values that it gives', async () => {
    const device = await makeDevice(world, { company });
    const added = await admin.post('/task-plans', plan());
    expect(added.status).toBe(201);
    await due(5);
    const early = await as(world, 'admin', { company });
    expect((await early.get(`/task-plans/${added.data.id}`)).data).toMatchObject({ last_job_id: null, group_name: 'Morning' });
    await due(1.1);
    await Promise.all([runDuePlans(world.ctx), runDuePlans(world.ctx)]);
    const caller = await as(world, 'admin', { company });
    const { last_job_id, next_at, last_at } = (await caller.get(`/task-plans/${added.data.id}`)).data;
    expect(Date.parse(`${next_at}Z`) - Date.parse(`${last_at}Z`)).toBe(6 * HOUR);
    expect(await statesOf(caller, last_job_id)).toHaveLength(1);
    const jobs = await world.ctx.db.selectFrom('jobs').selectAll().where('kind', '=', 'execute_tasks_group').execute();
    expect(jobs.map(({ input }) => JSON.parse(input).values)).toEqual([{ note: 'hello' }]);
    expect(jobs[0]?.created_by).toBe(admin.user.id);
    expect(device.id).toBeGreaterThan(0);
    await caller.delete(`/task-plans/${added.data.id}`);
  });

  test('is for a tag or chosen devices of its company only, and asks for what its list asks for', async () => {
    const caller = await as(world, 'admin', { company });
    const tag = await makeTag(world, { company });
    const [tagged, foreign] = [await makeDevice(world, { company }), await makeDevice(world)];
    await world.ctx.db.insertInto('device_tags').values({ device_id: tagged.id, tag_id: tag.id }).execute();
    const wrong = await caller.post('/task-plans', plan({ applies_to: 'device', device_ids: [foreign.id] }));
    expect([wrong.status, wrong.errors?.[0]?.source]).toEqual([404, 'device_ids.0']);
    const bare = await caller.post('/task-plans', plan({ values: [] }));
    expect([bare.status, bare.errors?.[0]?.source]).toEqual([400, 'values']);
    const zone = await caller.post('/task-plans', plan({ period: 'day', every_hours: undefined, time: '03:00', timezone: 'Mars/Base' }));
    expect([zone.status, zone.errors?.[0]?.source]).toEqual([400, 'timezone']);
    const { data } = await caller.post(
      '/task-plans',
      plan({ name: 'Tagged', applies_to: 'tag', tag_ids: [tag.id], period: 'day', every_hours: undefined, time: '03:00', timezone: 'UTC' }),
    );
    await due(24);
    const again = await as(world, 'admin', { company });
    const { last_job_id } = (await again.get(`/task-plans/${data.id}`)).data;
    expect((await again.get(`/jobs/${last_job_id}/targets`)).data.map((target: { device_id: number }) => target.device_id)).toEqual([
      tagged.id,
    ]);
    expect((await again.put(`/task-plans/${data.id}`, plan({ is_active: false }))).data).toMatchObject({ is_active: false, next_at: null });
  });

  test('runs no more when its person may not, and is seen and changed only where one sees its company [AC1]', async () => {
    const person = await as(world, 'admin', { company });
    const { data } = await person.post('/task-plans', plan({ name: 'Theirs' }));
    await world.ctx.db.updateTable('memberships').set({ disabled_at: world.clock.now() }).where('user_id', '=', person.user.id).execute();
    await due(7);
    const caller = await as(world, 'admin', { company });
    expect((await caller.get(`/task-plans/${data.id}`)).data).toMatchObject({ last_job_id: null });
    const stranger = await as(world, 'admin');
    expect((await stranger.get('/task-plans')).data).toEqual([]);
    for (const call of [stranger.get(`/task-plans/${data.id}`), stranger.delete(`/task-plans/${data.id}`)])
      expect((await call).status).toBe(404);
    expect((await (await as(world, 'read_only', { company })).post('/task-plans', plan())).status).toBe(403);
    const actions = await world.ctx.db.selectFrom('audit').select('action').where('entity', '=', 'task_plan').execute();
    expect(new Set(actions.map(({ action }) => action))).toEqual(new Set(['task-plans.new', 'task-plans.edit', 'task-plans.remove']));
  });
});
