import { DAY } from '../../kernel/clock.ts';
import { InvalidFields } from '../../kernel/errors.ts';

/** From the first moment to before the last, in Unix milliseconds: whole days, UTC, as everything that is counted by the day. */
export interface Period {
  start: number;
  end: number;
}

const MOST_DAYS = 366;

export interface PeriodRule {
  period: 'day' | 'week' | 'month' | 'custom';
  start_date: string | null;
  end_date: string | null;
}

/** What a report that is made now is about: the last whole day, week (from Monday) or month, or the chosen days, both included. */
export function periodOf({ period, start_date, end_date }: PeriodRule, now: number): Period {
  const today = now - (now % DAY);
  if (period === 'day') return { start: today - DAY, end: today };
  if (period === 'week') {
    const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY;
    return { start: monday - 7 * DAY, end: monday };
  }
  if (period === 'month') {
    const date = new Date(today);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { start: Date.UTC(year, month - 1, 1), end: Date.UTC(year, month, 1) };
  }
  return { start: Date.parse(start_date ?? ''), end: Date.parse(end_date ?? '') + DAY };
}

/** Throws INVALID_FIELD at what does not make a period. */
export function assertPeriod(rule: PeriodRule & { type: 'single' | 'periodic' }): void {
  if (rule.period !== 'custom') return;
  if (rule.type === 'periodic') throw new InvalidFields([{ source: 'period', message: 'Choose day, week or month.' }]);
  for (const source of ['start_date', 'end_date'] as const)
    if (rule[source] === null || Number.isNaN(Date.parse(rule[source])))
      throw new InvalidFields([{ source, message: 'Choose a day.', params: { key: 'forms.reports.no_day' } }]);
  const { start, end } = periodOf(rule, 0);
  if (start >= end || end - start > MOST_DAYS * DAY)
    throw new InvalidFields([
      {
        source: 'end_date',
        message: 'Choose an end after the beginning, at most a year later.',
        params: { key: 'forms.reports.no_period' },
      },
    ]);
}
