import compareBuild from 'semver/functions/compare-build.js';
import { hardwareOf, seriesOf, type DeviceSeries } from './device-models.ts';

/** What forms and lists may ask of devices, by short names: `wifi` for `has_wifi`. */
export const DEVICE_FEATURES = [
  'wifi',
  'gps',
  'rutos',
  'mobile',
  'lan',
  'hotspot',
  'io',
  'ddns',
  'data_usage',
  'l2tp',
  'second_modem',
  'network_map',
  'esim',
  'webfilter',
  'vpn',
  'legacy_alerts',
] as const;
export type DeviceFeature = (typeof DEVICE_FEATURES)[number];

/** What a device can do, judged by its model and firmware alone. */
export interface DeviceCapabilities {
  /** RUT2, RUT9, RUTX, TRB …; undefined for a make that is not known. */
  device_series: DeviceSeries | undefined;
  /** `[7, 14, 2]` of RUTX_R_00.07.14.2; undefined when the name says no version. */
  fw_version: readonly number[] | undefined;
  has_wifi: boolean;
  has_gps: boolean;
  /** RutOS 7 or newer: above 00.07.00. */
  has_rutos: boolean;
  has_mobile: boolean;
  port_count: number;
  has_lan: boolean;
  has_hotspot: boolean;
  sim_count: number;
  has_io: boolean;
  has_ddns: boolean;
  has_data_usage: boolean;
  has_l2tp: boolean;
  has_second_modem: boolean;
  has_network_map: boolean;
  has_esim: boolean;
  has_webfilter: boolean;
  has_vpn: boolean;
  /** Alerts kept on the device itself; newer firmware leaves them to automations. */
  has_legacy_alerts: boolean;
}

// RUTX_R_00.07.14.2 · TAP2XX_R_00.07.04 · RUT9XX_R_00.06.09.5 · RUT2M_R_GPL_00.07.06
const RUTOS_NAME = /_R_(?:[A-Z]+_)?\d\d\.((?:\d{1,3}\.){0,3}\d{1,3})/i;
// 07.14.2 · v7.6
const BARE_VERSION = /^v?((?:\d{1,3}\.){1,3}\d{1,3})$/i;

/** The version in a firmware name as numbers; undefined when there is none. */
export function parseFirmware(firmware: string): readonly number[] | undefined {
  const text = RUTOS_NAME.exec(firmware)?.[1] ?? BARE_VERSION.exec(firmware.trim())?.[1];
  return text?.split('.').map(Number);
}

/** `[7, 14, 2, 1]` → `7.14.2+1`: RutOS counts in four parts, semver in three and a build. */
function semverOf([major = 0, minor = 0, patch = 0, build = 0]: readonly number[]): string {
  return `${major}.${minor}.${patch}+${build}`;
}

/** Less than, equal to or greater than 0, as `a` is older than, the same as or newer than `b`; missing parts count as 0. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  return compareBuild(semverOf(a), semverOf(b));
}

const DDNS_FROM: Partial<Record<DeviceSeries, readonly number[]>> = { RUT2: [7, 0], RUT3: [7, 0], RUT9: [7, 0], RUTX: [2, 4], TRB: [2, 4] };
const LEGACY_ALERTS_BELOW: readonly number[] = [7, 13];
const RUTOS_FROM: readonly number[] = [7, 0];

/** Hotspots exist from 07.00 on RUT360, from 07.06 on RUT300 and TRB, and on every other model with Wi-Fi. */
function hasHotspot(
  model: string,
  series: DeviceSeries | undefined,
  hasWifi: boolean,
  isFrom: (version: readonly number[]) => boolean,
): boolean {
  if (model.startsWith('RUT360')) return isFrom([7, 0]);
  if (model.startsWith('RUT300') || series === 'TRB') return isFrom([7, 6]);
  return hasWifi;
}

/** The capability flags of a device. Unknown models get what the firmware alone proves. Pure. */
export function deviceCapabilities({ model, firmware }: { model: string; firmware: string }): DeviceCapabilities {
  const name = model.trim().toUpperCase();
  const series = seriesOf(name);
  const hardware = hardwareOf(name);
  const version = parseFirmware(firmware);
  const isFrom = (wanted: readonly number[]): boolean => version !== undefined && compareVersions(version, wanted) >= 0;
  const hasRutos = series !== undefined && isFrom(RUTOS_FROM);
  const isRouter = series !== undefined && series !== 'TSW' && series !== 'TAP' && series !== 'DAP';
  const hasMobile = hardware.sims > 0;
  const ddnsFrom = series && DDNS_FROM[series];
  return {
    device_series: series,
    fw_version: version,
    has_wifi: hardware.hasWifi,
    has_gps: hardware.hasGps,
    has_rutos: hasRutos,
    has_mobile: hasMobile,
    port_count: hardware.ports,
    has_lan: hardware.ports > 0,
    has_hotspot: hasHotspot(name, series, hardware.hasWifi, isFrom),
    sim_count: hardware.sims,
    has_io: hardware.hasIo,
    has_ddns: ddnsFrom !== undefined && isFrom(ddnsFrom),
    has_data_usage: hasMobile,
    has_l2tp: isRouter && version !== undefined,
    has_second_modem: hardware.modems > 1,
    has_network_map: isRouter && hasRutos,
    has_esim: hardware.hasEsim,
    has_webfilter: isRouter && hasRutos,
    has_vpn: isRouter && version !== undefined,
    has_legacy_alerts: hasMobile && version !== undefined && compareVersions(version, LEGACY_ALERTS_BELOW) < 0,
  };
}

/** Whether a device can do what a feature names. A name that is none is held by no device. */
export function supports({ model, firmware }: { model?: unknown; firmware?: unknown }, feature: unknown): boolean {
  const known = DEVICE_FEATURES.find((name) => name === feature);
  if (known === undefined) return false;
  const device = { model: typeof model === 'string' ? model : '', firmware: typeof firmware === 'string' ? firmware : '' };
  return deviceCapabilities(device)[`has_${known}`];
}
