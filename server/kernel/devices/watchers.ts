import type { Row, Trx } from '../../db/schema.ts';

/** What a device has just said, in the transaction that writes it. */
export interface DeviceNews {
  /** As it is now. */
  row: Row<'devices'> & { company_path: string };
  /** Columns that changed. */
  changed: ReadonlySet<string>;
  /** Readings of the report, by metric, the newest of each. */
  readings: ReadonlyMap<string, number | string>;
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
