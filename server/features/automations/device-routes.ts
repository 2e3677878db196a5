import { ok } from '../../kernel/answer.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { recordFor } from '../../kernel/lenient-calls.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { changeDevices, chosenFor, listDevices, overwriteOfDevices, type DeviceChange } from './devices.ts';
import { automationTypes, documentAutomation } from './documented-answers.ts';
import { readByDevice, readOnlyOne } from './documented.ts';
import { automationIdsOf, presentAll } from './service.ts';
import type { Watch } from './watch.ts';

const access = { permission: 'view_automations' } as const;
const changing = { permission: 'update_automations' } as const;
const tag = 'automations';
const MOST_IDS = 500;
const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const ids = Type.Array(id, { minItems: 1, maxItems: MOST_IDS, uniqueItems: true });
const noneOrSome = Type.Array(id, { maxItems: MOST_IDS, uniqueItems: true });
const ofDevices = Type.Object(
  {
    data: Type.Array(Type.Object({ device_id: id, automation_id: noneOrSome }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: 100,
    }),
  },
  { additionalProperties: false },
);
const data = Type.Object(
  {
    data: Type.Array(Type.Object({ automation_id: id, device_id: ids }, { additionalProperties: false }), { minItems: 1, maxItems: 50 }),
  },
  { additionalProperties: false },
);

/** The devices of automations, and the automations of devices. */
export function registerDeviceRoutes(app: App, watch: Watch): void {
  const rules = listRulesOf('automation-devices', { sorts: ['id'], filters: { model: { kind: 'text', isNegatable: false } } });
  listRoute(app, {
    path: '/automations/:id/devices',
    access,
    summary: 'The devices that an automation is for, with what it remembers of each.',
    tag,
    rules,
    params: idParams,
    list: (ctx, actor, query, params) => listDevices(ctx, actor, params.id, query),
  });
  listRoute(app, {
    path: '/automation-devices',
    access,
    summary: 'The devices of the automation that `automation_id` names; none without it.',
    tag,
    rules,
    async list(ctx, actor, query) {
      const automationId = Number(query.filters.find(({ key }) => key === 'automation_id')?.values[0]);
      return Number.isSafeInteger(automationId) ? listDevices(ctx, actor, automationId, query) : { rows: [], total: 0 };
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/automations',
    access,
    summary: 'The automations that are in force for a device: chosen for it, or by its company or tags.',
    tag: 'devices automations',
    params: idParams,
    programs: { types: automationTypes },
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      const rows = await presentAll(ctx.reads, actor, await automationIdsOf(ctx.reads, device.id));
      return ok(
        rows.map((row) => recordFor(actor, row, documentAutomation)),
        { total: rows.length },
      );
    },
  });
  for (const [method, change, summary] of [
    ['PUT', 'assign', 'Adds devices to an automation.'],
    ['DELETE', 'unassign', 'Takes devices off an automation.'],
  ] as const)
    route(app, {
      method,
      path: '/automations/:id/devices',
      access: changing,
      summary,
      tag,
      params: idParams,
      body: Type.Object({ devices: ids }, { additionalProperties: false }),
      programs: { translate: readOnlyOne },
      async handler({ ctx, actor, origin, params, body }) {
        await changeDevices(ctx, { actor, origin }, [{ automationId: params.id, deviceIds: body.devices }], change);
        watch.forget();
        return ok();
      },
    });
  route(app, {
    method: 'PUT',
    path: '/automations/:id/devices/activation',
    access: changing,
    summary: 'Turns an automation on or off on some devices.',
    tag,
    params: idParams,
    body: Type.Object({ enable: Type.Boolean(), devices: ids }, { additionalProperties: false }),
    programs: { translate: readOnlyOne },
    async handler({ ctx, actor, origin, params, body }) {
      const change: DeviceChange = body.enable ? 'enable' : 'disable';
      await changeDevices(ctx, { actor, origin }, [{ automationId: params.id, deviceIds: body.devices }], change);
      watch.forget();
      return ok();
    },
  });
  for (const change of ['assign', 'unassign', 'overwrite'] as const)
    route(app, {
      method: 'PUT',
      path: `/automations/devices/${change}`,
      access: changing,
      summary: `Devices of several automations at once: ${change}.`,
      tag,
      body: data,
      ...(change === 'overwrite' ? { programs: { translate: readByDevice } } : {}),
      async handler({ ctx, actor, origin, body }) {
        const requests = body.data.map(({ automation_id, device_id }) => ({ automationId: automation_id, deviceIds: device_id }));
        await changeDevices(ctx, { actor, origin }, requests, change);
        watch.forget();
        return ok();
      },
    });
  route(app, {
    method: 'PUT',
    path: '/devices/automations/overwrite',
    access: changing,
    summary: 'Makes these the automations that are chosen for each device.',
    tag: 'devices automations',
    body: ofDevices,
    async handler({ ctx, actor, origin, body }) {
      const requests = body.data.map(({ device_id, automation_id }, index) => ({
        ...{ deviceId: device_id, automationIds: automation_id, source: `data.${index}.automation_id` },
      }));
      await overwriteOfDevices(ctx, { actor, origin }, requests);
      watch.forget();
      return ok();
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/automations/chosen',
    access,
    summary: 'The automations that are chosen for the device itself.',
    tag: 'devices automations',
    params: idParams,
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok({ id: device.id, automation_ids: await chosenFor(ctx.reads, actor, device.id) });
    },
  });
  formRoute(app, 'devices/automations', async ({ ctx, actor, origin, params, body }) => {
    await overwriteOfDevices(ctx, { actor, origin }, [
      { deviceId: params.id, automationIds: body.automation_ids ?? [], source: 'automation_ids' },
    ]);
    watch.forget();
    return ok();
  });
}
