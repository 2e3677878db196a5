import { DAY, SECOND } from './clock.ts';
import { Type } from './type.ts';

const MOMENT = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])( ([01]\\d|2[0-3])(:[0-5]\\d){2})?$';
const expression = new RegExp(MOMENT);

/** A query parameter: `2026-03-01` or `2026-03-01 12:30:00`, in UTC. */
export const moment = Type.Optional(Type.String({ pattern: MOMENT }));

/** Whether a text is a day or a time of it, as the wire writes them. */
export function isMoment(text: string): boolean {
  return expression.test(text) && !Number.isNaN(momentOf(text));
}

/** The moment that a text of this form means, in Unix milliseconds; of a day alone its beginning. */
export function momentOf(text: string): number {
  return Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`);
}

/** The first moment (unix ms) after the day or the second that a text means, so that what is asked for "until" it includes it. */
export function momentAfter(text: string): number {
  return momentOf(text) + (text.length === 10 ? DAY : SECOND);
}
