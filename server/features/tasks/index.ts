import { Type } from '../../kernel/type.ts';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import { created, ok, stream } from '../../kernel/answer.ts';
import { NotFound } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { MAX_DEVICE_IDS } from '../../../schemas/kit/form/enforced-schema.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { parseListQuery } from '../../kernel/list-query.ts';
import { entityFields, listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import type { Change } from '../../kernel/undo.ts';
import { keptNumber } from '../../kernel/undo.ts';
import { exportedGroup, readExported } from './exchange.ts';
import { TASK_KIND, taskKind } from './kind.ts';
import { listGroupLogs, listTaskLogs } from './logs.ts';
import type { GroupContent } from './present.ts';
import { registerTaskPlans } from './plan-routes.ts';
import { listGroups, listTasks } from './repo.ts';
import { prepareRun } from './run.ts';
import { copyGroup, createGroup, editGroup, editTask, getGroup, removeGroup, removeTask } from './service.ts';

const access = { permission: 'view_device_task_groups' } as const;
const tag = 'device tasks';

/** What the history kept of a group, as the removal or the change wrote it down. */
function keptContent({ before }: Change): GroupContent {
  const { name, tasks, variables, success_tag_id, failed_tag_id } = before as unknown as GroupContent;
  return { name, tasks, variables, success_tag_id, failed_tag_id };
}

function registerReading(app: App): void {
  listRoute(app, {
    path: '/devices/tasks/groups',
    access,
    summary: 'Lists of tasks for devices.',
    tag,
    rules: listRulesOf('task-groups', { sorts: ['id'], filters: { name: { kind: 'text', isNegatable: false } } }),
    list: (ctx, actor, query) => listGroups(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/devices/tasks/groups/:id',
    access,
    summary: 'One list of tasks, with its tasks and variables.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getGroup(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/devices/tasks/groups/:id/export',
    access,
    summary: 'A list of tasks as JSON, to import elsewhere.',
    mediaType: 'application/json',
    answer: {
      type: 'object',
      required: ['canopy', 'name', 'tasks', 'variables'],
      properties: {
        canopy: { type: 'string' },
        name: { type: 'string' },
        tasks: { type: 'array', items: { type: 'object', additionalProperties: true } },
        variables: { type: 'array', items: { type: 'object', additionalProperties: true } },
      },
    },
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const group = await getGroup(ctx, actor, params.id);
      return stream(exportedGroup(group), {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="task-group-${group.id}.json"`,
      });
    },
  });
  listRoute(app, {
    path: '/devices/tasks',
    access,
    summary: 'The tasks of all lists.',
    tag,
    rules: {
      sorts: new Set(['id', 'order', 'name', 'created_at']),
      filters: new Map([
        ['company_id', { kind: 'integer', isNegatable: false }],
        ['group_id', { kind: 'integer', isNegatable: false }],
        ['type', { kind: 'enum', values: ['command', 'upload_file', 'download_file'], isNegatable: false }],
      ]),
      fields: new Map(entityFields('task').map((field) => [field, undefined])),
      defaultSort: { key: 'id', isDescending: false },
      isSearchable: false,
    },
    list: (ctx, actor, query) => listTasks(ctx.reads, actor, query),
  });
}

function registerLogs(app: App): void {
  const groupRules = listRulesOf('task-group-logs', { sorts: ['id'] });
  const taskRules = listRulesOf('task-logs', { sorts: ['id'] });
  listRoute(app, {
    path: '/devices/tasks/groups/logs',
    access,
    summary: 'Runs of lists of tasks, one for each device.',
    tag,
    rules: groupRules,
    list: listGroupLogs,
  });
  listRoute(app, {
    path: '/devices/tasks/logs',
    access,
    summary: 'What each task gave on each device.',
    tag,
    rules: taskRules,
    list: listTaskLogs,
  });
  for (const [path, rules, list] of [
    ['/devices/tasks/groups/logs/:id', groupRules, listGroupLogs],
    ['/devices/tasks/logs/:id', taskRules, listTaskLogs],
  ] as const) {
    route(app, {
      method: 'GET',
      path,
      access,
      summary: 'One entry of the log.',
      tag,
      params: idParams,
      async handler({ ctx, actor, params }) {
        const { rows } = await list(ctx, actor, parseListQuery(rules, actor, { id: String(params.id) }));
        const [row] = rows;
        if (!row) throw new NotFound({});
        return ok(row);
      },
    });
  }
}

function registerChanging(app: App): void {
  formRoute(
    app,
    'task-groups/new',
    async ({ ctx, actor, origin, body: { company_id = actor.companyId, ...input } }) =>
      created({ id: await createGroup(ctx, { actor, origin }, company_id, input) }),
    { optional: ['company_id'], programs: { status: 200 } },
  );
  formRoute(
    app,
    'task-groups/edit',
    async ({ ctx, actor, origin, params, body }) => {
      await editGroup(ctx, { actor, origin }, params.id, body);
      return ok(await getGroup(ctx, actor, params.id));
    },
    { optional: ['name', 'tasks'] },
  );
  formRoute(app, 'task-groups/copy', async ({ ctx, actor, origin, params, body }) =>
    created({ id: await copyGroup(ctx, { actor, origin }, params.id, body.name) }),
  );
  formRoute(app, 'task-groups/import', async ({ ctx, actor, origin, body }) =>
    created({ id: await createGroup(ctx, { actor, origin }, body.company_id, readExported(body.text)) }),
  );
  formRoute(app, 'task-groups/remove', async ({ ctx, actor, origin, params }) => {
    await removeGroup(ctx, { actor, origin }, params.id);
    return ok();
  });
  const seconds = Type.Integer({ minimum: 1, maximum: 300 });
  route(app, {
    method: 'PUT',
    path: '/devices/tasks/:id',
    access: { permission: 'update_device_task_groups' },
    summary: 'Changes one task of a list.',
    tag,
    params: idParams,
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 100 }),
        order: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        stop_on_failure: Type.Boolean(),
        timeout: seconds,
      },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, origin, params, body }) {
      await editTask(ctx, { actor, origin }, params.id, body);
      return ok();
    },
  });
  route(app, {
    method: 'DELETE',
    path: '/devices/tasks/:id',
    access: { permission: 'update_device_task_groups' },
    summary: 'Takes a task out of its list.',
    tag,
    params: idParams,
    async handler({ ctx, actor, origin, params }) {
      await removeTask(ctx, { actor, origin }, params.id);
      return ok();
    },
  });
}

function registerRuns(app: App): void {
  formRoute(app, 'task-groups/execute', async (call) => {
    const body: FormData['task-groups/execute'] & DevicesBody = call.body;
    const values = Object.fromEntries((body.values ?? []).map(({ name, value }) => [name, value]));
    const input = await prepareRun(call.ctx, call.actor, body.group_id, values, { group: 'group_id', values: 'values' });
    return answerJobRequest({ ...call, body }, { kind: TASK_KIND, input });
  });
  const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
  const value = Type.Object(
    { name: Type.String({ maxLength: 32 }), value: Type.String({ maxLength: 1000 }) },
    { additionalProperties: false },
  );
  route(app, {
    method: 'POST',
    path: '/devices/tasks/groups/:id',
    access: { permission: 'execute_device_tasks' },
    summary: 'Runs a list of tasks on devices, with the values of its variables.',
    tag,
    params: idParams,
    body: Type.Object(
      {
        device_id: Type.Array(id, { minItems: 1, maxItems: MAX_DEVICE_IDS, uniqueItems: true }),
        tasks: Type.Optional(
          Type.Array(
            Type.Object({ task_id: id, variables: Type.Optional(Type.Array(value, { maxItems: 30 })) }, { additionalProperties: false }),
            { maxItems: 50 },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    async handler(call) {
      const requestedTasks = call.body.tasks ?? [];
      const entries = requestedTasks.flatMap(({ variables = [] }) =>
        variables.map(({ name, value: text }): [string, string] => [name, text]),
      );
      const input = await prepareRun(call.ctx, call.actor, call.params.id, Object.fromEntries(entries), { values: 'tasks' });
      const unknown = requestedTasks.findIndex(({ task_id }) => !input.tasks.some((task) => task.task_id === task_id));
      if (unknown !== -1) throw new NotFound({}, { source: `tasks.${unknown}.task_id` });
      return answerJobRequest({ ...call, body: { device_id: call.body.device_id } }, { kind: TASK_KIND, input });
    },
  });
}

/** The task manager: lists of tasks that devices run one after another, and what became of them. */
export function registerTasks(app: App): void {
  app.ctx.jobs.register(taskKind(app.ctx));
  app.undos.set('task-groups.edit', {
    permission: 'update_device_task_groups',
    one: (ctx, caller, change) => editGroup(ctx, caller, change.entityId, keptContent(change)),
  });
  app.undos.set('task-groups.remove', {
    permission: 'create_device_task_groups',
    one: (ctx, caller, change) => createGroup(ctx, caller, keptNumber(change.before, 'company_id'), keptContent(change), change.entityId),
  });
  registerReading(app);
  registerLogs(app);
  registerChanging(app);
  registerRuns(app);
  registerTaskPlans(app);
}
