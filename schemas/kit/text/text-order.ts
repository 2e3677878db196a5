/**
 * How texts that people read are found and put in order: one rule for the server, both of its databases and the console. PostgreSQL has the same two
 * functions in SQL (`fold_text` and `sort_key`, in `server/db/migrations/003-text-order`); a test holds them equal.
 */

// `ap-10`: nothing to fold but upper case
const ASCII = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]+/g;
/** Letters that no Unicode decomposition reduces, as people type them who do not have them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
};
const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/** Upper case first: `ß` is `SS` only there. */
const foldCase = (text: string): string => text.toUpperCase().toLowerCase();

/** A text as search compares it: without differences of case, width, accents and composition. `Ålesund` → `alesund`, `STRASSE` and `Straße` → `strasse`, `ｷｬﾉﾋﾟｰ` → `キャノピー`. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return foldCase(text.normalize('NFKD'))
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFKC');
}

/**
 * Letters with a place of their own in an alphabet: the Norwegian ones after z (`{` is the character after it), the Ukrainian ones after the letter before
 * them (`ӿ` is the last Cyrillic letter). Katakana are read as hiragana below.
 */
const PLACES: Readonly<Record<string, string>> = {
  æ: '{',
  ä: '{',
  ø: '|',
  ö: '|',
  å: '}',
  ґ: 'гӿ',
  є: 'еӿ',
  ё: 'еӿӿ',
  і: 'иӿ',
  ї: 'иӿӿ',
  й: 'иӿӿӿ',
};
const PLACED_LETTER = new RegExp(`[${Object.keys(PLACES).join('')}]`, 'g');
const KATAKANA = /[\u30a1-\u30f6]/g;
const KATAKANA_TO_HIRAGANA = 0x60;
const toHiragana = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - KATAKANA_TO_HIRAGANA);

const DIGITS = /\d+/g;
/** As long as the longest number of a SIM card. */
const NUMBER_WIDTH = 20;
/** The database's indexes take no longer ones. */
const MAX_KEY = 300;

/** A number as a text that is in order among others: `2` → `00000000000000000002`. */
const padNumber = (digits: string): string => digits.replace(/^0+(?=\d)/, '').padStart(NUMBER_WIDTH, '0');

/** The key by which a text is in order, compared by code points: numbers by their value, accents and case ignored, letters as in the alphabets of the console's languages. */
export function sortKey(text: string): string {
  const placed = ASCII.test(text)
    ? text
    : foldCase(text.normalize('NFKC'))
        .normalize('NFKC')
        .replace(PLACED_LETTER, (letter) => PLACES[letter] ?? letter);
  const key = foldText(placed).replace(KATAKANA, toHiragana).replace(DIGITS, padNumber);
  return key.length > MAX_KEY ? [...key].slice(0, MAX_KEY).join('') : key;
}

/** Orders texts as lists do; equal keys by their characters, so that the order never depends on where one begins. */
export function compareTexts(left: string, right: string): number {
  const [leftKey, rightKey] = [sortKey(left), sortKey(right)];
  if (leftKey !== rightKey) return leftKey < rightKey ? -1 : 1;
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Whether a text has a term somewhere, as search compares them. */
export function includesText(text: string, term: string): boolean {
  return foldText(text).includes(foldText(term));
}
