import { wireTime } from '../clock.ts';
import { csvLine, type CsvColumn } from './csv.ts';

// A row is read sooner as one JSON array than value by value, and most rows have nothing in them that a spreadsheet could take wrongly: their
// bytes are copied, in a third of the time. All others are read as JSON and written by `csvLine`, which is the rule.

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const ONE = 0x31;
const NINE = 0x39;
const END = 0x5d;
const NULL = 0x6e;
const NOT_ASCII = 0x80;
const CONTINUED = 0xc0;

/** Bytes that may stand anywhere inside a cell as they are. JSON writes control characters with a backslash. */
const isInside = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte >= 0x20 && !'",\\'.includes(String.fromCharCode(byte))));
/** Signs that begin a formula, or stand before one. */
const isSign = Uint8Array.from({ length: 256 }, (_, byte) => Number("'+-=@".includes(String.fromCharCode(byte))));

/** Whether the sign of several bytes that begins here may be white space or a full-width `=`, `+`, `-` or `@` (U+A0, U+1680, U+2000 …, U+3000, U+FEFF, U+FF0B …). */
function isDoubtful(bytes: Uint8Array, at: number): boolean {
  const lead = bytes[at] ?? 0;
  return lead === 0xc2 || lead === 0xe1 || lead === 0xe2 || lead === 0xef || (lead === 0xe3 && bytes[at + 1] === NOT_ASCII);
}

/** Whether a text that has only bytes of `isInside` needs neither quotes nor an apostrophe. */
function hasPlainEnds(bytes: Uint8Array, start: number, end: number): boolean {
  const [first, last] = [bytes[start] ?? 0, bytes[end - 1] ?? 0];
  if (first === 0x20 || last === 0x20 || isSign[first] === 1) return false;
  if (first >= NOT_ASCII && isDoubtful(bytes, start)) return false;
  if (last < NOT_ASCII) return true;
  let lead = end - 1;
  while (lead > start && (bytes[lead] ?? 0) < CONTINUED) lead -= 1;
  return !isDoubtful(bytes, lead);
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** Copies the values of one row; `at` moves on. Its methods answer where the next value is read, or -1 for a value that is not plain. */
class Copy {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #out: Buffer;

  constructor(bytes: Uint8Array, out: Buffer, at: number) {
    this.#bytes = bytes;
    this.#out = out;
    this.at = at;
  }

  put(byte: number): void {
    this.#out[this.at] = byte;
    this.at += 1;
  }

  text(from: number): number {
    const bytes = this.#bytes;
    const out = this.#out;
    if (bytes[from] !== QUOTE) return -1;
    const start = from + 1;
    let [read, at] = [start, this.at];
    for (let byte = bytes[read] ?? 0; isInside[byte] === 1; byte = bytes[read] ?? 0) {
      out[at] = byte;
      read += 1;
      at += 1;
    }
    if (bytes[read] !== QUOTE || (read > start && !hasPlainEnds(bytes, start, read))) return -1;
    this.at = at;
    return read + 1;
  }

  number(from: number): number {
    const bytes = this.#bytes;
    let read = from;
    for (let byte = bytes[read] ?? 0; isDigit(byte) || byte === MINUS || byte === POINT; byte = bytes[read] ?? 0) {
      this.put(byte);
      read += 1;
    }
    // `2.0` is 2.
    if (bytes[read - 2] === POINT && bytes[read - 1] === ZERO) this.at -= 2;
    return read;
  }

  time(from: number): number {
    const bytes = this.#bytes;
    let [read, millis] = [from, 0];
    for (let byte = bytes[read] ?? 0; isDigit(byte); byte = bytes[read] ?? 0) {
      millis = millis * 10 + byte - ZERO;
      read += 1;
    }
    if (read > from) this.at += this.#out.write(wireTime(millis), this.at, 'latin1');
    return read;
  }

  flag(from: number): number {
    this.at += this.#out.write(this.#bytes[from] === ONE ? 'true' : 'false', this.at, 'latin1');
    return isDigit(this.#bytes[from] ?? 0) ? from + 1 : -1;
  }
}

function copyValue(copy: Copy, kind: CsvColumn['kind'] | undefined, from: number): number {
  if (kind === 'number') return copy.number(from);
  if (kind === 'time') return copy.time(from);
  return kind === 'flag' ? copy.flag(from) : copy.text(from);
}

/** Where the line ends, or -1 for a row with a value that is not plain. */
function copyRow(bytes: Uint8Array, out: Buffer, start: number, columns: readonly CsvColumn[]): number {
  const copy = new Copy(bytes, out, start);
  let read = 1;
  for (let index = 0; index < columns.length; index += 1) {
    if (index > 0) copy.put(COMMA);
    if (bytes[read] === NULL) read += 4;
    else read = copyValue(copy, columns[index]?.kind, read);
    if (read === -1 || bytes[read] !== (index === columns.length - 1 ? END : COMMA)) return -1;
    read += 1;
  }
  copy.put(0x0d);
  copy.put(0x0a);
  return copy.at;
}

const MAX_BYTES_PER_CHAR = 3;
/** A time is longer than its milliseconds. */
const MORE_PER_COLUMN = 20;

/** Writes rows that are JSON arrays of the columns' values as lines of CSV, byte for byte as `csvLine` does. */
export function csvOfJson(columns: readonly CsvColumn[]): {
  room(json: string): number;
  write(json: string, out: Buffer, at: number): number;
} {
  let bytes = Buffer.alloc(4096);
  return {
    /** How many bytes a row takes at most. */
    room: (json) => json.length * MAX_BYTES_PER_CHAR + columns.length * MORE_PER_COLUMN,
    /** Writes at `at` and answers where the line ends. */
    write(json, out, at) {
      if (bytes.length <= json.length * MAX_BYTES_PER_CHAR) bytes = Buffer.alloc(json.length * MAX_BYTES_PER_CHAR * 2);
      bytes.write(json);
      const end = copyRow(bytes, out, at, columns);
      if (end !== -1) return end;
      // A column that is JSON itself stands in the row unquoted.
      const values = (JSON.parse(json) as unknown[]).map((value) =>
        typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
      );
      return at + out.write(csvLine(values, columns), at);
    },
  };
}
