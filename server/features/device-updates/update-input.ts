import { compareVersions, parseFirmware } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Row } from '../../db/schema.ts';
import type { SkipReason } from '../../domain/jobs/types.ts';

export type UpdateAction = 'update_firmware' | 'upload_backup';

/** A file as a job keeps it: what devices are instructed to do must not change while it runs. */
export type FileRef = Pick<Row<'files'>, 'id' | 'name' | 'size' | 'sha256' | 'device_model' | 'version'>;

/** What is put on devices, and how. */
export interface Entry {
  action: UpdateAction;
  file: FileRef;
  /** The settings stay; firmware only. */
  keep: boolean;
  /** It may wait for the device to come online. */
  offline: boolean;
  /** The version that has to be on the device still; anything else was put there since. */
  replaces?: string;
}

/** What has to hold after a change, or it is undone. */
export interface Gate {
  /** Minutes. */
  back_within: number;
  wan: boolean;
  /** dB that the signal may be worse than it was. */
  signal_drop?: number;
  /** Has to end with 0 on the device. */
  command?: string;
}

export interface UpdateInput {
  /** The roll-out whose devices go back. */
  rolls_back?: number;
  /** The file that a tag's action names. */
  source?: { id: number; name: string };
  entries: Entry[];
  /** Which entry a device gets: the first for all, by `choiceKey`, or by the device's id. */
  by: 'all' | 'model' | 'device';
  choice: Record<string, number>;
  gate: Gate;
  /** Older versions, and the same one again, are put on too. */
  allow_downgrade: boolean;
  /** Settings of another model are put on too. */
  allow_other_model: boolean;
}

type Model = Pick<Row<'devices'>, 'model' | 'firmware'>;
type Chosen = Model & Pick<Row<'devices'>, 'id' | 'company_id'>;

// RUTX_R_00.07.14.2 → RUTX: what the vendor names images after.
const FAMILY = /^([A-Za-z0-9]{2,20})_R_/;

/** The family that a firmware name begins with; empty when it says none. */
export function familyOf(firmware: string): string {
  return FAMILY.exec(firmware)?.[1] ?? '';
}

/** What devices have in common that get the same file when "the newest for each model" is asked for. */
export function choiceKey(device: Pick<Chosen, 'company_id' | 'model' | 'firmware'>): string {
  return `${device.company_id} ${device.model} ${familyOf(device.firmware)}`;
}

/** The number of the entry that a device gets; undefined when there is nothing for it. */
export function entryNumberOf(input: UpdateInput, device: Chosen): number | undefined {
  if (input.by === 'all') return input.entries.length > 0 ? 0 : undefined;
  return input.choice[input.by === 'device' ? String(device.id) : choiceKey(device)];
}

/** Whether an image is for a device: its name says the device's model, or the family of its present firmware. One that says nothing is judged by the device itself. */
export function isForModel(file: Pick<FileRef, 'device_model'>, { model, firmware }: Model): boolean {
  if (file.device_model === null) return true;
  const wanted = file.device_model.toUpperCase();
  return wanted === model.trim().toUpperCase() || wanted === familyOf(firmware).toUpperCase();
}

/** The version of an image as numbers, as `parseFirmware` reads that of a device. */
export function versionOf({ device_model, version }: Pick<FileRef, 'device_model' | 'version'>): readonly number[] | undefined {
  return version === null ? undefined : parseFirmware(`${device_model ?? 'X'}_R_${version}`);
}

/** In a choice: the device got something else since, so that it is left as it is. */
export const CHANGED = -1;

/** Whether a device runs this version of an image. */
export function runsVersion({ firmware }: Pick<Model, 'firmware'>, version: string): boolean {
  const [present, wanted] = [parseFirmware(firmware), versionOf({ device_model: null, version })];
  return present !== undefined && wanted !== undefined && compareVersions(present, wanted) === 0;
}

function firmwareReason(input: UpdateInput, { file, replaces }: Entry, device: Model): SkipReason | undefined {
  if (!isForModel(file, device)) return 'WRONG_MODEL';
  if (replaces !== undefined && !runsVersion(device, replaces)) return 'CHANGED_SINCE';
  const [present, next] = [parseFirmware(device.firmware), versionOf(file)];
  if (!present || !next || input.allow_downgrade) return undefined;
  const order = compareVersions(present, next);
  if (order === 0) return 'UP_TO_DATE';
  return order > 0 ? 'DOWNGRADE' : undefined;
}

/** Why a device is left out, or undefined. */
export function skipReasonOf(input: UpdateInput, device: Chosen & Pick<Row<'devices'>, 'status'>): SkipReason | undefined {
  const number = entryNumberOf(input, device);
  const entry = number === undefined ? undefined : input.entries[number];
  if (!entry) return number === CHANGED ? 'CHANGED_SINCE' : 'NO_FILE';
  if (!entry.offline && device.status !== 1) return 'OFFLINE';
  if (entry.action === 'update_firmware') return firmwareReason(input, entry, device);
  const { device_model } = entry.file;
  return device_model !== null && device_model !== device.model && !input.allow_other_model ? 'WRONG_MODEL' : undefined;
}
