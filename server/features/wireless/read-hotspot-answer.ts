import { wireTime } from '../../kernel/clock.ts';

/** An account of a hotspot as its device keeps it; passwords stay there. */
export interface KnownAccount {
  name: string;
  /** 0: no limit. */
  minutes: number;
  megabytes: number;
  ends_at: string | null;
  /** First sign-in; the minutes count from then. */
  first_at: string | null;
}

/** Somebody who is signed in. */
export interface KnownSession {
  name: string;
  mac: string;
  ip: string;
  started_at: string | null;
  received: number;
  sent: number;
}

const MOST_ACCOUNTS = 1000;
const MOST_SESSIONS = 500;
const MOST_CHARACTERS = 64;
const MAX_SECONDS = 10_000_000_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function textIn(record: Record<string, unknown>, name: string, pattern = /^[ -~]*$/): string {
  const value = record[name];
  return typeof value === 'string' && value.length <= MOST_CHARACTERS && pattern.test(value) ? value : '';
}

function numberIn(record: Record<string, unknown>, name: string): number {
  const value = record[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function timeIn(record: Record<string, unknown>, name: string): string | null {
  const seconds = numberIn(record, name);
  return seconds > 0 && seconds < MAX_SECONDS ? wireTime(seconds * 1000) : null;
}

function accountOf(given: unknown): KnownAccount[] {
  if (!isRecord(given)) return [];
  const name = textIn(given, 'name', /^[!-~]+$/);
  if (name === '') return [];
  const [ends_at, first_at] = [timeIn(given, 'ends_at'), timeIn(given, 'first_at')];
  return [{ name, minutes: numberIn(given, 'minutes'), megabytes: numberIn(given, 'megabytes'), ends_at, first_at }];
}

function sessionOf(given: unknown): KnownSession[] {
  if (!isRecord(given)) return [];
  const mac = textIn(given, 'mac', /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i).toUpperCase();
  if (mac === '') return [];
  return [
    {
      name: textIn(given, 'name'),
      mac,
      ip: textIn(given, 'ip', /^[0-9a-f.:]+$/i),
      started_at: timeIn(given, 'started_at'),
      received: numberIn(given, 'rx_bytes'),
      sent: numberIn(given, 'tx_bytes'),
    },
  ];
}

/** What a device says of its hotspot, items that cannot be read left out; undefined when it is no such answer. */
export function readHotspotAnswer(output: string): { accounts: KnownAccount[]; sessions: KnownSession[] } | undefined {
  try {
    const answer: unknown = JSON.parse(output);
    if (!isRecord(answer) || !Array.isArray(answer['accounts']) || !Array.isArray(answer['sessions'])) return undefined;
    return {
      accounts: answer['accounts'].slice(0, MOST_ACCOUNTS).flatMap(accountOf),
      sessions: answer['sessions'].slice(0, MOST_SESSIONS).flatMap(sessionOf),
    };
  } catch {
    return undefined;
  }
}
