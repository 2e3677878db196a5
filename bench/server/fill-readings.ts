import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import type { Db, NewRow } from '../../server/db/schema.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';

/** What a mobile router reports all the time. */
export const YEAR_METRICS = [
  'signal',
  'rsrp',
  'rsrq',
  'sinr',
  'temperature',
  'load1',
  'mem_available_kb',
  'router_uptime',
  'disk_used_kb',
  'processes',
];
const ROWS_PER_INSERT = 500;

async function insert<T extends 'device_samples' | 'device_hours' | 'device_days'>(db: Db, table: T, rows: NewRow<T>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    await db
      .insertInto(table)
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
}

const times = (now: number, width: number, span: number): number[] =>
  Array.from({ length: Math.floor(span / width) }, (_none, index) => now - (now % width) - (index + 1) * width);

/** Keeps readings of these devices as if they had reported for a year, one every `every` milliseconds; the newest `raw` milliseconds stay one by one. */
export async function fillReadings(db: Db, ids: readonly number[], { every = 5 * MINUTE, raw = 7 * DAY } = {}): Promise<void> {
  const now = Date.now();
  const value = (at: number, metric: string): number => -80 + Math.round(10 * Math.sin(at / (3 * HOUR)) + metric.length);
  const rolled = (width: number, span: number, device_id: number) =>
    YEAR_METRICS.flatMap((metric) =>
      times(now, width, span).map((at) => {
        const last = value(at, metric);
        const readings = width / every;
        return { device_id, metric, at, readings, lowest: last - 2, highest: last + 2, total: last * readings, last };
      }),
    );
  for (const id of ids)
    await inTransaction(db, async (trx) => {
      await trx
        .insertInto('device_metrics')
        .values(YEAR_METRICS.map((metric) => ({ device_id: id, metric })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await insert(
        trx,
        'device_samples',
        YEAR_METRICS.flatMap((metric) => times(now, every, raw).map((at) => ({ device_id: id, metric, at, value: value(at, metric) }))),
      );
      await insert(trx, 'device_hours', rolled(HOUR, 90 * DAY, id));
      await insert(trx, 'device_days', rolled(DAY, 365 * DAY, id));
    });
}
