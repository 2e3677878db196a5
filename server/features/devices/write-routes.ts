import { Type } from '../../kernel/type.ts';
import { LEAST_PERIOD, MOST_PERIOD, PERIOD_KEYS } from '../../../schemas/kit/devices/monitoring-parts.ts';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';
import type { Actor } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { customMember } from '../../domain/devices/custom-fields.ts';
import { acceptQuarantined, rejectQuarantined } from '../../domain/devices/quarantine.ts';
import { bodySchemaOf, formRoute } from '../../kernel/form-route.ts';
import { loadForm } from '../../kernel/forms.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { route, type App, type Call } from '../../kernel/route.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { editDevices, type DeviceChange } from './edit.ts';
import { locationChanges } from './locations.ts';
import { moveKind, removeKind } from './jobs.ts';
import { registerMonitoring } from './monitoring.ts';
import { registerMonitoringPeriods } from './monitoring-periods.ts';

const MAX_EDITS = 1000;

const tags: Record<string, JsonSchema> = {
  tag_id: { type: 'array', maxItems: 100, uniqueItems: true, items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
};

const periods: Record<string, JsonSchema> = Object.fromEntries(
  PERIOD_KEYS.map((key) => [key, { type: ['integer', 'null'], minimum: LEAST_PERIOD, maximum: MOST_PERIOD }]),
);
/** Periods of the public API for what devices here do not report. */
const OTHER_PERIODS = ['ddns_monitoring', 'vpn_monitoring'];

type FormCall<B> = Call<{ id: number }, unknown, B> & { actor: Actor };

function registerEdit(app: App): void {
  formRoute(
    app,
    'devices/edit',
    async ({ ctx, actor, origin, params, body }) => {
      await editDevices(ctx, { actor, origin }, [{ id: params.id, ...body }], () => undefined);
      return ok();
    },
    { optional: ['name'], more: { ...tags, ...periods, ...customMember }, programs: { ignores: OTHER_PERIODS } },
  );
  formRoute(app, 'devices/location', async ({ ctx, actor, origin, params, body }) => {
    await editDevices(ctx, { actor, origin }, [{ id: params.id, ...body }], () => undefined);
    return ok();
  });
  formRoute(app, 'devices/locations', async ({ ctx, actor, origin, body }) => {
    const changes = await locationChanges(ctx, actor, body.locations);
    await editDevices(ctx, { actor, origin }, changes, (index) => `locations.${index}.device`);
    return ok(changes.map(({ id }) => id));
  });
  const { properties } = bodySchemaOf(loadForm('devices/edit')) as { properties?: object };
  const item = {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: {
      id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      ...properties,
      ...tags,
      ...periods,
      ...customMember,
    },
  };
  const access = { permission: 'update_devices' } as const;
  route(app, {
    method: 'PUT',
    path: '/devices',
    access,
    summary:
      'Changes names, descriptions, positions, periods, tags (`tag_id`: all that a device has then) and custom fields (`custom`: all that they hold then) of many devices; all or none.',
    tag: 'devices',
    programs: { status: 201, ignores: [...OTHER_PERIODS, 'password_confirmation'] },
    body: Type.Unsafe<{ data: DeviceChange[] }>({
      type: 'object',
      additionalProperties: false,
      required: ['data'],
      properties: { data: { type: 'array', minItems: 1, maxItems: MAX_EDITS, items: item } },
    }),
    async handler({ ctx, actor, origin, body }) {
      await editDevices(ctx, { actor, origin }, body.data, (index) => `data.${index}.id`);
      return ok(body.data.map((change) => change.id));
    },
  });
}

/** Registers what changes devices: edit, move, remove, and the decision about quarantined ones. */
export function registerDeviceWrites(app: App): void {
  app.ctx.jobs.register(moveKind);
  app.ctx.jobs.register(removeKind);
  registerEdit(app);
  registerMonitoring(app);
  registerMonitoringPeriods(app);
  formRoute(app, 'devices/move', async (call) => {
    const { ctx, actor, body } = call as FormCall<FormData['devices/move'] & DevicesBody>;
    const target = await requireCompany(ctx.reads, actor, body.company_id, 'company_id');
    return answerJobRequest({ ...call, body }, { kind: moveKind.name, input: { company_id: target.id } });
  });
  formRoute(app, 'devices/remove', async (call) => {
    const { body } = call as FormCall<DevicesBody>;
    return answerJobRequest({ ...call, body }, { kind: removeKind.name, input: {} });
  });
  formRoute(app, 'devices/quarantine', async ({ ctx, actor, origin, params, body }) => {
    const decision = { actor, origin, deviceId: params.id };
    if (body.decision === 'accept') return ok({ id: await acceptQuarantined(ctx, decision) });
    await rejectQuarantined(ctx, decision);
    return ok();
  });
}
