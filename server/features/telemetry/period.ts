import { DAY } from '../../kernel/clock.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { moment, momentAfter, momentOf } from '../../kernel/moments.ts';
import { Type, type Static } from '../../kernel/type.ts';

/** `start_date` and `end_date` in UTC; a day alone is included. */
export const periodQuery = { start_date: moment, end_date: moment };
export type PeriodQuery = Static<ReturnType<typeof periodSchema>>;
const periodSchema = () => Type.Object(periodQuery);

/** From the first moment to before the last, in Unix milliseconds. */
export interface Period {
  start: number;
  end: number;
}

/** The period that a call asks for; default: the last `defaultMs`. Throws INVALID_FIELD for one that ends before it begins. */
export function periodOf(now: number, { start_date, end_date }: PeriodQuery, defaultMs = DAY): Period {
  const end = end_date === undefined ? now : momentAfter(end_date);
  const start = start_date === undefined ? end - defaultMs : momentOf(start_date);
  if (!(start < end)) throw new InvalidFields([{ source: 'end_date', message: 'Choose an end after the beginning.' }]);
  return { start, end };
}
