import type { DeviceFeature } from './device-capabilities.ts';

/** Parts of what a device reports that may have a period of their own, as agent/PROTOCOL.md names them. */
export const MONITORING_PARTS = ['static', 'io', 'gps', 'wireless', 'hotspot'] as const;
export type MonitoringPart = (typeof MONITORING_PARTS)[number];
export type PeriodKey = `${MonitoringPart}_monitoring`;

export const periodKeyOf = (part: MonitoringPart): PeriodKey => `${part}_monitoring`;
/** The periods of a device beside `dynamic_monitoring`, seconds. */
export const PERIOD_KEYS: readonly PeriodKey[] = MONITORING_PARTS.map(periodKeyOf);

/** What a device must have to report a part; every device has ports and networks. */
export const PART_NEEDS: Readonly<Record<MonitoringPart, DeviceFeature | undefined>> = {
  static: undefined,
  io: 'io',
  gps: 'gps',
  wireless: 'wifi',
  hotspot: 'hotspot',
};

/** The members of `up/details` that a part is made of. */
export const PART_MEMBERS = {
  static: ['ports', 'interfaces', 'leases', 'routes', 'dns', 'modems', 'settings'],
  io: ['pins'],
  gps: ['position'],
  wireless: ['wireless'],
  hotspot: ['hotspots'],
} as const satisfies Record<MonitoringPart, readonly string[]>;

/** Seconds. */
export const LEAST_PERIOD = 60;
export const MOST_PERIOD = 31_536_000;
/** How often a part without a period of its own is sent, seconds; and whenever something in it changed. */
export const USUAL_PART_PERIOD = 900;

/** How often a device reports one thing, and what that costs. */
export interface MonitoringEntry {
  label: string;
  /** `dynamic_monitoring`, one of `PERIOD_KEYS`, or `template_12`. */
  key: string;
  /** Bytes to the device and from it for each report. */
  down: number;
  up: number;
  /** Seconds. */
  min: number;
  max: number;
  period: number;
  default: number;
  /** The monitoring template that asks for it; null for what every agent reports by itself. */
  config_id: number | null;
  /** What the device must have, `has_gps`; null when nothing special is needed. */
  compatKey: string | null;
  /** Why this device cannot have another period; null when it can. */
  compatNotice: string | null;
}

const DAY_SECONDS = 86_400;

/** The bytes that an entry costs each day, both ways. */
export const dailyCostOf = ({ up, down, period }: Pick<MonitoringEntry, 'up' | 'down' | 'period'>): number =>
  Math.round((DAY_SECONDS / period) * (up + down));

type Periods = { readonly [Key in PeriodKey]: number | null };

/** The periods that people chose for parts, as a device says them back: `io=60 gps=3600`; empty for none. */
export function wordPeriods(periods: Periods): string {
  return MONITORING_PARTS.flatMap((part) => {
    const seconds = periods[periodKeyOf(part)];
    return seconds === null ? [] : [`${part}=${seconds}`];
  }).join(' ');
}
