import { Type } from '../../kernel/type.ts';
import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import { ok, stream } from '../../kernel/answer.ts';
import { idParams } from '../../kernel/ids.ts';
import { MAX_DEVICE_IDS, selectionProperties } from '../../../schemas/kit/form/enforced-schema.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { readWaves } from '../../domain/jobs/read-waves.ts';
import { requireJob } from '../../kernel/job-scope.ts';
import { visibleFields } from '../../kernel/list-query.ts';
import { listRoute, pickFields } from '../../kernel/list-route.ts';
import { route, type App } from '../../kernel/route.ts';
import { registerActions } from './action-routes.ts';
import { eventsWhenDone } from '../../kernel/polled-channels.ts';
import { pollChannel } from './channel-poll.ts';
import { exportTargets } from './export.ts';
import { getJob, jobRules, listJobs, listRollOuts, listSteps, listTargets, rollOutRules, stepRules, targetRules } from './repo.ts';

const access = { permission: 'view_device_actions' } as const;
/** Any right to start a job opens these; the job's own kind decides. */
const changeAccess: { anyOf: [PermissionName, ...PermissionName[]] } = {
  anyOf: [
    'execute_device_actions',
    'execute_device_commands',
    'execute_device_tasks',
    'execute_device_updates',
    'execute_device_passwords',
    'create_multi_configuration',
    'move_devices',
    'delete_devices',
  ],
};
const tag = 'device actions';

function registerReading(app: App): void {
  listRoute(app, {
    path: '/jobs',
    access,
    summary: 'Jobs that the caller sees.',
    tag,
    rules: jobRules,
    list: (ctx, actor, query) => listJobs(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/jobs/:id',
    access,
    summary: 'One job.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(pickFields(await getJob(ctx.reads, actor, params.id), visibleFields(jobRules, actor))),
  });
  route(app, {
    method: 'GET',
    path: '/jobs/:id/waves',
    access,
    summary: 'The waves of a job: those that are over, the present one and those to come.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await readWaves(ctx, await requireJob(ctx, actor, params.id))),
  });
  listRoute(app, {
    path: '/roll-outs',
    access,
    summary: 'Jobs that put firmware or settings on devices.',
    tag,
    rules: rollOutRules,
    list: (ctx, actor, query) => listRollOuts(ctx.reads, actor, query),
  });
  listRoute(app, {
    path: '/jobs/:id/targets',
    access,
    summary: 'What happens on each device of a job.',
    tag,
    params: idParams,
    rules: targetRules,
    async list(ctx, actor, query, params) {
      await requireJob(ctx, actor, params.id);
      return listTargets(ctx.reads, params.id, query);
    },
  });
  listRoute(app, {
    path: '/jobs/:id/steps',
    access,
    summary: 'What the steps that are over gave, for work of several steps.',
    tag,
    params: idParams,
    rules: stepRules,
    async list(ctx, actor, query, params) {
      await requireJob(ctx, actor, params.id);
      return listSteps(ctx.reads, params.id, query);
    },
  });
  route(app, {
    method: 'GET',
    path: '/jobs/:id/export',
    access,
    summary: 'All targets of a job as CSV.',
    cost: 'file',
    mediaType: 'text/csv',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const job = await requireJob(ctx, actor, params.id);
      return stream(exportTargets(ctx, job.id), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="job-${job.id}-${job.kind}.csv"`,
      });
    },
  });
  route(app, {
    method: 'GET',
    path: '/status/channel/done.:ids',
    atRoot: true,
    access: 'signed-in',
    tokens: 'all',
    summary: 'What became of a call that was done when it answered.',
    tag,
    params: Type.Object({ ids: Type.String({ pattern: '^\\d{1,15}(-\\d{1,15}){0,5}$' }) }),
    handler: async ({ params }) => ok(eventsWhenDone(params.ids)),
  });
  route(app, {
    method: 'GET',
    path: '/status/channel/:channel',
    atRoot: true,
    access,
    summary: 'What happened on a channel so far, by device.',
    tag,
    params: Type.Object({ channel: Type.String({ maxLength: 100 }) }),
    handler: async ({ ctx, actor, params }) => ok(await pollChannel(ctx, actor, params.channel)),
  });
}

function registerChanging(app: App): void {
  const targetIds = Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: MAX_DEVICE_IDS, uniqueItems: true });
  const { dry_run, waves, starts_at, wait_seconds, maintenance_window, reason } = selectionProperties;
  route(app, {
    method: 'POST',
    path: '/jobs/:id/retry',
    access: changeAccess,
    summary: 'Runs the failed targets of a job again, or the chosen ones, as a child job; with `dry_run` what it would do.',
    tag,
    params: idParams,
    body: Type.Unsafe<Omit<DevicesBody, 'device_id' | 'selection'> & { target_id?: number[] }>({
      type: 'object',
      additionalProperties: false,
      properties: { target_id: targetIds, dry_run, waves, starts_at, wait_seconds, maintenance_window, reason },
    }),
    async handler(call) {
      const { target_id, ...body } = call.body;
      const { kind, input, deviceIds, reason: before } = await call.ctx.jobs.retryOf(call.actor, call.params.id, target_id);
      const again = { ...body, device_id: deviceIds, reason: body.reason ?? before };
      return answerJobRequest({ ...call, body: again }, { kind, input, parentJobId: call.params.id });
    },
  });
  route(app, {
    method: 'POST',
    path: '/jobs/:id/cancel',
    access: changeAccess,
    summary: 'Cancels what was not sent yet.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, origin, params }) => ok(await ctx.jobs.cancel(actor, origin, params.id)),
  });
}

function registerHolding(app: App): void {
  const summaries = {
    pause: 'Sends nothing more of a job until it is resumed.',
    resume: 'Lets a paused job go on.',
    continue: 'Lets the wave begin that waits for it.',
  } as const;
  for (const hold of ['pause', 'resume', 'continue'] as const)
    route(app, {
      method: 'POST',
      path: `/jobs/:id/${hold}`,
      access: changeAccess,
      summary: summaries[hold],
      tag,
      params: idParams,
      async handler({ ctx, actor, origin, params }) {
        await ctx.jobs.hold(actor, origin, params.id, hold);
        return ok();
      },
    });
}

/** The jobs room: what people make devices do, and what became of it. */
export function registerJobs(app: App): void {
  registerActions(app);
  registerReading(app);
  registerChanging(app);
  registerHolding(app);
}
