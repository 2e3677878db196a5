import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { DeviceNews } from '../../domain/devices/watchers.ts';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { NewRow, Trx } from '../../db/schema.ts';
import type { ChannelEvent } from '../../edges/mqtt/types.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { takeTurns } from '../../kernel/turns.ts';
import { isPassing } from '../../kernel/errors.ts';
import { readHearing } from '../../domain/devices/hearing.ts';
import { addDeviceEvents } from '../../domain/devices/events.ts';
import { presentDeviceFields } from '../../domain/devices/present.ts';
import { storeReadings, storeStates } from '../../domain/devices/store-readings.ts';
import { sendPeriods } from '../../domain/devices/send-period.ts';
import { countActive } from './active-months.ts';
import { trackSims } from './sims.ts';
import { addTraffic } from './traffic.ts';
import { compareDetails, pinStatesOf, storeDetails } from './details.ts';
import { beginChanges, type DeviceRow, type PendingChanges } from './pending-changes.ts';
import type { Rules } from './apply-event.ts';
import type { Intake } from './intake.ts';

const GATHER_MS = 100;
/** Small enough that no turn of the event loop takes longer than some milliseconds. */
const MAX_BATCH = 250;
const ROWS_PER_TURN = 50;
const RETRY_AFTER_MS = 1000;

/** With when it came, which orders what two servers took. */
interface ReceivedEvent {
  event: ChannelEvent;
  receivedAt: number;
}

function keyOf(event: ChannelEvent): string {
  return event.kind === 'message' ? event.message.deviceKey : event.deviceKey;
}

/** Whether an event says that a device is away. */
function isEnd({ event }: ReceivedEvent): boolean {
  return event.kind === 'closed' || (event.kind === 'message' && event.message.payload['online'] === false);
}

/** Devices with their company's path, the lowest id first: nobody else changes them before this transaction ends, and two servers that want the same ones do not wait for each other. */
export async function lockDevices(ctx: Context, trx: Trx, condition: RawBuilder<SqlBool>): Promise<DeviceRow[]> {
  return trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.path as company_path')
    .where(condition)
    .orderBy('devices.id')
    .$if(ctx.database.tools.kind === 'postgres', (query) => query.forUpdate('devices'))
    .execute();
}

async function readDrafts(ctx: Context, trx: Trx, keys: readonly string[]): Promise<Map<string, PendingChanges>> {
  const drafts = new Map<string, PendingChanges>();
  // On PostgreSQL all at once: rows are locked in the order of their ids.
  const rowsPerTurn = ctx.database.tools.kind === 'postgres' ? keys.length : ROWS_PER_TURN;
  for (let start = 0; start < keys.length; start += rowsPerTurn) {
    if (start > 0) await nextTurn();
    const isWanted = sql<SqlBool>`devices.device_key in (${sql.join(keys.slice(start, start + rowsPerTurn))})`;
    for (const row of await lockDevices(ctx, trx, isWanted)) drafts.set(row.device_key, beginChanges(row));
  }
  return drafts;
}

/** The wire's fields among the columns that changed. */
function publicChanges(draft: PendingChanges): Partial<Device> {
  const all: Partial<Device> = presentDeviceFields(draft.row);
  const changed = new Set(Object.keys(draft.changes));
  return Object.fromEntries(Object.entries(all).filter(([field]) => changed.has(field)));
}

/** Texts that are kept with the moment from which they were so. */
const STATES = [
  'connection_type',
  'network_state',
  'operator',
  'operator_number',
  'sim_slot',
  'iccid',
  'cell_id',
  'lac',
  'hostname',
  'connection_type_2',
  'network_state_2',
  'operator_2',
  'sim_slot_2',
  'cell_id_2',
  'mobile_ip_2',
  'wan_state',
  'wan_ip',
  'mobile_ip',
  'firmware',
  'status',
] as const;

function statesOf({ row, changes }: PendingChanges, at: number): NewRow<'device_states'>[] {
  return STATES.flatMap((name) => {
    const value = changes[name];
    return value === undefined || value === null ? [] : [{ device_id: row.id, name, at, value: String(value) }];
  });
}

/** What rooms that watch devices are shown of one. */
function newsOf({ row, changes, samples, details, collected, events }: PendingChanges): DeviceNews {
  // Of several readings of a metric that came together, the newest counts, in whatever order they came.
  const newest = Map.groupBy(samples.toSorted((a, b) => a.at - b.at), ({ metric }) => metric); // prettier-ignore
  const readings = new Map<string, number | string>([...newest].map(([metric, own]) => [metric, own.at(-1)?.value ?? 0]));
  const readAt = new Map([...newest].map(([metric, own]) => [metric, own.at(-1)?.at ?? 0]));
  const { latitude, longitude } = details?.position ?? {};
  if (typeof latitude === 'number' && typeof longitude === 'number') readings.set('position', `${latitude},${longitude}`);
  const changed = new Set([...Object.keys(changes), ...(events.length > 0 ? ['event', 'event_text'] : [])]);
  return { row, changed, readings, readAt, events, collected };
}

