import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { EsimProfile, DeviceEsim } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { ok, type Answer } from '../../kernel/answer.ts';
import { wireTime } from '../../kernel/clock.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { JobAlreadyRunning } from '../../domain/jobs/errors.ts';
import { answerJobRequest } from '../../domain/jobs/answer-job-request.ts';
import { route, type App } from '../../kernel/route.ts';
import { ESIM_KIND, esimKind, sealCodes, type EsimInput } from './esim-kind.ts';

/** The profiles of a device as it said them last. Throws NOT_FOUND. */
async function getEsim(ctx: Context, actor: Actor, id: number): Promise<DeviceEsim> {
  const device = await requireDevice(ctx.reads, actor, id);
  const row = await ctx.reads.selectFrom('device_esims').selectAll().where('device_id', '=', device.id).executeTakeFirst();
  return {
    id: device.id,
    is_supported: supports(device, 'esim'),
    eid: row?.eid ?? null,
    profiles: row ? (JSON.parse(row.profiles) as EsimProfile[]) : [],
    read_at: wireTime(row?.read_at ?? null),
  };
}

type EsimCall = {
  ctx: Context;
  actor: Actor;
  origin: Origin;
  params: { id: number };
  request: { headers: Record<string, string | string[] | undefined> };
};

async function start(call: EsimCall, input: EsimInput): Promise<Answer> {
  await requireDevice(call.ctx.reads, call.actor, call.params.id);
  return answerJobRequest({ ...call, body: { device_id: [call.params.id] } }, { kind: ESIM_KIND, input });
}

/** Registers the room of the eSIM profiles of devices: each change is a job of one device, which answers with all its profiles. */
export function registerEsim(app: App): void {
  app.ctx.jobs.register(esimKind(app.ctx));
  route(app, {
    method: 'GET',
    path: '/devices/:id/esim',
    access: { permission: 'create_multi_configuration' },
    summary: 'The eSIM profiles that a device had when it was asked last.',
    tag: 'device esim',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getEsim(ctx, actor, params.id)),
  });
  route(app, {
    method: 'POST',
    path: '/devices/:id/esim/refresh',
    access: { permission: 'create_multi_configuration' },
    summary: 'Asks a device for its eSIM profiles.',
    tag: 'device esim',
    params: idParams,
    handler: (call) => start(call, { what: 'list', secrets: '' }),
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/check/esim-bootstrap',
    access: { permission: 'create_multi_configuration' },
    forPrograms: true,
    summary: 'Asks a device for its eSIM profiles, for programs: the channel says when `/devices/{id}/esim` has them.',
    tag: 'device esim',
    params: idParams,
    async handler(call) {
      try {
        return await start(call, { what: 'list', secrets: '' });
      } catch (error) {
        // Asked again while it answers: the same channel.
        if (error instanceof JobAlreadyRunning && error.meta?.['channel']) return ok(undefined, error.meta);
        throw error;
      }
    },
  });
  formRoute(app, 'esim/enable', (call) => start(call, { what: 'enable', iccid: call.body.iccid, secrets: '' }));
  formRoute(app, 'esim/disable', (call) => start(call, { what: 'disable', iccid: call.body.iccid, secrets: '' }));
  formRoute(app, 'esim/remove', (call) => start(call, { what: 'delete', iccid: call.body.iccid, secrets: '' }));
  formRoute(app, 'esim/rename', (call) => {
    const { iccid, nickname } = call.body;
    return start(call, { what: 'rename', iccid, nickname, secrets: '' });
  });
  formRoute(app, 'esim/download', (call) => {
    const { activation_code: code, confirmation_code: confirmation } = call.body;
    return start(call, { what: 'download', secrets: sealCodes(call.ctx, { code, confirmation }) });
  });
}
