import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import { selectionProperties } from '../../../schemas/kit/form/enforced-schema.ts';
import { ok } from '../../kernel/answer.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import type { ConfigureCall } from './changes.ts';
import { configurations, endpoint, id, ids } from './configure-body.ts';
import { isReviewAsked } from './change-sets.ts';
import { configureJob, listSettings, planFor, readJob, requireSystem } from './configure.ts';
import { compareKind, configureKind, readKind } from './configure-kinds.ts';
import { ReviewNeeded } from './errors.ts';
import { listConfiguratorJobs, listConfiguratorLogs } from './logs.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { documentFor, SYSTEMS, type System } from './documents.ts';

const access = { permission: 'create_multi_configuration' } as const;
const tag = 'device multi configuration';
function registerDocuments(app: App): void {
  route(app, {
    method: 'GET',
    path: '/devices/configurator/specification',
    access,
    summary: 'Where the description of the settings of a device is.',
    tag,
    query: Type.Object({ device_id: id }, { additionalProperties: false }),
    async handler({ ctx, actor, query }) {
      const place = { url: `/api/devices/configurator/documents/${await requireSystem(ctx, actor, query.device_id)}` };
      // Programs read it flat, as it is documented, or in `data` like every other answer.
      return isProgram(actor) ? { status: 200, body: { ...place, success: true, data: place } } : ok(place);
    },
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

/** A call as programs of the public API send it: the method in capitals, and what is sent as a list of one. */
function readConfiguration(body: unknown): unknown {
  if (!isMembers(body) || !Array.isArray(body['configuration'])) return body;
  const configuration = body['configuration'].map((call: unknown) => {
    if (!isMembers(call)) return call;
    const { method, request_data: data } = call;
    return {
      ...call,
      ...(typeof method === 'string' ? { method: method.toLowerCase() } : {}),
      ...(Array.isArray(data) && data.length <= 1 ? { request_data: data[0] ?? {} } : {}),
    };
  });
  return { ...body, configuration };
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
    programs: { translate: readConfiguration },
    body: Type.Unsafe<Body>({
      type: 'object',
      additionalProperties: false,
      required: ['configuration'],
      properties: {
        configuration: configurations,
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
      const asks_review = await isReviewAsked(ctx, plans.map(({ device }) => device.id)); // prettier-ignore
      if (body.dry_run) {
        const changes = plans.map(({ device, plan }) => ({ id: device.id, name: device.name, changes: plan.differences }));
        return ok({ devices: changes, ...(asks_review ? { asks_review } : {}) });
      }
      if (asks_review) throw new ReviewNeeded({});
      const { job, ids: changed } = await configureJob(ctx, plans, confirm_seconds);
      return answerJobRequest({ ...call, body: { ...rest, device_id: changed } }, job);
    },
  });
}
