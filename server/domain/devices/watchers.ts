import type { Row, Trx } from '../../db/schema.ts';

/** What a device has just said, in the transaction that writes it. */
export interface DeviceNews {
  /** As it is now. */
  row: Row<'devices'> & { company_path: string };
  /** Columns that changed. */
  changed: ReadonlySet<string>;
  /** Readings of the report, by metric, the newest of each; watchers may add what they read from it to those after them. */
  readings: Map<string, number | string>;
  /** When the device made a reading, where it said so and it was not just now. */
  readAt?: ReadonlyMap<string, number>;
  /** What happened, in its order: `changed` then has `event` and `event_text`. */
  events?: readonly { type: string; message?: string }[];
  /** What it collected for monitoring templates, as it came. */
  collected?: readonly CollectedReport[];
}

/** What the sources of a monitoring template printed on a device, in their order. */
export interface CollectedReport {
  templateId: number;
  version: number;
  answers: { code: number; output: string }[];
  /** Of the message. */
  bytes: number;
}

type Watcher = (trx: Trx, news: readonly DeviceNews[]) => Promise<void>;

/** Rooms that look at what devices report. */
export interface DeviceWatchers {
  add(watcher: Watcher): void;
  /** Called in the transaction that writes the reports. */
  run(trx: Trx, news: readonly DeviceNews[]): Promise<void>;
}

export function createDeviceWatchers(): DeviceWatchers {
  const watchers: Watcher[] = [];
  return {
    add: (watcher) => void watchers.push(watcher),
    async run(trx, news) {
      for (const watcher of watchers) await watcher(trx, news);
    },
  };
}
