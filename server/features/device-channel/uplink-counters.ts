import { SECOND } from '../../kernel/clock.ts';

interface Counters {
  sent?: number | undefined;
  received?: number | undefined;
}

/** Bytes that an uplink had sent and received when the device reported it last. */
interface ReportedCounters extends Counters {
  /** When that was; not kept of old. */
  at?: number | undefined;
}

/** The counters of each uplink by `Wired`, `WiFi` or `Mobile`; the second modem is `2`. Each interface counts for itself. */
export type UplinkCounters = Record<string, ReportedCounters>;

const UNKNOWN_UPLINK = '';
export const SECOND_MODEM = '2';

export const parseCounters = (text: string | null): UplinkCounters => (text === null ? {} : (JSON.parse(text) as UplinkCounters));

/** Faster than any link of the kind that a device of a fleet has: bits a second. An unknown uplink is taken for a wired one. */
const MAX_BITS_PER_SECOND: Readonly<Record<string, number>> = { Mobile: 20e9, [SECOND_MODEM]: 20e9, WiFi: 50e9 };
const MAX_WIRED_BITS_PER_SECOND = 100e9;
/** Reports wait in queues: what two of them are apart is known by so much. */
const MARGIN_SECONDS = 60;

/** The most bytes that an uplink can carry in a time. */
function mostBytes(key: string, elapsedMs: number): number {
  return (((MAX_BITS_PER_SECOND[key] ?? MAX_WIRED_BITS_PER_SECOND) / 8) * (elapsedMs + MARGIN_SECONDS * SECOND)) / SECOND;
}

/**
 * How much was added to a counter. What it was before is not known: nothing. One that is lower was begun again by its interface, and one that has grown by more than
 * `most` bytes is no count of its link: nothing is charged for what cannot be told.
 */
function growth(before: number | undefined, after: number | undefined, most: number): number {
  if (before === undefined || after === undefined || after < before) return 0;
  return after - before > most ? 0 : after - before;
}

/**
 * Takes the counters that a report has for the uplink in use, and answers how much was sent and received over it since its last report.
 * `reportedAt`: when the device reported before, for counters of before that was kept with them; `ranMs`: how long it ran since, by its uptime.
 */
export function countUplink(
  counters: UplinkCounters,
  uplink: string | null,
  report: Counters,
  { at, reportedAt, ranMs }: { at: number; reportedAt: number | null; ranMs: number },
): { counters: UplinkCounters; sent: number; received: number } {
  const key = uplink ?? UNKNOWN_UPLINK;
  const before = counters[key] ?? {};
  const since = before.at ?? reportedAt;
  const most = since === null ? Number.POSITIVE_INFINITY : mostBytes(key, Math.max(0, at - since, ranMs));
  const isCounted = report.sent !== undefined || report.received !== undefined;
  const after = { sent: report.sent ?? before.sent, received: report.received ?? before.received, at: isCounted ? at : before.at };
  return {
    counters: { ...counters, [key]: after },
    sent: growth(before.sent, report.sent, most),
    received: growth(before.received, report.received, most),
  };
}

/** After a restart of the device all its interfaces count from 0. */
export function restartCounters(counters: UplinkCounters): UplinkCounters {
  return Object.fromEntries(Object.entries(counters).map(([key, { at }]) => [key, { sent: 0, received: 0, at }]));
}
