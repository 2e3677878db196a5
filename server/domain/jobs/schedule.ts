import { DAY, SECOND } from '../../kernel/clock.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import type { JobKind } from './types.ts';
import type { Schedule } from './types.ts';

/** The same in Unix milliseconds. */
export interface Times {
  startsAt: number | null;
  waitsUntil: number | null;
}

const MOST_AHEAD_MS = 90 * DAY;

/** When a job begins and until when it waits. Throws INVALID_FIELD for a time that is over or too far ahead, and for waiting where no device has to be online. */
export function readSchedule(schedule: Schedule | undefined, kind: JobKind, now: number): Times {
  const { starts_at: at, wait_seconds: wait } = schedule ?? {};
  const startsAt = at === undefined ? null : Date.parse(`${at.replace(' ', 'T')}Z`);
  if (startsAt !== null && !(startsAt > now && startsAt <= now + MOST_AHEAD_MS))
    throw new InvalidFields([{ source: 'starts_at', message: 'Choose a time in the next 90 days.' }]);
  if (wait !== undefined && kind.runs.on === 'server')
    throw new InvalidFields([{ source: 'wait_seconds', message: 'The server does this by itself; no device has to be online.' }]);
  return { startsAt, waitsUntil: wait === undefined ? null : (startsAt ?? now) + wait * SECOND };
}
