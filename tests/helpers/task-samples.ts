import type { World } from './world.ts';

interface Company {
  id: number;
  path: string;
}

interface TaskPlace {
  company: Company;
  device: { id: number; name: string };
  /** A job whose row is taken as the model of the run. */
  jobId: number;
  marker: string;
}

/** A list of tasks with one task, and a run of it. */
export async function makeTaskRecords(world: World, { company, device, jobId, marker }: TaskPlace) {
  const now = world.clock.now();
  const { db } = world.ctx;
  const times = { created_at: now, updated_at: now };
  const group = await db
    .insertInto('task_groups')
    .values({ company_id: company.id, name: `${marker} list`, variables: '[]', success_tag_ids: '[]', failed_tag_ids: '[]', ...times })
    .returning('id')
    .executeTakeFirstOrThrow();
  const common = { name: `${marker} task`, type: 'command', timeout: 10 } as const;
  const task = await db
    .insertInto('tasks')
    .values({ ...common, ...times, group_id: group.id, place: 0, stop_on_failure: 1, data: JSON.stringify({ command: marker }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const taskPlan = await db
    .insertInto('task_plans')
    .values({
      company_id: company.id,
      group_id: group.id,
      name: marker,
      applies_to: 'company',
      apply_list: '[]',
      period: 'day',
      day: null,
      time: '03:00',
      timezone: 'UTC',
      every_hours: null,
      given: '[]',
      is_active: 1,
      created_by: null,
      actor_company_id: company.id,
      user_name: marker,
      ...times,
      next_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: _id, ...model } = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
  const tasks = [{ ...common, task_id: task.id, stop_on_failure: true, command: marker, acceptable_codes: [] }];
  const kept = { group_id: group.id, name: `${marker} list`, tasks, variables: [], values: {}, success_tag_id: [], failed_tag_id: [] };
  const run = await db
    .insertInto('jobs')
    .values({ ...model, kind: 'execute_tasks_group', input: JSON.stringify(kept) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const target = await db
    .insertInto('job_targets')
    .values({
      job_id: run.id,
      device_id: device.id,
      device_name: device.name,
      company_id: company.id,
      command_id: `${marker} ${company.id}`,
      state: 'ok',
      truncated: 0,
      attempts: 1,
      finished_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    'devices/tasks/groups': group.id,
    'task-plans': taskPlan.id,
    'devices/tasks': task.id,
    'devices/tasks/groups/logs': target.id,
    'devices/tasks/logs': target.id * 2 + 1,
  };
}

/** What the vault has of a device, a look at it, and a plan for its company. */
export async function makePasswordRecords(world: World, { company, device, jobId, marker }: TaskPlace): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const password = await db
    .insertInto('device_passwords')
    .values({ device_id: device.id, username: `${marker} root`, is_proven: 1, changed_at: now, job_id: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const look = { device_id: device.id, device_name: device.name, username: 'root', user_id: null, user_name: marker, reason: marker };
  await db
    .insertInto('device_password_looks')
    .values({ ...look, company_id: company.id, ip: '127.0.0.1', at: now })
    .execute();
  const scope = { company_id: company.id, name: `${marker} plan`, applies_to: 'company', apply_list: '[]' } as const;
  const who = { created_by: null, actor_company_id: company.id, user_name: marker };
  const times = { created_at: now, updated_at: now, next_at: null, last_at: null, last_job_id: null };
  const plan = await db
    .insertInto('password_plans')
    .values({ ...scope, ...who, ...times, username: 'root', length: 16, use_special: 1, every_days: 30, is_active: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: _id, ...model } = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
  const job = await db
    .insertInto('jobs')
    .values({ ...model, kind: 'set_passwords', input: JSON.stringify({ mode: 'generate', keep: ['list'], secrets: '' }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('password_lists').values({ job_id: job.id, created_at: now, ended_at: null, end_reason: null }).execute();
  return { 'devices/passwords': password.id, 'devices/passwords/plans': plan.id, tasks: job.id };
}
