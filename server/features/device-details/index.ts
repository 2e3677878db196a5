import type { FormData } from '../../../schemas/_generated/contract.ts';
import { ok } from '../../kernel/answer.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { JobAlreadyRunning } from '../../domain/jobs/errors.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { readDataLimit, setDataLimit } from './data-limit.ts';
import { ioKind, portScanKind } from './kinds.ts';
import { readEvidence, readNamesakes } from './offline-evidence.ts';
import { readDetails } from './read-details.ts';
import { readTimeline, TIMELINE_KINDS, type TimelineKind } from './timeline.ts';

const DEFAULT_ENTRIES = 30;
const access = { permission: 'view_devices' } as const;

/** The room of what devices report of their parts, and of the outputs that are switched. */
export function registerDeviceDetails(app: App): void {
  app.ctx.jobs.register(ioKind);
  app.ctx.jobs.register(portScanKind);
  route(app, {
    method: 'GET',
    path: '/devices/:id/details',
    access,
    summary: 'What a device reported last of its ports, networks, inputs and outputs, position, modems and Wi-Fi.',
    tag: 'devices',
    params: idParams,
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readDetails(ctx, device.id));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/port-scan',
    access: { permission: 'execute_device_actions' },
    forPrograms: true,
    summary: 'Asks a device who is behind its ports, for programs: the last event of the channel has `ports`.',
    tag: 'devices',
    params: idParams,
    query: Type.Object({ type: Type.Optional(Type.Unsafe<'ethernet'>({ type: 'string', enum: ['ethernet'] })) }),
    async handler(call) {
      try {
        return await answerJobRequest({ ...call, body: { device_id: [call.params.id] } }, { kind: portScanKind.name, input: {} });
      } catch (error) {
        // Asked again while it looks: the same channel answers.
        if (error instanceof JobAlreadyRunning && error.meta?.['channel']) return ok(undefined, error.meta);
        throw error;
      }
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/data-limit',
    access,
    summary: 'How much data a device may use over its SIMs in a month, and how much it has used since the month began.',
    tag: 'data usage',
    params: idParams,
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readDataLimit(ctx, device.id));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/evidence',
    access,
    summary: 'Since when a device is online or offline, and what happened at about that time.',
    tag: 'devices',
    params: idParams,
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readEvidence({ ctx, actor, device }));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/namesakes',
    access,
    summary: 'Devices with the same serial number that the caller sees, this one too.',
    tag: 'devices',
    params: idParams,
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readNamesakes({ ctx, actor, device }));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/timeline',
    access,
    summary:
      'What happened to a device, newest first: events, jobs and changes, as far as the caller may read each. `before` is `next` of the page before.',
    tag: 'devices',
    params: idParams,
    query: Type.Object({
      kinds: Type.Optional(Type.String({ pattern: `^(${TIMELINE_KINDS.join('|')})(,(${TIMELINE_KINDS.join('|')})){0,9}$` })),
      before: Type.Optional(Type.String({ maxLength: 50 })),
      limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$' })),
    }),
    async handler({ ctx, actor, params, query }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      const kinds = query.kinds?.split(',').filter((kind): kind is TimelineKind => TIMELINE_KINDS.some((known) => known === kind));
      return ok(await readTimeline(ctx, actor, device, { kinds, before: query.before, limit: Number(query.limit ?? DEFAULT_ENTRIES) }));
    },
  });
  formRoute(app, 'devices/data-limit', async ({ ctx, actor, origin, params, body }) => {
    await setDataLimit(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  formRoute(app, 'devices/switch-output', (call) => {
    const body: FormData['devices/switch-output'] & DevicesBody = call.body;
    const { pin, state } = body;
    return answerJobRequest({ ...call, body }, { kind: ioKind.name, input: { pin, state } });
  });
}
