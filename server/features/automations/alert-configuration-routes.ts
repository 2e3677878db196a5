import type { FormData } from '../../../schemas/_generated/contract.ts';
import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import type { JobKind } from '../../domain/jobs/types.ts';
import { recordFor } from '../../kernel/lenient-calls.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import {
  addConfigurations,
  assertAlert,
  checkAlerts,
  editConfiguration,
  getConfiguration,
  listConfigurations,
  removeConfiguration,
  type AlertSettings,
} from './alert-configurations.ts';
import type { Watch } from './watch.ts';

const access = { permission: 'view_device_alerts' } as const;
const changing = { permission: 'update_device_alerts' } as const;
const tag = 'alerts configurations';
const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const small = Type.Integer({ minimum: 0, maximum: 100_000 });

const settings = Type.Object(
  {
    device_id: id,
    alert_type_id: small,
    alert_subtype_id: small,
    action: Type.Optional(Type.Unsafe<1 | 2 | 3>({ type: 'integer', enum: [1, 2, 3] })),
    subject: Type.Optional(Type.String({ maxLength: 200 })),
    message: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    smtp_config_id: Type.Optional(id),
    delivery_retry: Type.Optional(Type.Boolean()),
    retry_interval: Type.Optional(small),
    retry_count: Type.Optional(small),
    redundancy_interval: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_080 })),
    data_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    sim: Type.Optional(Type.Unsafe<1 | 2>({ type: 'integer', enum: [1, 2] })),
    period: Type.Optional(Type.Unsafe<'day' | 'week' | 'month'>({ type: 'string', enum: ['day', 'week', 'month'] })),
    starts: Type.Optional(small),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
    longitude: Type.Optional(Type.Unsafe<number>({ type: 'number', minimum: -180, maximum: 180 })),
    latitude: Type.Optional(Type.Unsafe<number>({ type: 'number', minimum: -90, maximum: 90 })),
    radius: Type.Optional(Type.Unsafe<number>({ type: 'number', minimum: 1, maximum: 20_000_000 })),
  },
  { additionalProperties: false },
);

type AlertInput = { data: (AlertSettings & { device_id?: number | undefined })[] };

/** Sets up alerts on devices whose firmware has alerts of its own; one without a device is for every one of the job. */
function kindOf(watch: Watch): JobKind<AlertInput> {
  return {
    name: 'create_alerts',
    permission: 'update_device_alerts',
    skipReason: (device) => (supports(device, 'legacy_alerts') ? undefined : 'UNSUPPORTED'),
    runs: {
      on: 'server',
      async run(trx, { ctx, actor, origin, input, devices }) {
        for (const { device_id, ...one } of input.data) {
          const own = devices.filter(({ id: known }) => device_id === undefined || known === device_id);
          await addConfigurations(ctx, trx, { actor, origin }, own, one);
        }
        watch.forget();
      },
    },
  };
}

type NewAlertCall = { body: FormData['devices/new-alert'] & DevicesBody };

/** Alerts of single devices, as the public API knows them. */
export function registerAlertConfigurations(app: App, watch: Watch): void {
  const kind = kindOf(watch);
  app.ctx.jobs.register(kind);
  const rules = listRulesOf('alert-configurations', { sorts: ['id'], filters: { type: { kind: 'text', isNegatable: false } } });
  listRoute(app, {
    path: '/alerts-configurations',
    access,
    summary: 'Alerts that are set up on single devices.',
    tag,
    rules,
    list: listConfigurations,
  });
  listRoute(app, {
    path: '/devices/alerts-configurations',
    access,
    summary: 'Alerts that are set up on single devices; they are known here, so the answer is the list itself.',
    tag: 'devices alerts configurations',
    rules,
    list: listConfigurations,
  });
  route(app, {
    method: 'GET',
    path: '/alerts-configurations/:id',
    access,
    summary: 'One alert that is set up on a device.',
    tag,
    params: idParams,
    programs: { types: { smtp_config_id: { type: ['string', 'null'] } } },
    async handler({ ctx, actor, params }) {
      const configuration = await getConfiguration(ctx, actor, params.id);
      const { smtp_config_id: server } = configuration;
      return ok(recordFor(actor, configuration, (record) => ({ ...record, smtp_config_id: server === null ? null : String(server) })));
    },
  });
  formRoute(
    app,
    'alert-configurations/edit',
    async ({ ctx, actor, origin, params, body }) => {
      await editConfiguration(ctx, { actor, origin }, params.id, body);
      watch.forget();
      return ok(await getConfiguration(ctx, actor, params.id));
    },
    { optional: ['message'] },
  );
  formRoute(app, 'alert-configurations/remove', async ({ ctx, actor, origin, params }) => {
    await removeConfiguration(ctx, { actor, origin }, params.id);
    watch.forget();
    return ok();
  });
  route(app, {
    method: 'POST',
    path: '/devices/alerts-configurations',
    access: changing,
    summary: 'Sets up alerts on devices with firmware below 07.13.',
    tag: 'devices alerts configurations',
    body: Type.Object({ data: Type.Array(settings, { minItems: 1, maxItems: 100 }) }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, body }) {
      await checkAlerts(ctx, actor, body.data);
      const target = { device_id: [...new Set(body.data.map(({ device_id }) => device_id))] };
      const job = await ctx.jobs.create(actor, origin, { kind: kind.name, input: { data: body.data }, target });
      return created(undefined, { channel: job.channel, job_id: job.jobId });
    },
  });
  route(app, {
    method: 'DELETE',
    path: '/devices/:id/alerts-configurations/:alert_id',
    access: changing,
    summary: 'Takes an alert off a device.',
    tag: 'devices alerts configurations',
    params: Type.Object({ id: Type.Integer({ minimum: 1 }), alert_id: Type.Integer({ minimum: 1 }) }),
    async handler({ ctx, actor, origin, params }) {
      await removeConfiguration(ctx, { actor, origin }, params.alert_id, params.id);
      watch.forget();
      return ok();
    },
  });
  formRoute(app, 'devices/new-alert', (call) => {
    const { action, alert_subtype_id, subject, message, email, redundancy_interval, data_limit, sim, period, ...rest } = (
      call as NewAlertCall
    ).body;
    const { latitude, longitude, radius, ...devices } = rest;
    const numbers = { data_limit, sim, latitude, longitude, radius, redundancy_interval };
    const one = { action, alert_subtype_id: Number(alert_subtype_id), subject, message, email, period, ...numbers } as AlertSettings;
    assertAlert(one, '');
    return answerJobRequest({ ...call, body: devices }, { kind: kind.name, input: { data: [one] } });
  });
}
