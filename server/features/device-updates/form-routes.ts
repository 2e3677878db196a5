import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { visibleFiles } from '../../domain/files/visible-files.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { resolveSelection } from '../../domain/jobs/selection.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { Type } from '../../kernel/type.ts';
import { selectionProperties } from '../../../schemas/kit/form/enforced-schema.ts';
import { captureKind } from './capture-kind.ts';
import { speedKind } from './speed-kind.ts';
import { chooseNewest, chooseOwnBackups, requireUpdateFiles } from './choose-files.ts';
import { wayBack } from './roll-back.ts';
import type { Entry, FileRef, Gate, UpdateAction, UpdateInput } from './update-input.ts';
import { backupKind, firmwareKind } from './update-kinds.ts';

type FirmwareBody = FormData['devices/update-firmware'] & DevicesBody;
type BackupBody = FormData['devices/upload-backup'] & DevicesBody;

type GateBody = Pick<FirmwareBody, 'back_within' | 'check_wan' | 'signal_drop' | 'check_command'>;

function gateOf({ back_within, check_wan, signal_drop, check_command }: GateBody): Gate {
  return {
    back_within,
    wan: check_wan ?? false,
    ...(signal_drop === undefined ? {} : { signal_drop }),
    ...(check_command === undefined ? {} : { command: check_command }),
  };
}

interface Chosen {
  files: FileRef[];
  by: UpdateInput['by'];
  choice: UpdateInput['choice'];
}

async function oneFile(ctx: Context, actor: Actor, action: UpdateAction, id = 0): Promise<Chosen> {
  const files = await requireUpdateFiles(ctx, actor, [{ id, action, source: 'file_id' }]);
  return { files: [...files.values()], by: 'all', choice: {} };
}

async function chosenFirmware(ctx: Context, actor: Actor, body: FirmwareBody): Promise<Chosen> {
  if (body.source === 'file') return oneFile(ctx, actor, 'update_firmware', body.file_id);
  const { ids } = await resolveSelection(ctx, actor, body);
  return { ...(await chooseNewest(ctx, actor, ids, { isStable: body.source === 'stable' })), by: 'model' };
}

async function chosenBackup(ctx: Context, actor: Actor, body: BackupBody): Promise<Chosen> {
  if (body.source === 'file') return oneFile(ctx, actor, 'upload_backup', body.file_id);
  const { ids } = await resolveSelection(ctx, actor, body);
  return { ...(await chooseOwnBackups(ctx, actor, ids)), by: 'device' };
}

function inputOf(
  { files, by, choice }: Chosen,
  entry: Omit<Entry, 'file'>,
  rest: Omit<UpdateInput, 'entries' | 'by' | 'choice'>,
): UpdateInput {
  return { entries: files.map((file) => ({ ...entry, file })), by, choice, ...rest };
}

/** The file of a device that is put back on it. Throws NOT_FOUND, and INVALID_FIELD for a file that came from no device. */
async function deviceOf(ctx: Context, actor: Actor, fileId: number): Promise<number> {
  const row = await ctx.reads
    .selectFrom('files')
    .innerJoin('devices', 'devices.id', 'files.device_id')
    .select('devices.id')
    .where('files.id', '=', fileId)
    .where(visibleFiles(actor))
    .where(isVisible(actor, 'devices'))
    .executeTakeFirst();
  if (!row)
    throw new InvalidFields([{ source: 'back_within', message: 'This file came from no device; restore it on chosen devices instead.' }]);
  return row.id;
}

/** Puts back what a roll-out changed. */
function registerRollBack(app: App): void {
  const { dry_run, waves, starts_at, wait_seconds, maintenance_window, reason } = selectionProperties;
  const properties = { dry_run, waves, starts_at, wait_seconds, maintenance_window, reason };
  route(app, {
    method: 'POST',
    path: '/jobs/:id/roll-back',
    access: { permission: 'execute_device_updates' },
    summary: 'Puts the devices back that a roll-out succeeded on: a new job with the firmware or the settings of before.',
    tag: 'device update actions',
    params: idParams,
    body: Type.Unsafe<Pick<DevicesBody, 'dry_run' | 'waves' | 'starts_at' | 'wait_seconds' | 'maintenance_window' | 'reason'>>({
      type: 'object',
      additionalProperties: false,
      properties,
    }),
    async handler(call) {
      const { kind, input, deviceIds } = await wayBack(call.ctx, call.actor, call.params.id);
      return answerJobRequest({ ...call, body: { ...call.body, device_id: deviceIds } }, { kind, input, parentJobId: call.params.id });
    },
  });
}

/** Registers the forms that put firmware or settings on devices. */
export function registerUpdateForms(app: App): void {
  registerRollBack(app);
  formRoute(app, 'devices/update-firmware', async (call) => {
    const body: FirmwareBody = call.body;
    const chosen = await chosenFirmware(call.ctx, call.actor, body);
    const entry = { action: 'update_firmware', keep: body.keep_settings ?? false, offline: true } as const;
    const rest = { gate: gateOf(body), allow_downgrade: body.allow_downgrade ?? false, allow_other_model: false };
    return answerJobRequest({ ...call, body }, { kind: firmwareKind.name, input: inputOf(chosen, entry, rest) });
  });
  formRoute(app, 'devices/upload-backup', async (call) => {
    const body: BackupBody = call.body;
    const chosen = await chosenBackup(call.ctx, call.actor, body);
    const entry = { action: 'upload_backup', keep: true, offline: true } as const;
    const rest = { gate: gateOf(body), allow_downgrade: false, allow_other_model: body.allow_other_model ?? false };
    return answerJobRequest({ ...call, body }, { kind: backupKind.name, input: inputOf(chosen, entry, rest) });
  });
  formRoute(app, 'devices/capture', (call) => {
    const { interface: name, seconds, megabytes, filter, ...devices }: FormData['devices/capture'] & DevicesBody = call.body;
    const input = { interface: name, seconds, megabytes, ...(filter === undefined ? {} : { filter }) };
    return answerJobRequest({ ...call, body: devices }, { kind: captureKind.name, input });
  });
  formRoute(app, 'devices/speed-test', (call) => {
    const { megabytes, ...devices }: FormData['devices/speed-test'] & DevicesBody = call.body;
    return answerJobRequest({ ...call, body: devices }, { kind: speedKind.name, input: { megabytes } });
  });
  formRoute(app, 'files/restore', async (call) => {
    const { ctx, actor, params, body } = call;
    const files = await requireUpdateFiles(ctx, actor, [{ id: params.id, action: 'upload_backup', source: 'id' }]);
    const chosen: Chosen = { files: [...files.values()], by: 'all', choice: {} };
    const entry = { action: 'upload_backup', keep: true, offline: true } as const;
    const rest = { gate: gateOf(body), allow_downgrade: false, allow_other_model: false };
    const device_id = [await deviceOf(ctx, actor, params.id)];
    return answerJobRequest({ ...call, body: { device_id } }, { kind: backupKind.name, input: inputOf(chosen, entry, rest) });
  });
}
