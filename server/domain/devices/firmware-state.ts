import { compareVersions, parseFirmware } from '../../../schemas/kit/devices/device-capabilities.ts';

export const FIRMWARE_STATES = ['newest', 'older', 'unknown'] as const;
type FirmwareState = (typeof FIRMWARE_STATES)[number];

// RUTX_R_00.07.14.2 → RUTX: what the vendor names images after.
const FAMILY = /^([A-Za-z0-9]{2,20})_R_/;

type Version = readonly number[];

/** The newest version by what images are for: a model or a family, upper case. */
export function newestVersions(images: readonly { device_model: string | null; version: string | null }[]): Map<string, Version> {
  const newest = new Map<string, Version>();
  for (const { device_model, version } of images) {
    const parsed = device_model === null || version === null ? undefined : parseFirmware(`${device_model}_R_${version}`);
    if (!parsed || device_model === null) continue;
    const known = newest.get(device_model.toUpperCase());
    if (!known || compareVersions(parsed, known) > 0) newest.set(device_model.toUpperCase(), parsed);
  }
  return newest;
}

/** How a firmware compares with the newest image for its model or its family. Pure. */
export function firmwareStateOf(
  { model, firmware }: { model: string; firmware: string },
  newest: ReadonlyMap<string, Version>,
): FirmwareState {
  const present = parseFirmware(firmware);
  const family = FAMILY.exec(firmware)?.[1] ?? '';
  const known = [newest.get(model.trim().toUpperCase()), newest.get(family.toUpperCase())].flatMap((version) => (version ? [version] : []));
  const best = known.toSorted((a, b) => compareVersions(b, a))[0];
  if (!present || !best) return 'unknown';
  return compareVersions(present, best) >= 0 ? 'newest' : 'older';
}
