/** How files of separated values are read, on both sides: their encoding, their separator, their headings and numbers that a spreadsheet has spoilt. */

const UTF_16LE_MARK = [0xff, 0xfe] as const;
const UTF_16BE_MARK = [0xfe, 0xff] as const;

const startsWith = (bytes: Uint8Array, mark: readonly number[]): boolean => mark.every((byte, index) => bytes[index] === byte);

export type DecodedText = { text: string } | { fault: 'binary' | 'encoding' };

/**
 * The text of a file: UTF-8, or UTF-16 with its byte order mark. Any other encoding is a fault and not a guess: Windows-1252, Windows-1251 and Shift-JIS
 * give a text for the same bytes, and all but one of them are wrong.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = startsWith(bytes, UTF_16LE_MARK) ? 'utf-16le' : startsWith(bytes, UTF_16BE_MARK) ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? { fault: 'binary' } : { text };
  } catch {
    return { fault: bytes.includes(0) ? 'binary' : 'encoding' };
  }
}

/** The first of those that tie. */
const SEPARATORS = ['\t', ',', ';', '|'] as const;
const SAMPLE_LINES = 20;

/** How often a separator is in a line, outside quotes. */
function countIn(line: string, separator: string): number {
  return line.replaceAll(/"[^"]*"/g, '').split(separator).length - 1;
}

/** The separator of a text: the one in most of its first lines, then the one that is in each of them as often. `1106433012,ferry;north` is separated by commas. */
export function separatorOf(text: string): string {
  const lines = text
    .slice(0, 100_000)
    .split(/\r?\n|\r/, SAMPLE_LINES)
    .filter((line) => line.trim() !== '');
  const judged = SEPARATORS.map((separator) => {
    const counts = lines.map((line) => countIn(line, separator)).filter((count) => count > 0);
    return { separator, lines: counts.length, isEven: new Set(counts).size === 1 };
  });
  const [best] = judged.toSorted((a, b) => b.lines - a.lines || Number(b.isEven) - Number(a.isEven));
  return best && best.lines > 0 ? best.separator : ',';
}

/** The columns by which imports know a device, and what they may say of it. */
export type SheetColumn = 'serial' | 'mac' | 'imei' | 'name' | 'device_series' | 'password_confirmation';

/** What people call the columns in the console's languages, without spaces, punctuation and case. */
const HEADINGS: Readonly<Record<SheetColumn, readonly string[]>> = {
  serial: [
    'serial',
    'serialnumber',
    'serialno',
    'sn',
    'serienummer',
    'serienr',
    'シリアル',
    'シリアル番号',
    '製造番号',
    'серійнийномер',
    'серійний',
  ],
  mac: ['mac', 'macaddress', 'lanmac', 'macadresse', 'lanmacadresse', 'macアドレス', 'macадреса'],
  imei: ['imei', 'imeinumber', 'imeinummer', 'imei番号', 'imeiномер', 'номерimei'],
  name: ['name', 'devicename', 'navn', 'enhetsnavn', '名前', '名称', 'デバイス名', '機器名', 'назва', 'імя', 'назвапристрою'],
  device_series: ['series', 'deviceseries', 'serie', 'enhetsserie', 'シリーズ', 'デバイスシリーズ', 'серія', 'серіяпристрою'],
  password_confirmation: ['password', 'passwordconfirmation', 'passord', 'bekreftpassord', 'パスワード', 'пароль', 'підтвердженняпароля'],
};

const plainHeading = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
const COLUMNS = new Map(Object.entries(HEADINGS).flatMap(([column, words]) => words.map((word) => [plainHeading(word), column] as const)));

/** The column that a heading names, in any of the console's languages. */
export function sheetColumnOf(heading: string): SheetColumn | undefined {
  const column = COLUMNS.get(plainHeading(heading));
  return SHEET_COLUMNS.find((known) => known === column);
}
const SHEET_COLUMNS: readonly SheetColumn[] = ['serial', 'mac', 'imei', 'name', 'device_series', 'password_confirmation'];

// `3.56938E+14`, `1,10643E+09`
const ROUNDED = /^\d(?:[.,]\d+)?E\+\d{1,3}$/i;

/** Whether a spreadsheet has put a long number into scientific notation, by which its last digits are lost. */
export function isRoundedNumber(text: string): boolean {
  return ROUNDED.test(text.trim());
}

/** A number as it is meant: spreadsheets keep an apostrophe before those that are texts. */
export function withoutApostrophe(text: string): string {
  return text.trim().replace(/^['’](?=[\p{L}\p{N}])/u, '');
}
