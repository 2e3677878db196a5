import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { addDeviceEvents, attemptCodes } from '../../domain/devices/events.ts';
import { deviceHistory } from '../../domain/devices/history.ts';
import { presentDeviceFields } from '../../domain/devices/present.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import type { JobKind } from '../../domain/jobs/types.ts';
import type { App } from '../../kernel/route.ts';

const OFF = 'Monitoring was turned off.';

async function setMonitored(
  trx: Trx,
  ctx: Context,
  device: Row<'devices'>,
  isMonitored: boolean,
  at: number,
): Promise<Row<'devices'> | undefined> {
  const flag = isMonitored ? 1 : 0;
  if (device.monitoring_enabled === flag) return undefined;
  const wasOnline = device.status === 1;
  const changes = {
    monitoring_enabled: flag,
    failed_auth_reason: isMonitored ? null : attemptCodes.notMonitored,
    updated_at: at,
    ...(wasOnline ? ({ status: 0, status_changed_at: at, silent_at: null } as const) : {}),
  } as const;
  await trx.updateTable('devices').set(changes).where('id', '=', device.id).execute();
  if (wasOnline)
    await addDeviceEvents(ctx, trx, [
      { deviceId: device.id, companyId: device.company_id, serial: device.serial, type: 'disconnected', message: OFF },
    ]);
  return { ...device, ...changes };
}

/** Turns the monitoring of devices on or off. One that is not monitored is not let in and nothing is taken from it; its credit goes on. */
const monitoringKind: JobKind<FormData['devices/monitoring']> = {
  name: 'monitoring',
  permission: 'update_devices',
  skipReason: () => undefined,
  runs: {
    on: 'server',
    async run(trx, { ctx, actor, origin, input, devices }) {
      const { monitoring_enabled: isMonitored } = input as FormData['devices/monitoring'];
      const at = ctx.clock.now();
      for (const device of devices) {
        const after = await setMonitored(trx, ctx, device, isMonitored, at);
        if (!after) continue;
        const { id, company_id } = device;
        await writeAudit(trx, { actor, origin, at }, [
          {
            action: 'devices.monitoring',
            entity: 'device',
            entityId: id,
            entityName: device.name,
            companyId: company_id,
            before: deviceHistory(device),
            after: deviceHistory(after),
          },
        ]);
        const { path } = await trx.selectFrom('companies').select('path').where('id', '=', company_id).executeTakeFirstOrThrow();
        const { status, failed_auth_reason, monitoring_enabled } = presentDeviceFields(after);
        afterCommit(trx, async () => {
          ctx.live.publishBelow(path, 'devices', 'DeviceChanged', { id, company_id, status, failed_auth_reason, monitoring_enabled });
          if (!isMonitored) await ctx.devices.disconnect(device.device_key);
        });
      }
    },
  },
};

function isBody(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `{ data: [{ device_id, monitoring_enabled }] }` of the public API, flags as 0 and 1, as one setting for all its devices. Throws INVALID_FIELD at `data` for several. */
function readMonitoring(body: unknown): unknown {
  if (!isBody(body) || !Array.isArray(body['data'])) return body;
  const { data, ...rest } = body;
  if (data.length === 0 || !data.every(isBody)) return body;
  const [first, ...others] = [...new Set(data.map((item) => item['monitoring_enabled']))];
  if (others.length > 0)
    throw new InvalidFields([
      { source: 'data', message: 'Send devices that are to be monitored and those that are not in calls of their own.' },
    ]);
  const isMonitored = first === 0 || first === 1 ? first === 1 : first;
  return { ...rest, monitoring_enabled: isMonitored, device_id: [...new Set(data.map((item) => item['device_id']))] };
}

/** Registers what turns monitoring on and off. */
export function registerMonitoring(app: App): void {
  app.ctx.jobs.register(monitoringKind);
  formRoute(
    app,
    'devices/monitoring',
    (call) => {
      const { monitoring_enabled, ...devices }: FormData['devices/monitoring'] & DevicesBody = call.body;
      return answerJobRequest({ ...call, body: devices }, { kind: monitoringKind.name, input: { monitoring_enabled } });
    },
    { programs: { translate: readMonitoring } },
  );
}
