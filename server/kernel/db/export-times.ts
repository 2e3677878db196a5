import { HOUR, MINUTE, wireTime } from '../clock.ts';

/** Writes times as clocks in one zone show them; without a zone in UTC. */
export interface ZoneClock {
  /** `2026-11-21 04:04:05` of Unix milliseconds. */
  write(at: number): string;
  /** `+01:00` at that moment. */
  offset(at: number): string;
  offsetMs(at: number): number;
}

/** Throws RangeError for a zone that does not exist. */
export function zoneClock(zone: string | undefined): ZoneClock {
  const format = zone === undefined ? undefined : new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  // Asking takes microseconds, a file has millions of times, and clocks change on whole quarters of an hour.
  function offsetMs(at: number): number {
    if (!format) return 0;
    const quarter = Math.floor(at / (15 * MINUTE));
    let offset = known.get(quarter);
    if (offset === undefined) {
      offset = readOffset(format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '');
      known.set(quarter, offset);
    }
    return offset;
  }
  return {
    write: (at) => wireTime(at + offsetMs(at)),
    offset: (at) => writeOffset(offsetMs(at)),
    offsetMs,
  };
}

/** `GMT+05:30`, `GMT-00:25:21`, `GMT` → milliseconds. */
function readOffset(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const size = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

function writeOffset(offset: number): string {
  const minutes = Math.abs(Math.round(offset / MINUTE));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
