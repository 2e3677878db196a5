import { expect, test } from 'vitest';
import { readPdf } from '../../../tests/helpers/pdf-text.ts';
import { drawPdf } from './draw.ts';

/** Names as hostile people and devices choose them, and what a reader sees of each. */
const NAMES: [name: string, shown: string][] = [
  ['bell\u0007 escape\u001b[31m null\u0000 tab\tline\r\nend', 'bell escape [31m null tab line end'],
  ['invoice\u202Efdp.exe\u202C \u2066x\u2069\u200B\uFEFF', 'invoicefdp.exe x'],
  [') Tj ET Q endstream endobj (', ') Tj ET Q endstream endobj ('],
  ['\\) \\( \\\\ \\053', '\\) \\( \\\\ \\053'],
  ['<</S /JavaScript /JS (app)>>', '<</S /JavaScript /JS (app)>>'],
  ['%PDF-1.7 %%EOF startxref 0', '%PDF-1.7 %%EOF startxref 0'],
  ['lone \uD800 and \uDFFF end', 'lone and end'],
  ['smile 😀 here', 'smile � here'],
  ['$& $1 {title}', '$& $1 {title}'],
  ['𠮷野家 Åsæter Київ', '𠮷野家 Åsæter Київ'],
];
const LONG = 'W'.repeat(5000);
const PILE = `a${'\u0301'.repeat(500)}`;

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The title in the description of a file: `\(` and `\\` are escapes, and FE FF begins UTF-16. */
function readTitle(file: string): string {
  const [, id = ''] = /\/Title (\d+) 0 R/.exec(file) ?? [];
  const [, packed = ''] = new RegExp(`\n${id} 0 obj\n\\(((?:\\\\[\\s\\S]|[^\\\\)])*)\\)`).exec(file) ?? [];
  const bytes = packed.replace(/\\([\s\S])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
  return bytes.startsWith('\u00FE\u00FF') ? Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le') : bytes;
}

const draw = (title: string, names: readonly string[]) =>
  drawPdf({
    language: 'en',
    title,
    subtitle: title,
    facts: names.map((name) => ({ label: name, value: '1' })),
    tables: [
      {
        title,
        columns: [
          { title: 'Name', share: 20 },
          { title: 'Narrow', share: 0.1, align: 'end' },
        ],
        rows: names.map((name) => [name, name]),
        empty: '',
        note: title,
      },
    ],
    footer: '{page}',
    madeAt: 0,
  });

test('hostile names make a PDF that programs read, with their text shown and nothing that steers the reader [HN14]', async () => {
  const file = await draw('Report', [...NAMES.map(([name]) => name), LONG, PILE]);
  const bytes = file.toString('latin1');
  // Each place of the table of objects is the beginning of that object, and the file ends with that table.
  const [, start = ''] = /startxref\n(\d+)\n%%EOF\n?$/.exec(bytes) ?? [];
  const places = [...bytes.slice(Number(start)).matchAll(/^(\d{10}) 00000 n/gm)].map(([, place]) => Number(place));
  expect(bytes.slice(Number(start), Number(start) + 4)).toBe('xref');
  expect(places.length).toBeGreaterThan(10);
  expect(places.map((place, index) => bytes.startsWith(`${index + 1} 0 obj`, place))).not.toContain(false);
  for (const [stream] of bytes.matchAll(/\/Length \d+[\s\S]*?>>\nstream\n/g)) {
    const end = bytes.indexOf(stream) + stream.length + Number(/\/Length (\d+)/.exec(stream)?.[1]);
    expect(bytes.slice(end, end + 10)).toBe('\nendstream');
  }
  const dictionaries = bytes.replaceAll(/\nstream\n[\s\S]*?\nendstream/g, '');
  expect(dictionaries.match(/\/(?:JavaScript|JS|OpenAction|AA|Launch|URI)\b/g)).toBeNull();
  const { text } = readPdf(file);
  const words = (shown: string) => shown.replaceAll(/\s+/g, '');
  for (const [, shown] of NAMES) expect(words(text)).toContain(words(shown));
  expect(text).toContain('WWWW…');
  expect(text).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069]/);
  // Of a pile of accents there are three.
  expect(words(text)).toMatch(/\p{M}{3}/u);
  expect(words(text)).not.toMatch(/\p{M}{4}/u);
});

test('the title of the file, which readers show in their window, has what is shown of the name and nothing else [HN14]', async () => {
  for (const [name, shown] of NAMES.slice(0, 4)) {
    const title = readTitle((await draw(name, [])).toString('latin1'));
    expect(title.replaceAll(/ +/g, ' ')).toBe(shown);
  }
});
