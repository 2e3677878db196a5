import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import { seriesOf } from '../../../schemas/kit/devices/device-models.ts';
import { MONITORING_PARTS, PART_NEEDS, PERIOD_KEYS, periodKeyOf, type PeriodKey } from '../../../schemas/kit/devices/monitoring-parts.ts';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Changes, Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { deviceHistory } from '../../domain/devices/history.ts';
import { presentDeviceFields } from '../../domain/devices/present.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { sendPeriods } from '../../domain/devices/send-period.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import type { JobKind, PlannedDevice } from '../../domain/jobs/types.ts';
import { readMonitoringEntries } from './monitoring-entries.ts';

type Input = FormData['devices/monitoring-periods'];
type Key = PeriodKey | 'dynamic_monitoring';

const KEYS: readonly Key[] = ['dynamic_monitoring', ...PERIOD_KEYS];
const partOf = new Map<Key, (typeof MONITORING_PARTS)[number]>(MONITORING_PARTS.map((part) => [periodKeyOf(part), part]));

/** Whether a device may report this at all: one of a make that is not known may have anything. */
function mayReport({ model, firmware }: Pick<PlannedDevice, 'model' | 'firmware'>, key: Key): boolean {
  const part = partOf.get(key);
  const need = part && PART_NEEDS[part];
  return need === undefined || seriesOf(model.toUpperCase()) === undefined || supports({ model, firmware }, need);
}

/** What is to hold of a device then: the periods that are given, and, where that is asked for, none for the others. */
function periodsFor(device: Row<'devices'>, input: Input): Changes<'devices'> {
  const entries = KEYS.flatMap((key): [Key, number | null][] => {
    const wanted = input[key] ?? (input.others_as_usual ? null : undefined);
    return wanted === undefined || wanted === device[key] || (wanted !== null && !mayReport(device, key)) ? [] : [[key, wanted]];
  });
  return Object.fromEntries(entries);
}

async function changePeriods(
  trx: Trx,
  { ctx, actor, origin, at }: Caller & { ctx: Context; at: number },
  device: Row<'devices'>,
  changes: Changes<'devices'>,
): Promise<void> {
  const after: Row<'devices'> = { ...device, ...changes, updated_at: at };
  const { id, company_id, name } = device;
  await trx
    .updateTable('devices')
    .set({ ...changes, updated_at: at })
    .where('id', '=', id)
    .execute();
  const kept = { before: deviceHistory(device), after: deviceHistory(after) };
  const about = { action: 'devices.monitoring-periods', entity: 'device', entityId: id, entityName: name, companyId: company_id };
  await writeAudit(trx, { actor, origin, at }, [{ ...about, ...kept }]);
  const { path } = await trx.selectFrom('companies').select('path').where('id', '=', company_id).executeTakeFirstOrThrow();
  const { dynamic_monitoring } = presentDeviceFields(after);
  afterCommit(trx, async () => {
    ctx.live.publishBelow(path, 'devices', 'DeviceChanged', { id, company_id, dynamic_monitoring });
    if (after.status === 1) await sendPeriods(ctx, after, ctx.config.reportSeconds);
  });
}

/** Says how often devices report, as a whole and of each part. One that is offline gets it when it is back. */
const periodsKind: JobKind<Input> = {
  name: 'monitoring_periods',
  permission: 'update_monitoring',
  skipReason: (device, input) =>
    input.others_as_usual || KEYS.some((key) => input[key] !== undefined && mayReport(device, key)) ? undefined : 'UNSUPPORTED',
  runs: {
    on: 'server',
    async run(trx, { ctx, actor, origin, input, devices }) {
      const caller = { ctx, actor, origin, at: ctx.clock.now() };
      for (const device of devices) {
        const changes = periodsFor(device, input as Input);
        if (Object.keys(changes).length > 0) await changePeriods(trx, caller, device, changes);
      }
    },
  },
};

/** Registers how often devices report each part: what holds of one, and the job that changes it. */
export function registerMonitoringPeriods(app: App): void {
  app.ctx.jobs.register(periodsKind);
  route(app, {
    method: 'GET',
    path: '/devices/:id/monitoring-configs',
    access: { permission: 'view_monitoring' },
    summary:
      'What a device reports, how often, and what each report costs: by itself (`key` is `dynamic_monitoring`, `gps_monitoring`, …) and for monitoring templates (`config_id`). Periods in seconds, `down` and `up` in bytes; `compatNotice` says why a period cannot be changed.',
    tag: 'devices',
    params: idParams,
    async handler({ ctx, actor, params }) {
      return ok(await readMonitoringEntries(ctx, actor, await requireDevice(ctx.reads, actor, params.id)));
    },
  });
  formRoute(app, 'devices/monitoring-periods', (call) => {
    const { dynamic_monitoring, static_monitoring, io_monitoring, gps_monitoring, ...more }: Input & DevicesBody = call.body;
    const { wireless_monitoring, hotspot_monitoring, others_as_usual, ...body } = more;
    const given = { dynamic_monitoring, static_monitoring, io_monitoring, gps_monitoring, wireless_monitoring, hotspot_monitoring };
    const input = Object.fromEntries(Object.entries({ ...given, others_as_usual }).filter(([, value]) => value !== undefined));
    if (!others_as_usual && Object.values(given).every((value) => value === undefined))
      throw new InvalidFields([
        { source: 'dynamic_monitoring', message: 'Enter at least one period.', params: { key: 'forms.devices.monitoring-periods.none' } },
      ]);
    return answerJobRequest({ ...call, body }, { kind: periodsKind.name, input });
  });
}
