import type { FormData } from '../../../schemas/_generated/contract.ts';
import { created, ok } from '../../kernel/answer.ts';
import { DAY } from '../../kernel/clock.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { recordFor } from '../../kernel/lenient-calls.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import {
  assignTemplates,
  changeAssignment,
  endAssignment,
  getAssignment,
  listAssignments,
  listLogs,
  unassignTemplate,
} from './assignments.ts';
import { takeCollected } from './collect.ts';
import { registerApiSources } from './api-sources.ts';
import { documentTemplate, readSources, templateTypes } from './documented.ts';
import { isSource } from './sources.ts';
import { addTemplate, editTemplate, getTemplate, listTemplates, removeTemplate } from './templates.ts';
import { testKind } from './test-kind.ts';
import { readUses } from './template-uses.ts';
import { countValues, listFields, readCollected, readCustomData } from './values.ts';

const access = { permission: 'view_monitoring' } as const;
const change = { permission: 'update_monitoring' } as const;
const tag = 'data collect';
const MOST_DEVICES = 500;

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const deviceIds = Type.Array(id, { minItems: 1, maxItems: MOST_DEVICES, uniqueItems: true });
const day = Type.Optional(Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])( ([01]\\d|2[0-3])(:[0-5]\\d){2})?$' }));
const momentOf = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`);
const field = Type.Object({ field: Type.String({ minLength: 5, maxLength: 300 }) });

function registerTemplates(app: App): void {
  listRoute(app, {
    path: '/data-collect/configs',
    access,
    summary: 'Monitoring templates: what devices are asked for repeatedly.',
    tag,
    rules: listRulesOf('monitoring-templates', { sorts: ['id'] }),
    list: listTemplates,
    documented: { fields: [], types: templateTypes, extend: async (_ctx, _actor, rows) => rows.map(documentTemplate) },
  });
  route(app, {
    method: 'GET',
    path: '/data-collect/configs/:id',
    access,
    summary: 'One monitoring template.',
    tag,
    params: idParams,
    programs: { types: templateTypes },
    async handler({ ctx, actor, params }) {
      const template = await getTemplate(ctx, actor, params.id);
      return ok(recordFor(actor, template, documentTemplate));
    },
  });
  route(app, {
    method: 'GET',
    path: '/data-collect/configs/:id/uses',
    access,
    summary:
      'What ends with a monitoring template: its devices and answers, and the automations, dashboards and reports that use its variables.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await readUses(ctx, actor, params.id)),
  });
  formRoute(
    app,
    'monitoring-templates/new',
    async ({ ctx, actor, origin, body }) => {
      const added = await addTemplate(ctx, { actor, origin }, body);
      return created({ id: added }, { id: added });
    },
    { programs: { status: 200, translate: readSources } },
  );
  formRoute(
    app,
    'monitoring-templates/edit',
    async ({ ctx, actor, origin, params, body }) => {
      await editTemplate(ctx, { actor, origin }, params.id, body);
      const template = await getTemplate(ctx, actor, params.id);
      return ok(recordFor(actor, template, documentTemplate));
    },
    { programs: { ignores: ['company_id'], translate: readSources, types: templateTypes } },
  );
  formRoute(app, 'monitoring-templates/remove', async ({ ctx, actor, origin, params }) => {
    await removeTemplate(ctx, { actor, origin }, params.id);
    return ok();
  });
}

function registerAssignments(app: App): void {
  listRoute(app, {
    path: '/data-collect/configs/assigned',
    access,
    summary: 'Which monitoring templates are for which devices.',
    tag,
    rules: listRulesOf('monitoring-assignments', { sorts: ['id'] }),
    list: listAssignments,
  });
  route(app, {
    method: 'GET',
    path: '/data-collect/assignments/:id',
    access,
    summary: 'How a monitoring template is assigned to a device.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getAssignment(ctx, actor, params.id)),
  });
  route(app, {
    method: 'PUT',
    path: '/data-collect/configs/assign',
    access: change,
    summary: 'Assigns monitoring templates to devices, or changes their period (seconds, 60 to 31,536,000).',
    tag,
    body: Type.Object(
      {
        configs: Type.Array(
          Type.Object(
            {
              id: Type.String({ pattern: '^[1-9]\\d{0,9}$' }),
              device_id: deviceIds,
              period: Type.Integer({ minimum: 60, maximum: 31_536_000 }),
              enabled: Type.Boolean(),
            },
            { additionalProperties: false },
          ),
          { minItems: 1, maxItems: 20 },
        ),
      },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, origin, body }) {
      const wanted = body.configs.map((one) => ({ ...one, id: Number(one.id) }));
      await assignTemplates(ctx, { actor, origin }, wanted, (index) => `configs.${index}.`);
      return ok();
    },
  });
  formRoute(app, 'monitoring-templates/assign', async ({ ctx, actor, origin, params, body }) => {
    await assignTemplates(ctx, { actor, origin }, [{ id: params.id, ...body }], () => '');
    return ok();
  });
  route(app, {
    method: 'PUT',
    path: '/data-collect/configs/:id/unassign',
    access: change,
    summary: 'Takes a monitoring template off devices.',
    tag,
    params: idParams,
    body: Type.Object({ device_id: deviceIds }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, params, body }) {
      await unassignTemplate(ctx, { actor, origin }, params.id, body.device_id);
      return ok();
    },
  });
  formRoute(app, 'monitoring-templates/change', async ({ ctx, actor, origin, params, body }) => {
    await changeAssignment(ctx, { actor, origin }, params.id, body);
    return ok(await getAssignment(ctx, actor, params.id));
  });
  formRoute(app, 'monitoring-templates/unassign', async ({ ctx, actor, origin, params }) => {
    await endAssignment(ctx, { actor, origin }, params.id);
    return ok();
  });
}

function registerValues(app: App): void {
  listRoute(app, {
    path: '/data-collect/configs/logs',
    access,
    summary: 'Answers of devices in which variables had no value, with the reasons.',
    tag,
    rules: listRulesOf('monitoring-logs', { sorts: ['id'] }),
    list: listLogs,
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/custom-data',
    access,
    summary: 'What a device answered to its monitoring templates, newest first; the last day by default.',
    tag,
    params: idParams,
    query: Type.Object({ start_date: day, end_date: day, config_id: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,9}$' })) }),
    async handler({ ctx, actor, params, query: { start_date, end_date, config_id } }) {
      const end = end_date === undefined ? ctx.clock.now() + 1 : momentOf(end_date) + (end_date.length === 10 ? DAY : 0);
      const start = start_date === undefined ? end - DAY : momentOf(start_date);
      const configId = config_id === undefined ? undefined : Number(config_id);
      const { rows, total } = await readCustomData(ctx, actor, params.id, { start, end, configId });
      return ok(rows, { total });
    },
  });
  route(app, {
    method: 'GET',
    path: '/data-collect/data/graph',
    access,
    summary: 'How many devices answered each value of a variable last; `field` is template:url:variable.',
    tag,
    query: field,
    async handler({ ctx, actor, query }) {
      const { name, counts } = await countValues(ctx, actor, query.field);
      return ok({ [name]: Object.fromEntries(counts) });
    },
  });
  route(app, {
    method: 'GET',
    path: '/data-collect/data/values',
    access,
    summary: 'The values that devices answered for a variable last; `field` is template:url:variable.',
    tag,
    query: field,
    async handler({ ctx, actor, query }) {
      const { name, counts } = await countValues(ctx, actor, query.field);
      return ok({ [name]: [...counts.keys()].toSorted() });
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/data/fields',
    access,
    summary: 'Monitoring templates with their variables, and the name of each in the telemetry.',
    tag,
    handler: async ({ ctx, actor }) => ok(await listFields(ctx, actor)),
  });
  route(app, {
    method: 'GET',
    path: '/devices/collected',
    access,
    summary: 'What up to 200 devices answered last for up to 50 variables of monitoring templates, by their names in the telemetry.',
    tag,
    query: Type.Object({
      id: Type.String({ pattern: '^[1-9]\\d{0,9}(,[1-9]\\d{0,9}){0,199}$' }),
      metrics: Type.String({ pattern: '^[a-z0-9_]{1,48}(,[a-z0-9_]{1,48}){0,49}$' }),
    }),
    handler: async ({ ctx, actor, query: { id, metrics } }) =>
      ok(await readCollected(ctx, actor, [...new Set(id.split(',').map(Number))], [...new Set(metrics.split(','))])),
  });
  formRoute(app, 'devices/test-endpoint', (call) => {
    const { url, query_parameters = [], ...devices }: FormData['devices/test-endpoint'] & DevicesBody = call.body;
    if (!isSource(url))
      throw new InvalidFields([
        {
          source: 'url',
          message: 'Enter an address such as /file/proc/loadavg.',
          params: { key: 'forms.devices.test-endpoint.no_such_url' },
        },
      ]);
    return answerJobRequest({ ...call, body: devices }, { kind: testKind.name, input: { url, query_parameters } });
  });
}

/** Registers the room of monitoring templates: what devices are asked for, and what they answered. */
export function registerMonitoringTemplates(app: App): void {
  const { ctx } = app;
  ctx.jobs.register(testKind);
  ctx.deviceWatchers.add((trx, news) => takeCollected(ctx, trx, news));
  registerTemplates(app);
  registerAssignments(app);
  registerValues(app);
  registerApiSources(app);
}
