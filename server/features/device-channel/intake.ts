import { statfsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Trx } from '../../db/schema.ts';
import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import { note, type PendingChanges } from './pending-changes.ts';

/** What a reading takes with its share of indexes and of the rows that it is rolled up into. */
const BYTES_PER_READING = 100;
const DISK_CHECK_MS = 10 * SECOND;
/** Events that a device can make as often as it likes. */
const OWN_EVENTS: ReadonlySet<string> = new Set(['log', 'connected', 'disconnected', 'restarted', 'refused']);

type Limits = Pick<
  Config,
  'telemetryPerHour' | 'telemetryNames' | 'deviceEventsPerHour' | 'telemetryBytesPerDay' | 'diskReserveBytes' | 'dataDir' | 'databaseUrl'
>;

interface Spent {
  readings: number;
  events: number;
  /** The company has been notified of it in this hour. */
  isNoted: boolean;
}

const MESSAGES = {
  disk: 'The disk of the server is nearly full: readings are dropped until there is room.',
  names: 'Too many names of readings: new ones are dropped.',
  hour: 'Too many readings within an hour: the rest is dropped.',
  company: 'The readings of the company have used up what they may take today: the rest is dropped.',
  events: 'Too many events within an hour: the rest is dropped.',
} as const;

/** The company below the top one that a device belongs to: one customer. */
function customerOf(companyPath: string): string {
  return companyPath.split('/').filter(Boolean).slice(0, 2).join('/');
}

/**
 * Keeps devices from filling the disk: counts what each adds in an hour and each customer in a day, and drops what is more (docs/decisions/011).
 * Counts are of this process and begin again with it.
 */
export function createIntake(limits: Limits, now: () => number) {
  let hour = 0;
  let day = 0;
  let spent = new Map<number, Spent>();
  let bytes = new Map<string, number>();
  /** Names that a device is known to report. */
  const names = new Map<number, Set<string>>();
  let disk = { checkedAt: Number.NEGATIVE_INFINITY, isLow: false };

  function turn(): void {
    const at = now();
    if (at - (at % HOUR) !== hour) [hour, spent] = [at - (at % HOUR), new Map()];
    if (at - (at % DAY) !== day) [day, bytes] = [at - (at % DAY), new Map()];
  }

  function isDiskLow(): boolean {
    if (limits.databaseUrl !== undefined || limits.diskReserveBytes === 0) return false;
    if (now() - disk.checkedAt >= DISK_CHECK_MS) {
      const { bavail, bsize } = statfsSync(limits.dataDir);
      disk = { checkedAt: now(), isLow: bavail * bsize < limits.diskReserveBytes };
    }
    return disk.isLow;
  }

  async function learnNames(trx: Trx, drafts: readonly PendingChanges[]): Promise<void> {
    const unknown = drafts.filter(({ row, samples }) => samples.some(({ metric }) => !names.get(row.id)?.has(metric)));
    const ids = unknown.map(({ row }) => row.id);
    if (ids.length === 0) return;
    const rows = await trx.selectFrom('device_metrics').selectAll().where('device_id', 'in', ids).execute();
    for (const id of ids) names.set(id, new Set());
    for (const row of rows) names.get(row.device_id)?.add(row.metric);
    const added: { device_id: number; metric: string }[] = [];
    for (const { row, samples } of unknown) {
      const known = names.get(row.id) ?? new Set();
      for (const { metric } of samples) {
        if (known.has(metric) || known.size >= limits.telemetryNames) continue;
        known.add(metric);
        added.push({ device_id: row.id, metric });
      }
    }
    if (added.length > 0)
      await trx
        .insertInto('device_metrics')
        .values(added)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }

  /** Changes of inputs, outputs and places are kept like readings, and count like them. */
  function trimHistory(draft: PendingChanges, room: number): number {
    const { detailsNews: news } = draft;
    if (!news) return 0;
    if (isDiskLow()) {
      delete draft.details;
      delete draft.detailsNews;
      return 0;
    }
    const pins = news.pins.slice(0, room);
    const position = pins.length < room ? news.position : undefined;
    draft.detailsNews = { ...news, pins, position };
    return pins.length + (position ? 1 : 0);
  }

  function trim(draft: PendingChanges): void {
    const { row } = draft;
    const mine = spent.get(row.id) ?? { readings: 0, events: 0, isNoted: false };
    spent.set(row.id, mine);
    const customer = customerOf(row.company_path);
    const used = bytes.get(customer) ?? 0;
    const known = names.get(row.id);
    const named = draft.samples.filter(({ metric }) => known?.has(metric));
    const roomOfHour = Math.max(0, limits.telemetryPerHour - mine.readings);
    const roomOfDay = Math.max(0, Math.floor((limits.telemetryBytesPerDay - used) / BYTES_PER_READING));
    const room = Math.min(roomOfHour, roomOfDay);
    const history = trimHistory(draft, room);
    const kept = isDiskLow() ? [] : named.slice(0, room - history);
    const own = draft.events.filter(({ type }) => OWN_EVENTS.has(type));
    const roomOfEvents = Math.max(0, limits.deviceEventsPerHour - mine.events);
    const why: keyof typeof MESSAGES | undefined =
      draft.samples.length > 0 && isDiskLow()
        ? 'disk'
        : named.length < draft.samples.length
          ? 'names'
          : named.length > roomOfHour
            ? 'hour'
            : named.length > roomOfDay
              ? 'company'
              : own.length > roomOfEvents
                ? 'events'
                : undefined;
    draft.samples = kept;
    const dropped = new Set(own.slice(roomOfEvents));
    draft.events = draft.events.filter((event) => !dropped.has(event));
    mine.readings += kept.length + history;
    mine.events += Math.min(own.length, roomOfEvents);
    bytes.set(customer, used + (kept.length + history) * BYTES_PER_READING);
    if (why === undefined || mine.isNoted) return;
    mine.isNoted = true;
    note(draft, { type: 'limited', level: 'warning', message: MESSAGES[why], params: { limit: why } });
  }

  return {
    /** Drops what these devices may not add now; the first time in an hour it adds an event that says so. */
    async limit(trx: Trx, drafts: readonly PendingChanges[]): Promise<void> {
      turn();
      await learnNames(trx, drafts);
      for (const draft of drafts) trim(draft);
    },
    /** Forgets what was counted, as at a restart. */
    forget(): void {
      for (const counts of [spent, bytes, names]) counts.clear();
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;
