import { selectionProperties } from '../../../schemas/kit/form/enforced-schema.ts';
import { ok } from '../../kernel/answer.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import type { ConfigureCall } from './changes.ts';
import { configureJob, listSettings, planFor, readJob, requireSystem } from './configure.ts';
import { compareKind, configureKind, readKind } from './configure-kinds.ts';
import { listConfiguratorJobs, listConfiguratorLogs } from './logs.ts';
import { documentFor, SYSTEMS, type System } from './documents.ts';

const access = { permission: 'create_multi_configuration' } as const;
const tag = 'device multi configuration';
const MOST_DEVICES = 500;
// One for all of the devices, and one for each alone.
const MOST_CALLS = MOST_DEVICES + 1;

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const ids = Type.Array(id, { minItems: 1, maxItems: MOST_DEVICES, uniqueItems: true });
const word = Type.String({ maxLength: 255 });
const pair = Type.Object({ key: word, value: word }, { additionalProperties: false });
const path = Type.String({ minLength: 1, maxLength: 255 });
const pairs = Type.Optional(Type.Array(pair, { maxItems: 20 }));
const search = Type.Object(
  { search_key: word, path, elements: Type.Array(pair, { minItems: 1, maxItems: 20 }) },
  { additionalProperties: false },
);
const searches = Type.Optional(Type.Array(search, { maxItems: 5 }));
const endpoint = Type.Object({ path, query_parameters: pairs, search_elements: searches }, { additionalProperties: false });
const data = Type.Unsafe<ConfigureCall['request_data']>({
  type: 'object',
  additionalProperties: false,
  properties: { data: { type: 'object', maxProperties: 300 } },
});
const configuration = Type.Object(
  {
    device_id: ids,
    path,
    method: Type.Unsafe<ConfigureCall['method']>({ type: 'string', enum: ['put', 'post', 'delete'] }),
    content_type: Type.Optional(word),
    query_parameters: pairs,
    search_elements: searches,
    request_data: Type.Optional(data),
  },
  { additionalProperties: false },
);

function registerDocuments(app: App): void {
  route(app, {
    method: 'GET',
    path: '/devices/configurator/specification',
    access,
    summary: 'Where the description of the settings of a device is.',
    tag,
    query: Type.Object({ device_id: id }, { additionalProperties: false }),
    handler: async ({ ctx, actor, query }) =>
      ok({ url: `/api/devices/configurator/documents/${await requireSystem(ctx, actor, query.device_id)}` }),
  });
  route(app, {
    method: 'GET',
    path: '/devices/configurator/documents/:system',
    access,
    summary: 'The sections of the settings of a system, each with the schema of its form.',
    tag,
    params: Type.Object({ system: Type.Unsafe<System>({ type: 'string', enum: [...SYSTEMS] }) }),
    handler: async ({ ctx, params }) => ok(await documentFor(ctx.reads, params.system)),
  });
}

function registerLogs(app: App): void {
  route(app, {
    method: 'POST',
    path: '/devices/configurator/logs',
    access,
    summary: 'What the configurator did on these devices, a row for each job, newest first.',
    tag,
    body: Type.Object({ device_id: ids }, { additionalProperties: false }),
    handler: async ({ ctx, actor, body }) => ok(await listConfiguratorJobs(ctx, actor, body.device_id)),
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/configurator/logs',
    access,
    summary: 'What the configurator read and changed on a device, newest first; secrets are `***`.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await listConfiguratorLogs(ctx, actor, params.id)),
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/configurator/logs/:action_name',
    access,
    summary: 'The same of one kind: read_settings, compare_settings, configure or apply_template.',
    tag,
    params: Type.Object({ id, action_name: Type.String({ maxLength: 64 }) }),
    handler: async ({ ctx, actor, params }) => ok(await listConfiguratorLogs(ctx, actor, params.id, params.action_name)),
  });
}

function registerReading(app: App): void {
  route(app, {
    method: 'POST',
    path: '/devices/configurator/configuration',
    access,
    summary: 'Reads the settings of a device; the job answers with all that its document describes.',
    tag,
    body: Type.Object(
      { device_id: id, endpoints: Type.Optional(Type.Array(endpoint, { maxItems: 100 })) },
      { additionalProperties: false },
    ),
    handler: async (call) => answerJobRequest({ ...call, body: { device_id: [call.body.device_id] } }, await readJob(call.ctx)),
  });
  route(app, {
    method: 'POST',
    path: '/devices/configurator/read',
    access,
    summary: 'Reads the settings of devices.',
    tag,
    body: Type.Object({ device_id: ids }, { additionalProperties: false }),
    handler: async (call) => answerJobRequest(call, await readJob(call.ctx)),
  });
  route(app, {
    method: 'POST',
    path: '/devices/configurator/values',
    access,
    summary: 'What devices were set to when they were read last, side by side; secrets are `***`.',
    tag,
    body: Type.Object({ device_id: ids }, { additionalProperties: false }),
    handler: async ({ ctx, actor, body }) => ok(await listSettings(ctx, actor, body.device_id)),
  });
}

type Body = Pick<DevicesBody, 'dry_run' | 'waves' | 'starts_at' | 'wait_seconds' | 'maintenance_window'> & {
  configuration: ConfigureCall[];
  confirm_seconds?: number;
};

/** Registers the calls of the configurator: documents, reading, and changing with a way back. */
export function registerConfigurator(app: App): void {
  app.ctx.jobs.register(readKind);
  app.ctx.jobs.register(compareKind);
  app.ctx.jobs.register(configureKind(app.ctx));
  registerDocuments(app);
  registerReading(app);
  registerLogs(app);
  const { dry_run, waves, starts_at, wait_seconds, maintenance_window, reason } = selectionProperties;
  route(app, {
    method: 'POST',
    path: '/devices/configurator/configure',
    access,
    summary:
      'Changes settings of devices; with `dry_run` what would change on each. A device goes back by itself unless it reports in time.',
    tag,
    body: Type.Unsafe<Body>({
      type: 'object',
      additionalProperties: false,
      required: ['configuration'],
      properties: {
        configuration: Type.Array(configuration, { minItems: 1, maxItems: MOST_CALLS }),
        confirm_seconds: Type.Integer({ minimum: 30, maximum: 3600 }),
        dry_run,
        waves,
        starts_at,
        wait_seconds,
        maintenance_window,
        reason,
      },
    }),
    async handler(call) {
      const { ctx, actor, body } = call;
      const { configuration: calls, confirm_seconds, ...rest } = body;
      const plans = await planFor(ctx, actor, calls);
      if (body.dry_run)
        return ok({ devices: plans.map(({ device, plan }) => ({ id: device.id, name: device.name, changes: plan.differences })) });
      const { job, ids: changed } = await configureJob(ctx, plans, confirm_seconds);
      return answerJobRequest({ ...call, body: { ...rest, device_id: changed } }, job);
    },
  });
}
