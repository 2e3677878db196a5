import { inflateSync } from 'node:zlib';

/** An object of a PDF file: its dictionary as text, and its stream unpacked. */
interface PdfObject {
  dictionary: string;
  stream: string;
}

function readObjects(file: Buffer): Map<string, PdfObject> {
  const text = file.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const found of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, id = '', body = ''] = found;
    const [dictionary = '', packed] = body.split('stream\n');
    const bytes = Buffer.from(packed?.replace(/\nendstream$/, '') ?? '', 'latin1');
    objects.set(id, { dictionary, stream: dictionary.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : '' });
  }
  return objects;
}

// `<d842 dfb7>` is one character in two halves.
const signsOf = (hex: string): string => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');

/** What each glyph of a font stands for, by its number in four hex digits. */
function readGlyphs(map: string): Map<string, string> {
  const glyphs = new Map<string, string>();
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g))
    for (const [offset, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries())
      glyphs.set((Number.parseInt(first, 16) + offset).toString(16).padStart(4, '0'), signsOf(hex));
  return glyphs;
}

/** The texts of a PDF file that was made here, one a line, the names of the fonts in it, and how many pages it has. */
export function readPdf(file: Buffer): { text: string; fonts: string[]; pages: number } {
  const objects = readObjects(file);
  const fonts = new Map<string, Map<string, string>>();
  for (const { dictionary } of objects.values()) {
    const list = /\/Font <<\n?([^>]*)>>/.exec(dictionary)?.[1] ?? '';
    for (const [, name = '', id = ''] of list.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.dictionary ?? '')?.[1];
      fonts.set(name, readGlyphs(objects.get(map ?? '')?.stream ?? ''));
    }
  }
  const lines: string[] = [];
  for (const { stream } of objects.values()) {
    let glyphs: Map<string, string> | undefined;
    for (const [, font, shown = ''] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font !== undefined) glyphs = fonts.get(font);
      else lines.push([...shown.matchAll(/[0-9a-f]{4}/g)].map(([glyph]) => glyphs?.get(glyph) ?? '').join(''));
    }
  }
  const names = [...objects.values()].flatMap(({ dictionary }) => /\/FontName \/[A-Z]+\+(\S+)/.exec(dictionary)?.[1] ?? []);
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\b/.test(dictionary)).length;
  return { text: lines.join('\n'), fonts: names, pages };
}
