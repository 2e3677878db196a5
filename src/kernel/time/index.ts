import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { momentOfClock } from '../../../schemas/kit/time/wall-clock.ts';
import { readCookie, writeCookie } from '../cookies.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The default of every time on screen (docs/behaviour.md section 9). */
export const TIMESTAMP_FORMAT = 'YYYY-MM-DD HH:mm:ss';
const COOKIE = 'canopy_timezone';

/** The zone that times are shown in: the user's choice, else this machine's (IANA name). */
export function currentTimezone(): string {
  const chosen = readCookie(COOKIE);
  return chosen !== undefined && isTimezone(chosen) ? chosen : guessedTimezone();
}

/** This machine's own zone (IANA name). */
export function guessedTimezone(): string {
  // Asking takes longer than drawing a row.
  guessed ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return guessed;
}
let guessed: string | undefined;

/** Keeps the user's zone; `undefined` goes back to this machine's. The page must be loaded again to show it everywhere. */
export function chooseTimezone(zone: string | undefined): void {
  writeCookie(COOKIE, zone);
}

/** Whether this browser knows the zone. */
export function isTimezone(zone: string): boolean {
  try {
    return timestampFormat(zone) !== undefined;
  } catch {
    return false;
  }
}

// Swedish writes times as TIMESTAMP_FORMAT does; a list formats hundreds of them, and dayjs takes half a millisecond for each.
const timestampFormats = new Map<string, Intl.DateTimeFormat>();
function timestampFormat(zone: string): Intl.DateTimeFormat {
  const known = timestampFormats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  timestampFormats.set(zone, made);
  return made;
}

/** Unix milliseconds of a wire timestamp (`2026-11-21 09:41:00`, UTC), or `undefined` when it is none. */
export function parseWire(value: string | null | undefined): number | undefined {
  // 2026-11-21 09:41:00, also with T, fractions or Z
  if (!value || !/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?$/.test(value)) return undefined;
  const time = Date.parse(`${value.replace(' ', 'T').replace(/Z$/, '')}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** A wire timestamp (UTC) of unix milliseconds. */
export function toWire(time: number): string {
  return dayjs.utc(time).format(TIMESTAMP_FORMAT);
}

/** A time on screen, in the user's zone. */
export function formatTime(time: number, format: string = TIMESTAMP_FORMAT, zone: string = currentTimezone()): string {
  if (format === TIMESTAMP_FORMAT) return timestampFormat(zone).format(time);
  return dayjs(time).tz(zone).format(format);
}

/** A time on screen in UTC. */
export function formatUtc(time: number, format: string = TIMESTAMP_FORMAT): string {
  return dayjs.utc(time).format(format);
}

/** Unix milliseconds of a time as clocks in the user's zone show it (`2026-11-21T09:41` or with seconds), or `undefined` when it is none. */
export function parseLocal(value: string, zone: string = currentTimezone()): number | undefined {
  // 2026-11-21T09:41 · 2026-11-21T09:41:00
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value)) return undefined;
  const shown = Date.parse(`${value}Z`);
  return Number.isNaN(shown) ? undefined : momentOfClock(zone, shown);
}
