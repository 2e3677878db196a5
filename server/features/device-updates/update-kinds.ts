import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { DeviceStep, JobDevice, JobKind, SkipReason } from '../../domain/jobs/types.ts';
import { isSigned, keysFor } from '../../domain/signatures/signed-files.ts';
import { requireUpdateFiles } from './choose-files.ts';
import { entryNumberOf, skipReasonOf, type Entry, type Gate, type UpdateAction, type UpdateInput } from './update-input.ts';

const MINUTE_SECONDS = 60;
const DOWNLOAD_SECONDS = 30 * MINUTE_SECONDS;
const CHECK_SECONDS = 5 * MINUTE_SECONDS;
const CHECK_MARGIN_SECONDS = 45;
const CONFIRM_SECONDS = 30;
/** So long a device keeps what nobody confirmed, on top of the checks: the server may be restarted meanwhile. */
const UNCONFIRMED_SECONDS = 10 * MINUTE_SECONDS;
const ROLLBACK_SECONDS = 5 * MINUTE_SECONDS;
const ROLLBACK_WAIT_SECONDS = 15 * MINUTE_SECONDS;

/** How a device was when its update was sent. */
export interface Facts {
  entry: number;
  signal: number | null;
  /** What it ran; not kept of updates of before this was needed. */
  firmware?: string;
}

const lines = (fields: Record<string, string | number | undefined>): string =>
  Object.entries(fields)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}\n`]))
    .join('');

function changeStep({ action, file, keep }: Entry, { back_within }: Gate): DeviceStep {
  const isFirmware = action === 'update_firmware';
  const sum = { size: file.size, sha256: file.sha256 };
  const confirm_seconds = CHECK_SECONDS + UNCONFIRMED_SECONDS;
  const fields = isFirmware
    ? { ...sum, keep: keep ? 1 : 0, version: file.version ?? undefined, confirm_seconds }
    : { ...sum, confirm_seconds };
  const verb = isFirmware ? 'firmware' : 'restore';
  return {
    name: verb,
    verb,
    timeoutSeconds: DOWNLOAD_SECONDS,
    waitSeconds: DOWNLOAD_SECONDS + back_within * MINUTE_SECONDS,
    body: lines(fields),
    fileId: file.id,
    endsInNewSession: true,
  };
}

function checkSteps({ wan, signal_drop, command }: Gate, { signal }: Facts): DeviceStep[] {
  const signal_min = signal_drop === undefined || signal === null ? undefined : signal - signal_drop;
  if (!wan && signal_min === undefined && command === undefined) return [];
  const body = lines({ wan: wan ? 1 : undefined, signal_min, command, within: CHECK_SECONDS });
  return [{ name: 'check', verb: 'check', timeoutSeconds: CHECK_SECONDS + CHECK_MARGIN_SECONDS, body }];
}

/** A change, what is checked after it, and how it is kept or undone. */
export function stepsOf(input: UpdateInput, facts: Facts): readonly [DeviceStep, ...DeviceStep[]] {
  const entry = input.entries[facts.entry];
  if (!entry) throw new Error('an update without a file');
  return [
    changeStep(entry, input.gate),
    ...checkSteps(input.gate, facts),
    { name: 'confirm', verb: 'confirm', timeoutSeconds: CONFIRM_SECONDS, body: lines({ required: 1 }) },
    {
      name: 'rollback',
      verb: 'rollback',
      timeoutSeconds: ROLLBACK_SECONDS,
      waitSeconds: ROLLBACK_WAIT_SECONDS,
      body: '',
      when: 'failed',
    },
  ];
}

export const isFacts = (facts: unknown): facts is Facts => typeof facts === 'object' && facts !== null && 'entry' in facts;

const DEFAULT_BACK_WITHIN_MINUTES = 15;

/** What a tag puts on devices that get it: one file, with settings kept, whatever the version of before was not newer. */
async function inputFromFile(action: UpdateAction, call: { ctx: Context; actor: Actor; id: number; source: string }): Promise<UpdateInput> {
  const files = await requireUpdateFiles(call.ctx, call.actor, [{ id: call.id, action, source: call.source }]);
  const entries = [...files.values()].map((file): Entry => ({ action, file, keep: true, offline: true }));
  const source = { id: call.id, name: entries[0]?.file.name ?? '' };
  const gate = { back_within: DEFAULT_BACK_WITHIN_MINUTES, wan: false };
  return { source, entries, by: 'all', choice: {}, gate, allow_downgrade: false, allow_other_model: false };
}

/** Devices whose company, or one above it, has keys for firmware, and whose image none of those signed. */
async function unsigned(ctx: Context, devices: readonly JobDevice[], input: UpdateInput): Promise<Map<number, SkipReason>> {
  const refused = new Map<number, SkipReason>();
  if (!input.entries.some(({ action }) => action === 'update_firmware')) return refused;
  const keys = await keysFor(ctx, new Map(devices.map((device) => [device.company_id, device.company_path])));
  if (keys.size === 0) return refused;
  const files = await ctx.reads
    .selectFrom('files')
    .select(['id', 'content_key', 'sha256', 'signature'])
    .where(
      'id',
      'in',
      input.entries.map(({ file }) => file.id),
    )
    .execute();
  const byId = new Map(files.map((file) => [file.id, file]));
  for (const device of devices) {
    const entry = input.entries[entryNumberOf(input, device) ?? -1];
    const own = keys.get(device.company_id) ?? [];
    if (entry?.action !== 'update_firmware' || own.length === 0) continue;
    const file = byId.get(entry.file.id);
    if (!file || file.sha256 !== entry.file.sha256 || !(await isSigned(ctx, file, own))) refused.set(device.id, 'NOT_SIGNED');
  }
  return refused;
}

/** Firmware or settings that are put on devices, checked, and kept or undone. `action`: what a tag's file is for, where one is. */
function updateKind(name: string, action?: UpdateAction): JobKind<UpdateInput> {
  return {
    name,
    permission: 'execute_device_updates',
    windowRule: 'wait',
    skipReason: (device, input) => skipReasonOf(input, device),
    refusals: unsigned,
    ...(action ? { inputFrom: (call) => inputFromFile(action, call) } : {}),
    outlook(device, input) {
      const file = input.entries[entryNumberOf(input, device) ?? -1]?.file;
      return {
        group: { model: device.model || null, firmware: device.firmware || null, file: file?.name ?? null, version: file?.version ?? null },
        mobileBytes: device.wan_state === 'Mobile' ? (file?.size ?? 0) : 0,
        simSlot: device.sim_slot,
      };
    },
    runs: {
      on: 'device',
      note: (input, device): Facts => ({ entry: entryNumberOf(input, device) ?? 0, signal: device.signal, firmware: device.firmware }),
      steps: (input, _device, facts) => stepsOf(input, isFacts(facts) ? facts : { entry: 0, signal: null }),
    },
  };
}

export const firmwareKind = updateKind('update_firmware', 'update_firmware');
export const backupKind = updateKind('upload_backup', 'upload_backup');
/** Both at once, some devices the one and some the other: what programs may ask for in one call. */
export const mixedKind = updateKind('update_devices');
export const updateKinds = [firmwareKind, backupKind, mixedKind];
