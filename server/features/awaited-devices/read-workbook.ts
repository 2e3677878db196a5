import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import type { Entry, ZipFile } from 'yauzl';
import { NotATable } from '../../kernel/read-separated.ts';

/** What a packed part may be unpacked: a workbook of 10,000 lines needs a few megabytes, a zip bomb gigabytes. */
const MAX_PART_BYTES = 64 * 1024 * 1024;
const MAX_STRINGS = 200_000;
const MAX_COLUMNS = 100;

const STRINGS = 'xl/sharedStrings.xml';
const SHEET = /^xl\/worksheets\/sheet\d+\.xml$/;

async function openZip(content: Buffer): Promise<ZipFile> {
  const { fromBuffer } = await import('yauzl');
  return new Promise((resolve, reject) => {
    fromBuffer(content, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

function listEntries(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      if (entry.fileName === STRINGS || SHEET.test(entry.fileName)) entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', reject);
    zip.readEntry();
  });
}

function streamOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}

/** Parses a part as it is unpacked; `false` from `parse` ends it early. */
async function parsePart(zip: ZipFile, entry: Entry, prepare: (parser: SaxesParser) => () => boolean): Promise<void> {
  const parser = new SaxesParser();
  let failure: Error | undefined;
  parser.on('error', (error) => (failure ??= error));
  // Entities of its own would be a way to make much of little.
  parser.on('doctype', () => (failure ??= new Error('a document type')));
  const isWanted = prepare(parser);
  let bytes = 0;
  for await (const chunk of (await streamOf(zip, entry)).setEncoding('utf8')) {
    const text = String(chunk);
    bytes += text.length;
    if (bytes > MAX_PART_BYTES) throw new Error('too large');
    parser.write(text);
    if (failure) throw failure;
    if (!isWanted()) return;
  }
}

async function readStrings(zip: ZipFile, entry: Entry | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (!entry) return strings;
  await parsePart(zip, entry, (parser) => {
    let isText = false;
    parser.on('opentag', ({ name }) => {
      if (name === 'si') strings.push('');
      isText = name === 't';
    });
    parser.on('text', (text) => {
      if (isText && strings.length > 0) strings[strings.length - 1] += text;
    });
    parser.on('closetag', () => (isText = false));
    return () => strings.length < MAX_STRINGS;
  });
  return strings;
}

/** `AB12` → 27. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

async function readCells(zip: ZipFile, entry: Entry, strings: readonly string[], most: number): Promise<string[][]> {
  const rows: string[][] = [];
  await parsePart(zip, entry, (parser) => {
    let kind = '';
    let place = 0;
    let isValue = false;
    let text = '';
    parser.on('opentag', ({ name, attributes }) => {
      if (name === 'row') rows.push([]);
      if (name === 'c') {
        kind = String(attributes['t'] ?? '');
        place = columnOf(String(attributes['r'] ?? ''));
        text = '';
      }
      isValue = name === 'v' || name === 't';
    });
    parser.on('text', (part) => {
      if (isValue) text += part;
    });
    parser.on('closetag', ({ name }) => {
      isValue = false;
      const row = rows.at(-1);
      if (name !== 'c' || !row || place >= MAX_COLUMNS) return;
      while (row.length < place) row.push('');
      row[place] = kind === 's' ? (strings[Number(text)] ?? '') : text;
    });
    return () => rows.length <= most + 1;
  });
  return rows;
}

/** The cells of the first sheet of an Excel workbook as texts, at most `most` rows and one more. Throws NOT_A_TABLE at `file`. */
export async function readWorkbook(content: Buffer, most: number): Promise<string[][]> {
  try {
    const zip = await openZip(content);
    const entries = await listEntries(zip);
    const strings = await readStrings(
      zip,
      entries.find(({ fileName }) => fileName === STRINGS),
    );
    const [sheet] = entries
      .filter(({ fileName }) => fileName !== STRINGS)
      .toSorted((a, b) => a.fileName.localeCompare(b.fileName, 'en', { numeric: true }));
    if (!sheet) throw new Error('no sheet');
    return await readCells(zip, sheet, strings, most);
  } catch {
    throw new NotATable({}, { source: 'file' });
  }
}
