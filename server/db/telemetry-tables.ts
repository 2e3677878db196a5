import type { Generated } from 'kysely';
import type { JsonText, Millis } from './column-types.ts';

/** A number that a device reported. */
interface DeviceSamplesTable {
  device_id: number;
  metric: string;
  at: Millis;
  value: number;
}

/** The readings of an hour (UTC) or a day (UTC). */
interface RollUpTable {
  device_id: number;
  metric: string;
  /** Where the hour or the day begins. */
  at: Millis;
  readings: number;
  lowest: number;
  highest: number;
  total: number;
  /** The newest one. */
  last: number;
}

/** Which metrics a device has ever reported. */
interface DeviceMetricsTable {
  device_id: number;
  metric: string;
}

/** A text that a device reported, from when it was so. */
interface DeviceStatesTable {
  device_id: number;
  name: string;
  at: Millis;
  value: string;
}

/** Bytes over the WAN on a day (UTC); `sim` is the slot in use, 0 without one. */
interface DeviceTrafficTable {
  device_id: number;
  day: Millis;
  /** 1 also for what went no mobile way. */
  modem: Generated<number>;
  sim: number;
  sent: number;
  received: number;
}

/** The last report of details of a device. */
interface DeviceDetailsTable {
  device_id: number;
  /** `DetailsReport` of server/domain/devices/details-report.ts. */
  details: JsonText;
  received_at: Millis;
  /** When a report came last that was another than the one before, numbers that always move left out. */
  changed_at: Millis;
  /** When its settings were backed up last. */
  backed_up_at: Millis | null;
  /** The sum of the settings at that time; null until the first report after the backup. */
  backed_up_settings: string | null;
}

/** Where a device was, from when. */
interface DevicePositionsTable {
  device_id: number;
  at: Millis;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Metres. */
  altitude: number | null;
  accuracy: number | null;
  satellites: number | null;
  /** Kilometres per hour. */
  speed: number | null;
}

/** How much data a device may use over its SIMs in a month, as somebody said. */
interface DeviceDataLimitsTable {
  device_id: number;
  limit_bytes: number;
  /** The day of the month on which it begins again, 1 to 28. */
  starts_on: number;
}

/** A time in which no server could hear devices: none of them ran, or had its broker. What devices did then is not known. */
interface DeafPeriodsTable {
  id: Generated<number>;
  from_at: Millis;
  until_at: Millis;
}

export interface TelemetryTables {
  deaf_periods: DeafPeriodsTable;
  device_samples: DeviceSamplesTable;
  device_hours: RollUpTable;
  device_days: RollUpTable;
  device_metrics: DeviceMetricsTable;
  device_states: DeviceStatesTable;
  device_traffic: DeviceTrafficTable;
  device_details: DeviceDetailsTable;
  device_positions: DevicePositionsTable;
  device_data_limits: DeviceDataLimitsTable;
}