/** Writes what became of each device, and hands live events to the time after the commit. */
export async function writeDrafts(ctx: Context, trx: Trx, drafts: readonly PendingChanges[]): Promise<void> {
  const turns = takeTurns();
  const samples: NewRow<'device_samples'>[] = [];
  for (const draft of drafts) {
    const { row } = draft;
    if (Object.keys(draft.changes).length > 0) {
      await trx.updateTable('devices').set(draft.changes).where('id', '=', row.id).execute();
      if (turns.isOver()) await turns.next();
      const changes = publicChanges(draft);
      afterCommit(trx, () =>
        ctx.live.publishBelow(row.company_path, 'devices', 'DeviceChanged', { id: row.id, company_id: row.company_id, ...changes }),
      );
    }
    for (const sample of draft.samples) samples.push({ device_id: row.id, ...sample });
  }
  await storeReadings(trx, samples);
  await storeStates(
    trx,
    drafts.flatMap((draft) => [...statesOf(draft, ctx.clock.now()), ...pinStatesOf(draft, ctx.clock.now())]),
  );
  await storeDetails(ctx, trx, drafts);
  await addTraffic(trx, drafts, ctx.clock.now());
  await trackSims(trx, drafts, ctx.clock.now());
  await countActive(trx, drafts, ctx.clock.now());
  await ctx.deviceWatchers.run(trx, drafts.map(newsOf));
  const news = drafts.flatMap((draft) => draft.events);
  for (let start = 0; start < news.length; start += ROWS_PER_TURN) {
    await addDeviceEvents(ctx, trx, news.slice(start, start + ROWS_PER_TURN));
    await nextTurn();
  }
}

async function applyBatch(ctx: Context, rules: Rules, intake: Intake, events: readonly ReceivedEvent[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const drafts = await readDrafts(ctx, trx, [...new Set(events.map(({ event }) => keyOf(event)))]);
    const { graceUntil } = events.some(isEnd) ? await readHearing(trx, ctx.clock.now()) : { graceUntil: 0 };
    const turns = takeTurns();
    for (const { event, receivedAt } of events) {
      if (turns.isOver()) await turns.next();
      const draft = drafts.get(keyOf(event));
      // A device that was removed a moment ago.
      if (draft) rules.apply(draft, event, { receivedAt, graceUntil });
    }
    const all = [...drafts.values()];
    await nextTurn();
    await compareDetails(trx, all, ctx.clock.now());
    await intake.limit(trx, all);
    await writeDrafts(ctx, trx, all);
    const results = all.flatMap((draft) => draft.results);
    if (results.length > 0) {
      await ctx.jobs.takeResults(trx, results);
      afterCommit(trx, () => ctx.remote.takeResults(results));
    }
    const returned = all.filter((draft) => draft.hasReturned).map((draft) => draft.row.id);
    for (const draft of all) if (draft.hasOtherPeriods) afterCommit(trx, () => sendPeriods(ctx, draft.row, draft.row.report_seconds));
    if (returned.length > 0) afterCommit(trx, () => ctx.jobs.devicesReturned(returned));
  });
}

/**
 * Takes what devices say and writes it in batches: at once when nothing is under way, else together after at most 100 ms, in one
 * transaction. `deliver` resolves when the events are durable, so that a broker acknowledges nothing that a crash could lose; what comes while
 * the server stops is never acknowledged, so that the device sends it again.
 */
export function createIngest(ctx: Context, rules: Rules, intake: Intake) {
  let waiting: (ReceivedEvent & { done(): void })[] = [];
  let working: Promise<void> | undefined;
  let isStopped = false;

  /**
   * Writes events together, and one by one when that fails, so that one that cannot be written does not hold up the others. While the database
   * takes no writes all of them wait, unacknowledged. Answers whether nothing is left to be done for them.
   */
  async function takeBatch(events: readonly ReceivedEvent[]): Promise<boolean> {
    for (;;) {
      const { error } = await applyBatch(ctx, rules, intake, events).then(
        () => ({ error: undefined }),
        (reason: unknown) => ({ error: reason ?? new Error('no reason') }),
      );
      if (error === undefined) return true;
      // What was counted of these events was not written; it is counted when they are.
      rules.forget();
      intake.forget();
      ctx.log.error(
        { err: error, events: events.length, device: events[0] && keyOf(events[0].event) },
        'messages of devices could not be written',
      );
      if (isStopped) return false;
      if (!isPassing(error)) {
        for (const event of events.length === 1 ? [] : events) if (!(await takeBatch([event]))) return false;
        return true;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, RETRY_AFTER_MS);
      });
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const startedAt = performance.now();
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      if (await takeBatch(batch)) for (const { done } of batch) done();
      const rest = GATHER_MS - (performance.now() - startedAt);
      // A short pause gathers the next batch; waiting for it at the very end would only make the stop slower.
      if (rest > 0 && !isStopped && waiting.length < MAX_BATCH) {
        await new Promise((resolve) => {
          setTimeout(resolve, rest);
        });
      }
    }
    working = undefined;
  }

  function noteUnreadable(event: ChannelEvent): void {
    if (event.kind !== 'unreadable') return;
    unreadable += 1;
    const { deviceKey, topic, why, bytes } = event;
    ctx.log.warn({ device: deviceKey, topic, why, bytes, count: unreadable }, 'a message of a device is not readable');
  }
  let unreadable = 0;

  return {
    /** How many messages were not readable since the start. */
    unreadableCount: () => unreadable,
    deliver(events: ChannelEvent[]): Promise<void> {
      events.forEach(noteUnreadable);
      const kept = events.filter((event) => event.kind !== 'unreadable');
      const receivedAt = ctx.clock.now();
      if (kept.length === 0) return Promise.resolve();
      if (isStopped) return new Promise(() => undefined);
      const done = Promise.all(kept.map((event) => new Promise<void>((resolve) => waiting.push({ event, receivedAt, done: resolve }))));
      working ??= work();
      return done.then(() => undefined);
    },
    /** Writes what waits and takes nothing more. */
    async stop(): Promise<void> {
      isStopped = true;
      await working;
    },
  };
}
