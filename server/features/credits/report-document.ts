import { creditTypeTexts } from '../../../schemas/kit/resources/credit-type-texts.ts';
import type { Language } from '../../kernel/language.ts';
import type { PdfColumn, PdfDocument, PdfTable } from '../../kernel/pdf/types.ts';
import texts from './report-texts.json' with { type: 'json' };
import { MOST_ROWS, type UsageReport } from './report.ts';

const GIGABYTE = 1024 ** 3;

function fill(text: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((filled, [name, word]) => filled.replaceAll(`{${name}}`, () => word), text);
}

/** The usage report as it is printed, in a language. Times are in UTC, as everything that is counted by the day. */
export function usageDocument(report: UsageReport, language: Language, madeAt: number): PdfDocument {
  const t = texts[language];
  const names = creditTypeTexts[language];
  const number = new Intl.NumberFormat(language);
  const gigabytes = new Intl.NumberFormat(language, { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 0 });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const dayOf = (text: string | null): string => (text === null ? '' : day.format(Date.parse(text)));
  const dayOfMoment = (text: string | null): string => dayOf(text?.slice(0, 10) ?? null);
  const period = { start: dayOfMoment(report.start_date), end: dayOfMoment(report.end_date) };
  const periodText = report.start_date ? (report.end_date ? t.period : t.since) : report.end_date ? t.until : t.always;
  const poolText = ({ pool }: UsageReport): string | undefined =>
    pool
      ? fill(pool.expire_at === null ? t.pool : t.poolUntil, {
          type: names[`${pool.credit_type === 'free' ? 'free_' : ''}${pool.credit_type_name}` as keyof typeof names],
          left: number.format(pool.credit_left),
          count: number.format(pool.credit_count),
          end: dayOf(pool.expire_at?.slice(0, 10) ?? null),
        })
      : undefined;
  const end = (title: string, share: number): PdfColumn => ({ title, share, align: 'end' });
  const table = (title: string, columns: readonly PdfColumn[], rows: readonly (readonly string[])[]): PdfTable => ({
    ...{ title, columns, rows: rows.slice(0, MOST_ROWS), empty: t.nothing },
    ...(rows.length < MOST_ROWS ? {} : { note: fill(t.most, { count: number.format(MOST_ROWS) }) }),
  });
  const { totals } = report;
  return {
    language,
    title: fill(t.title, { company: report.company_name }),
    subtitle: poolText(report) ?? fill(periodText, period),
    facts: [
      { label: t.moved, value: number.format(totals.child_company_credits) },
      { label: t.devices, value: number.format(totals.credits_for_devices) },
      { label: t.codes, value: number.format(totals.transfer_codes_credits) },
      { label: t.data, value: number.format(totals.data_purchase) },
    ],
    tables: [
      table(
        t.moved,
        [{ title: t.company, share: 4 }, end(t.credits, 1)],
        report.child_pools.map((row) => [row.company_name, number.format(Number(row.count))]),
      ),
      table(
        t.devices,
        [
          { title: t.time, share: 5 },
          { title: t.serial, share: 4 },
          { title: t.mac, share: 4.5 },
          { title: t.action, share: 5 },
          { title: t.by, share: 5 },
        ],
        report.pool_logs.map((row) => [
          row.created_at ?? '',
          row.device_serial ?? '',
          row.device_mac ?? '',
          row.action in t.actions ? t.actions[row.action as keyof typeof t.actions] : row.action,
          row.username === '' ? t.server : row.username,
        ]),
      ),
      table(
        t.codes,
        [
          { title: t.time, share: 5 },
          { title: t.code, share: 2.5 },
          { title: t.state, share: 4 },
          { title: t.comment, share: 8 },
          end(t.credits, 3),
        ],
        report.transfer_codes.map((row) => [
          row.created_at ?? '',
          `…${row.code_hint}`,
          row.is_used ? t.used : t.unused,
          row.comment,
          number.format(row.amount),
        ]),
      ),
      table(
        t.data,
        [{ title: t.time, share: 5 }, { title: t.by, share: 8 }, end(t.amount, 4), end(t.credits, 3)],
        report.data_purchase.map((row) => [
          row.created_at ?? '',
          row.username,
          gigabytes.format(row.bytes_purchased / GIGABYTE),
          number.format(Number(row.credits_used)),
        ]),
      ),
    ],
    footer: fill(t.footer, { date: new Date(madeAt).toISOString().slice(0, 16).replace('T', ' ') }),
    madeAt,
  };
}
