import type { Row } from '../../db/schema.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { aheadOfUtc, momentOfClock } from '../../../schemas/kit/time/wall-clock.ts';

type Schedule = Pick<Row<'on_call_schedules'>, 'user_ids' | 'shift_days' | 'starts_on' | 'handover_hour' | 'timezone'>;

export interface Shift {
  userId: number;
  /** Who follows, and is asked when the first one does not answer; the same person where there is only one. */
  nextUserId: number;
  /** Everybody in the schedule. */
  userIds: number[];
  /** When the next one takes over. */
  until: number;
}

/**
 * Whose turn it is: the people follow each other in their order, each for so many days, from the hour of handover on by the clock of the schedule's zone.
 * Before the first day it is the first one's turn.
 */
export function shiftAt(schedule: Schedule, at: number): Shift | undefined {
  const userIds = JSON.parse(schedule.user_ids) as number[];
  if (userIds.length === 0) return undefined;
  const { shift_days: days, handover_hour: hour, timezone, starts_on: startsOn } = schedule;
  const today = Math.floor((at + aheadOfUtc(timezone, at) - hour * HOUR) / DAY);
  const first = Math.floor(Date.parse(startsOn) / DAY);
  const turn = Math.max(0, Math.floor((today - first) / days));
  const personAt = (index: number): number => userIds[index % userIds.length] ?? 0;
  const until = momentOfClock(timezone, (first + (turn + 1) * days) * DAY + hour * HOUR);
  return { userId: personAt(turn), nextUserId: personAt(turn + 1), userIds, until };
}
