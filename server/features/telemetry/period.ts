import { DAY } from '../../kernel/clock.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { Type, type Static } from '../../kernel/type.ts';

/** 2026-03-01 or 2026-03-01 12:30:00 */
export const moment = Type.Optional(
  Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])( ([01]\\d|2[0-3])(:[0-5]\\d){2})?$' }),
);

/** `start_date` and `end_date` in UTC; a day alone is included. */
export const periodQuery = { start_date: moment, end_date: moment };
export type PeriodQuery = Static<ReturnType<typeof periodSchema>>;
const periodSchema = () => Type.Object(periodQuery);

/** From the first moment to before the last, in Unix milliseconds. */
export interface Period {
  start: number;
  end: number;
}

/** The moment that a text of this form means, in Unix milliseconds; of a day alone its beginning. */
export const momentOf = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`);

/** The period that a call asks for; default: the last `defaultMs`. Throws INVALID_FIELD for one that ends before it begins. */
export function periodOf(now: number, { start_date, end_date }: PeriodQuery, defaultMs = DAY): Period {
  const end = end_date === undefined ? now : momentOf(end_date) + (end_date.length === 10 ? DAY : 0);
  const start = start_date === undefined ? end - defaultMs : momentOf(start_date);
  if (!(start < end)) throw new InvalidFields([{ source: 'end_date', message: 'Choose an end after the beginning.' }]);
  return { start, end };
}
