import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvHeader, csvLine, csvText } from './csv.ts';

describe('CSV cells', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '"=1', "'=1", '\uFF1D1', '  "  +x', '-2+3+cmd|" /C calc"!A0'])(
    'a text that a spreadsheet would run is neutralised: %j [IN3]',
    (text) => {
      const cell = csvText(text)
        .replace(/^"([\s\S]*)"$/, '$1')
        .replaceAll('""', '"');
      expect(cell).toBe(`'${text}`);
    },
  );

  test('a text read back by the documented rule is the text that was written [IN3]', () => {
    const readBack = (cell: string): string => {
      const text = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
      return /^'(?:[\s"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/.test(text) ? text.slice(1) : text;
    };
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => readBack(csvText(text)) === text));
  });

  test('numbers keep their sign, times are written as on the wire, nothing is written for what is not known', () => {
    const columns = [
      { header: 'signal', kind: 'number' },
      { header: 'created_at', kind: 'time' },
      { header: 'is_simulated', kind: 'flag' },
      { header: 'imei', kind: 'text' },
    ] as const;
    expect(csvHeader(columns)).toBe('signal,created_at (UTC),is_simulated,imei\r\n');
    expect(csvLine([-75, Date.UTC(2026, 10, 21, 3, 4, 5), 1, null], columns)).toBe('-75,2026-11-21 03:04:05,true,\r\n');
  });

  test('quotes, commas and line breaks stay inside their cell', () => {
    expect(csvText('a "b", c\r\nd')).toBe('"a ""b"", c\r\nd"');
  });
});
