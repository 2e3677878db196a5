import type { MonitoringPart } from '../../../schemas/kit/devices/monitoring-parts.ts';
import type { Changes, Row } from '../../db/schema.ts';
import type { NewDeviceEvent } from '../../domain/devices/events.ts';
import type { TargetResult } from '../../domain/jobs/types.ts';
import type { CollectedReport } from '../../domain/devices/watchers.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';

export type DeviceRow = Row<'devices'> & { company_path: string };

/** A device while a batch of its messages is worked through: the row as it will be, and what must be written. */
export interface PendingChanges {
  row: DeviceRow;
  changes: Changes<'devices'>;
  events: NewDeviceEvent[];
  samples: { metric: string; at: number; value: number }[];
  /** Bytes since the reports before. */
  traffic: { sent: number; received: number };
  /** The same over a second modem, beside the way to the internet. */
  secondTraffic: { sent: number; received: number };
  results: TargetResult[];
  collected: CollectedReport[];
  /** What it reported of its parts last. */
  details?: DetailsReport;
  /** The parts that these are about; undefined: all of them. */
  detailsParts?: ReadonlySet<MonitoringPart> | undefined;
  /** What of it is to be written; see compareDetails. */
  detailsNews?: DetailsNews;
  /** It said something that shows it at work. */
  isHeard: boolean;
  /** It said hello: whatever it has not answered is given to it again. */
  hasReturned: boolean;
  /** It reports at other periods than it is to. */
  hasOtherPeriods?: boolean;
}

export function beginChanges(row: DeviceRow): PendingChanges {
  return {
    row,
    changes: {},
    events: [],
    samples: [],
    traffic: { sent: 0, received: 0 },
    secondTraffic: { sent: 0, received: 0 },
    results: [],
    collected: [],
    isHeard: false,
    hasReturned: false,
  };
}

/** Notes new values; those that are as before are left out. */
export function change(draft: PendingChanges, values: Changes<'devices'>): void {
  const before: Record<string, unknown> = { ...draft.row };
  const news = Object.fromEntries(Object.entries(values).filter(([key, value]) => value !== undefined && before[key] !== value));
  Object.assign(draft.changes, news);
  Object.assign(draft.row, news);
}

/** Adds a line to the device's events. */
export function note(draft: PendingChanges, event: Omit<NewDeviceEvent, 'deviceId' | 'companyId' | 'serial'>): void {
  const { id, company_id, serial } = draft.row;
  draft.events.push({ deviceId: id, companyId: company_id, serial, ...event });
}

export type Position = NonNullable<DetailsReport['position']>;

/** What a draft writes of its details. */
export interface DetailsNews {
  report: DetailsReport;
  /** The report before, when there was one. */
  former: DetailsReport | undefined;
  /** It says something else than the one before. */
  isNew: boolean;
  /** Inputs and outputs whose state is another, by name. */
  pins: { name: string; state: number }[];
  /** It is somewhere else. */
  position: Position | undefined;
}
