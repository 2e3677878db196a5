import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { NewRow, Trx } from '../../db/schema.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';

const ROWS_PER_INSERT = 250;
const ROLL_UPS = [
  { table: 'device_hours', width: HOUR },
  { table: 'device_days', width: DAY },
] as const;

type Reading = NewRow<'device_samples'>;

/** Readings of one metric of one device in one hour or day. */
interface Group {
  device_id: number;
  metric: string;
  at: number;
  readings: number;
  lowest: number;
  highest: number;
  total: number;
  last: number;
}

function groupsOf(readings: readonly Reading[], width: number): Group[] {
  const groups = new Map<string, Group & { lastAt: number }>();
  for (const { device_id, metric, at, value } of readings) {
    const start = at - (at % width);
    const key = `${device_id} ${metric} ${start}`;
    const group = groups.get(key);
    if (!group) {
      groups.set(key, { device_id, metric, at: start, readings: 1, lowest: value, highest: value, total: value, last: value, lastAt: at });
      continue;
    }
    group.readings += 1;
    group.lowest = Math.min(group.lowest, value);
    group.highest = Math.max(group.highest, value);
    group.total += value;
    if (at >= group.lastAt) Object.assign(group, { last: value, lastAt: at });
  }
  // In one order, so that two servers that write the same rows do not wait for each other.
  return [...groups.values()]
    .map(({ lastAt: _lastAt, ...group }) => group)
    .toSorted((a, b) => a.device_id - b.device_id || a.at - b.at || (a.metric < b.metric ? -1 : 1));
}

async function rollUp(trx: Trx, table: 'device_hours' | 'device_days', groups: readonly Group[]): Promise<void> {
  const before = (column: string) => sql.ref(`${table}.${column}`);
  for (let start = 0; start < groups.length; start += ROWS_PER_INSERT) {
    await trx
      .insertInto(table)
      .values(groups.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict.columns(['device_id', 'metric', 'at']).doUpdateSet({
          readings: sql<number>`${before('readings')} + excluded.readings`,
          lowest: sql<number>`case when excluded.lowest < ${before('lowest')} then excluded.lowest else ${before('lowest')} end`,
          highest: sql<number>`case when excluded.highest > ${before('highest')} then excluded.highest else ${before('highest')} end`,
          total: sql<number>`${before('total')} + excluded.total`,
          last: sql<number>`excluded.last`,
        }),
      )
      .execute();
    await nextTurn();
  }
}

/**
 * Appends readings and adds them to their hours and days. One that is there already (same device, metric and moment) is left as it is and counted
 * once, so that a report that comes twice changes nothing.
 */
export async function storeReadings(trx: Trx, readings: readonly Reading[]): Promise<void> {
  for (let start = 0; start < readings.length; start += ROWS_PER_INSERT) {
    const chunk = readings.slice(start, start + ROWS_PER_INSERT);
    const written = await trx
      .insertInto('device_samples')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['device_id', 'metric', 'at']).doNothing())
      .returningAll()
      .execute();
    await nextTurn();
    for (const { table, width } of ROLL_UPS) await rollUp(trx, table, groupsOf(written, width));
  }
}

/** Notes texts that are others than before, from this moment on. */
export async function storeStates(trx: Trx, given: readonly NewRow<'device_states'>[]): Promise<void> {
  // The newest of one moment.
  const states = [...new Map(given.map((state) => [`${state.device_id} ${state.name} ${state.at}`, state])).values()];
  for (let start = 0; start < states.length; start += ROWS_PER_INSERT) {
    await trx
      .insertInto('device_states')
      .values(states.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) => conflict.columns(['device_id', 'name', 'at']).doUpdateSet({ value: sql<string>`excluded.value` }))
      .execute();
    await nextTurn();
  }
}
