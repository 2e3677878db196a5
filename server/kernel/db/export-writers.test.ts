import { describe, expect, test } from 'vitest';
import type { CsvColumn } from './csv.ts';
import { tableWriter, type ExportOptions } from './export-writers.ts';

const columns: CsvColumn[] = [
  { header: 'name', kind: 'text' },
  { header: 'signal', kind: 'number' },
  { header: 'seen_at', kind: 'time' },
  { header: 'is_new', kind: 'flag' },
];
const SUMMER = Date.UTC(2026, 6, 1, 22, 30, 0);
const WINTER = Date.UTC(2026, 11, 1, 23, 30, 0);

function write(options: ExportOptions, ...rows: unknown[][]): string {
  const writer = tableWriter(columns, options);
  return writer.head() + rows.map((row) => writer.row(row)).join('') + writer.foot();
}

describe('a table as a file [T10]', () => {
  test('times are shown as in the zone, each with the offset that counted then', () => {
    const text = write({ timezone: 'Europe/Oslo' }, ['a', -75, SUMMER, 1], ['b', null, WINTER, 0], ['c', 1, null, 0]);
    expect(text.split('\r\n')).toEqual([
      'name,signal,seen_at (Europe/Oslo),seen_at (UTC offset),is_new',
      'a,-75,2026-07-02 00:30:00,+02:00,true',
      'b,,2026-12-02 00:30:00,+01:00,false',
      'c,1,,,false',
      '',
    ]);
    expect(write({ timezone: 'Asia/Kolkata' }, ['a', 1, SUMMER, 1])).toContain('2026-07-02 04:00:00,+05:30');
    expect(write({ timezone: 'America/New_York' }, ['a', 1, SUMMER, 1])).toContain('2026-07-01 18:30:00,-04:00');
  });

  test('JSON has values of their kind, and is JSON with no rows too', () => {
    const options = { format: 'json', timezone: 'Europe/Oslo' } as const;
    expect(JSON.parse(write(options, ['=1+1', -75, SUMMER, 1], ['b', null, null, 0]))).toEqual([
      { name: '=1+1', signal: -75, seen_at: '2026-07-02T00:30:00+02:00', is_new: true },
      { name: 'b', signal: null, seen_at: null, is_new: false },
    ]);
    expect(JSON.parse(write({ format: 'json' }))).toEqual([]);
    expect(JSON.parse(write({ format: 'json' }, ['a', 1, SUMMER, 1]))[0].seen_at).toBe('2026-07-01T22:30:00Z');
  });

  test('a sheet has texts as texts, whatever is in them, and times as times [IN3]', () => {
    const sheet = write({ format: 'xlsx', timezone: 'Europe/Oslo' }, ['=1+1 <&>\u0000', -75, SUMMER, 1]);
    expect(cellsOf(sheet, 0)).toEqual(['name', 'signal', 'seen_at (Europe/Oslo)', 'seen_at (UTC offset)', 'is_new']);
    expect(cellsOf(sheet, 1)).toEqual([
      '=1+1 &lt;&amp;&gt;\uFFFD',
      '-75',
      String((SUMMER + 7_200_000) / 86_400_000 + 25_569),
      '+02:00',
      '1',
    ]);
    expect(sheet).not.toContain('<f>');
  });
});

/** The cells of one row of a sheet, as they are written. */
function cellsOf(sheet: string, row: number): string[] {
  const rows = [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map((match) => match[1] ?? '');
  return [...(rows[row] ?? '').matchAll(/<c[^>]*>(?:<is><t[^>]*>|<v>)(.*?)(?:<\/t><\/is>|<\/v>)<\/c>/gs)].map((match) => match[1] ?? '');
}
