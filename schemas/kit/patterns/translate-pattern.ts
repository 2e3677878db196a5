import { PatternFault } from './pattern-fault.ts';

/** How many characters, classes and groups an expression may be of, each counted as often as it is repeated. */
export const MAX_PATTERN_SIZE = 1000;
export const MAX_PATTERN_LENGTH = 1000;

interface Reader {
  source: string;
  index: number;
  /** The expression of the other engine so far. */
  text: string;
  /** What each open group is of, the outermost first. */
  sizes: number[];
}

/** The members of `\s` in a class; the other engine's knows ASCII only. */
const SPACES = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NOT_SPACES =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const ANYTHING = '\\x{0}-\\x{10ffff}';
const ANY_OF_LINE = '[^\\n\\r\\x{2028}\\x{2029}]';

const ESCAPE =
  /\\(?:u\{([0-9a-f]+)\}|u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|x([0-9a-f]{2})|c([a-z])|([pP])\{([^}]*)\}|(k<[^>]*>|[1-9]\d*)|(.))/isuy;
const GROUP = /\((?:\?(?:(<?[=!])|:|<[^>]*>|([a-z-]*:)))?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
/** Of escapes by a letter: those that both engines read alike, and those that stand for a character. */
const SAME = new Set(['d', 'D', 'w', 'W', 't', 'n', 'v', 'f', 'r']);
// `Script=Greek`, `gc=Lu`
const PROPERTY = /^(?:(?:Script|sc|General_Category|gc)=)?(\w+)$/;

function take(reader: Reader, expression: RegExp): RegExpExecArray {
  expression.lastIndex = reader.index;
  const found = expression.exec(reader.source);
  if (!found) throw new PatternFault('syntax', reader.source.slice(reader.index, reader.index + 10));
  reader.index += found[0].length;
  return found;
}

const character = (code: number): string => `\\x{${code.toString(16)}}`;

function property(sign: string, name: string): string {
  const value = PROPERTY.exec(name)?.[1];
  if (value === undefined) throw new PatternFault('property', `\\${sign}{${name}}`);
  return `\\${sign}{${value}}`;
}

function escaped(reader: Reader, isInClass: boolean): string {
  const [whole, braced, high, low, unit, byte, control, sign, name, reference, letter = ''] = take(reader, ESCAPE);
  if (reference !== undefined) throw new PatternFault('back-reference', whole);
  if (sign !== undefined) return property(sign, name ?? '');
  if (high !== undefined && low !== undefined)
    return character(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0);
  const hex = braced ?? unit ?? byte;
  if (hex !== undefined) return character(Number.parseInt(hex, 16));
  if (control !== undefined) return character(control.charCodeAt(0) % 32);
  if (letter === 's') return isInClass ? SPACES : `[${SPACES}]`;
  if (letter === 'S') return isInClass ? NOT_SPACES : `[${NOT_SPACES}]`;
  if (letter === 'b') return isInClass ? character(8) : '\\b';
  if (letter === 'B') return '\\B';
  if (letter === '0') return character(0);
  return SAME.has(letter) ? whole : character(letter.codePointAt(0) ?? 0);
}

function literal(reader: Reader): string {
  const code = reader.source.codePointAt(reader.index) ?? 0;
  reader.index += code > 0xff_ff ? 2 : 1;
  return character(code);
}

function characterClass(reader: Reader): string {
  reader.index += 1;
  const isNegated = reader.source[reader.index] === '^';
  if (isNegated) reader.index += 1;
  const start = reader.index;
  let members = '';
  while (reader.source[reader.index] !== ']') {
    const next = reader.source[reader.index];
    const isRange = next === '-' && reader.index > start && reader.source[reader.index + 1] !== ']';
    if (next === '\\') members += escaped(reader, true);
    else if (isRange) {
      members += '-';
      reader.index += 1;
    } else members += literal(reader);
  }
  reader.index += 1;
  if (members === '') return isNegated ? `[${ANYTHING}]` : `[^${ANYTHING}]`;
  return `[${isNegated ? '^' : ''}${members}]`;
}

function grow({ sizes }: Reader, size: number): void {
  const grown = (sizes.pop() ?? 0) + size;
  if (grown > MAX_PATTERN_SIZE) throw new PatternFault('size');
  sizes.push(grown);
}

/** Adds something that matches, of a size, and how often it is repeated. */
function add(reader: Reader, text: string, size: number): void {
  reader.text += text;
  QUANTIFIER.lastIndex = reader.index;
  const [quantifier = '', sign, from = '1', comma = '', to = ''] = QUANTIFIER.exec(reader.source) ?? [];
  reader.index += quantifier.length;
  if (quantifier === '') return grow(reader, size);
  const times = sign === undefined ? Math.max(Number(from), Number(to)) : 1;
  grow(reader, size * times + 1);
  // Lazy or not makes no difference to whether something matches.
  reader.text += sign ?? `{${Number(from)}${comma}${to === '' ? '' : Number(to)}}`;
}

function open(reader: Reader): void {
  const [whole, lookAround, flags] = take(reader, GROUP);
  if (lookAround !== undefined) throw new PatternFault('look-around', whole);
  if (flags !== undefined) throw new PatternFault('flags', whole);
  reader.text += '(?:';
  reader.sizes.push(0);
}

function step(reader: Reader): void {
  const { source, index } = reader;
  switch (source[index]) {
    case '(':
      return open(reader);
    case ')':
      reader.index += 1;
      return add(reader, ')', (reader.sizes.pop() ?? 0) + 1);
    case '|':
      reader.index += 1;
      reader.text += '|';
      return grow(reader, 1);
    case '[':
      return add(reader, characterClass(reader), 1);
    case '\\':
      return add(reader, escaped(reader, false), 1);
    case '.':
      reader.index += 1;
      return add(reader, ANY_OF_LINE, 1);
    case '^':
    case '$':
      reader.index += 1;
      return add(reader, source[index] === '^' ? '\\A' : '\\z', 1);
    default:
      return add(reader, literal(reader), 1);
  }
}

/**
 * A regular expression as JavaScript reads it with the flag `u`, in the words of the engine without backtracking, for finding out whether something
 * matches. Throws `PatternFault` when it is none, is too large, or says what that engine cannot. Pure.
 */
export function translatePattern(source: string): { text: string; size: number } {
  if (source.length > MAX_PATTERN_LENGTH) throw new PatternFault('size');
  try {
    RegExp(source, 'u');
  } catch (error) {
    throw new PatternFault('syntax', error instanceof Error ? error.message : String(error));
  }
  const reader: Reader = { source, index: 0, text: '', sizes: [0] };
  while (reader.index < source.length) step(reader);
  return { text: reader.text, size: reader.sizes[0] ?? 0 };
}
