/** A part of a pattern: one character of a set, or a group of alternatives, so many times. */
interface Part {
  min: number;
  max: number;
  /** The quantifier as it is written. */
  text: string;
  chars?: ReadonlySet<string>;
  alternatives?: Part[][];
}

interface Reader {
  pattern: string;
  index: number;
}

/** More repetitions than this count as "as many as one likes". */
const WIDE = 30;
/** More repetitions of something ambiguous than this take too long: each may double the time. */
const MOST_AMBIGUOUS = 10;
/** The most ways in which optional parts may share a text. */
const MOST_WAYS = 100_000;
/** The most steps that a text may cost. */
const MOST_STEPS = 10_000_000;

/** What stands for all characters when two sets are compared. */
const SAMPLE = [...Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)), 'é', 'あ', '😀', '\u2028'];

const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;
const GROUP_START = /\((?:\?(?:<?[=!]|:|<[^>]*>))?/y;
const ATOM = /\\(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|./suy;
const WITHOUT_WIDTH = new Set(['^', '$', '\\b', '\\B']);

function take(reader: Reader, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reader.index;
  const found = expression.exec(reader.pattern) ?? undefined;
  reader.index += found?.[0].length ?? 0;
  return found;
}

function readQuantifier(reader: Reader): Pick<Part, 'min' | 'max' | 'text'> {
  const [text = '', from, comma, to] = take(reader, QUANTIFIER) ?? [];
  if (text === '') return { min: 1, max: 1, text };
  if (from !== undefined) return { min: Number(from), max: comma ? (to ? Number(to) : Infinity) : Number(from), text };
  return { min: text.startsWith('+') ? 1 : 0, max: text.startsWith('?') ? 1 : Infinity, text };
}

function charsOf(atom: string): ReadonlySet<string> {
  const expression = new RegExp(`^(?:${atom})$`, 'u');
  return new Set(SAMPLE.filter((character) => expression.test(character)));
}

function readAlternatives(reader: Reader): Part[][] {
  const alternatives: Part[][] = [[]];
  while (reader.index < reader.pattern.length) {
    const next = reader.pattern[reader.index];
    if (next === ')') break;
    if (next === '|') {
      alternatives.push([]);
      reader.index += 1;
    } else if (take(reader, GROUP_START)) {
      const inner = readAlternatives(reader);
      reader.index += 1;
      alternatives.at(-1)?.push({ alternatives: inner, ...readQuantifier(reader) });
    } else {
      const [atom = ''] = take(reader, ATOM) ?? [];
      if (!WITHOUT_WIDTH.has(atom)) alternatives.at(-1)?.push({ chars: charsOf(atom), ...readQuantifier(reader) });
    }
  }
  return alternatives;
}

function meet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((character) => other.has(character));
}

const isWide = ({ min, max }: Part): boolean => max > WIDE && max > min;

function isAnywhere(parts: readonly Part[], holds: (part: Part) => boolean): boolean {
  return parts.some((part) => holds(part) || (part.alternatives ?? []).some((inner) => isAnywhere(inner, holds)));
}

/** The parts one after the other without groups; what need not be passed has `min` 0, a group that repeats widely is one part. */
function flatten(parts: readonly Part[], isOptional = false): (Part & { chars: ReadonlySet<string> })[] {
  return parts.flatMap((part) => {
    const { chars, alternatives = [] } = part;
    const min = isOptional ? 0 : part.min;
    if (chars) return [{ ...part, chars, min }];
    const inner = alternatives.flatMap((one) => flatten(one, min === 0 || alternatives.length > 1));
    if (part.max <= WIDE) return inner;
    return [{ ...part, min, chars: new Set(inner.flatMap(({ chars: more }) => [...more])) }];
  });
}

/** The characters that an alternative can begin with; all when it can be empty. */
function startOf(parts: readonly Part[]): ReadonlySet<string> {
  const atoms = flatten(parts);
  const end = atoms.findIndex(({ min }) => min > 0);
  return end === -1 ? new Set(SAMPLE) : new Set(atoms.slice(0, end + 1).flatMap(({ chars }) => [...chars]));
}

/** Whether one text can be cut into repetitions of a group in several ways. */
function isAmbiguous(alternatives: readonly Part[][]): boolean {
  const starts = alternatives.map(startOf);
  if (starts.some((start, index) => starts.slice(0, index).some((other) => meet(start, other)))) return true;
  return alternatives.some((parts) => {
    const atoms = flatten(parts);
    if (atoms.every(({ min }) => min === 0)) return true;
    return atoms.some(({ chars, min, max }, index) => {
      if (max === min) return false;
      const following = [...atoms.slice(index + 1), ...atoms];
      const end = following.findIndex((atom) => atom.min > 0);
      return following.slice(0, end + 1).some((atom) => meet(atom.chars, chars));
    });
  });
}

function findGroupRisk(parts: readonly Part[]): string | undefined {
  for (const { alternatives, max, text } of parts) {
    if (!alternatives) continue;
    if (max > 1 && alternatives.some((inner) => isAnywhere(inner, isWide)))
      return `the repetition ${text} repeats a group that repeats something itself`;
    if (max > MOST_AMBIGUOUS && isAmbiguous(alternatives)) return `the repetition ${text} repeats alternatives that begin alike`;
    const inside = alternatives.map(findGroupRisk).find((risk) => risk !== undefined);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** In how many ways parts that need not be there, or not as often, can share the same text. */
function waysOf(parts: readonly Part[]): number {
  const loose = flatten(parts).filter((part) => part.max > part.min && !isWide(part));
  const shared = loose.filter((part) => loose.some((other) => other !== part && meet(other.chars, part.chars)));
  return shared.reduce((ways, { min, max }) => ways * (max - min + 1), 1);
}

/** How many wide repetitions can share the same stretch of text: a text of n characters costs up to n to the power of that. */
function powerOf(parts: readonly Part[], isAnchored: boolean): number {
  const anywhere: Part & { chars: ReadonlySet<string> } = { min: 0, max: Infinity, text: '', chars: new Set(SAMPLE) };
  const atoms = [...(isAnchored ? [] : [anywhere]), ...flatten(parts)];
  const powers = atoms.map(() => 0);
  atoms.forEach((atom, index) => {
    if (!isWide(atom)) return;
    let best = 1;
    for (let before = index - 1; before >= 0; before -= 1) {
      const other = atoms[before];
      if (!other || !isWide(other) || !meet(other.chars, atom.chars)) continue;
      const isOpen = atoms.slice(before + 1, index).every(({ min, chars }) => min === 0 || meet(chars, other.chars));
      if (isOpen) best = Math.max(best, 1 + (powers[before] ?? 0));
    }
    powers[index] = best;
  });
  return Math.max(1, ...powers);
}

/** The longest text that a pattern can be tried on within bounds; `Infinity` when its time grows with the length alone. */
export function longestSafeText(pattern: string): number {
  const alternatives = readAlternatives({ pattern, index: 0 });
  const isAnchored = pattern.startsWith('^') && alternatives.length === 1;
  const power = Math.max(...alternatives.map((parts) => powerOf(parts, isAnchored)));
  return power === 1 ? Infinity : Math.floor(MOST_STEPS ** (1 / power));
}

/**
 * Why a regular expression could take very long on a hostile text of up to `maxLength` characters, or `undefined` when it looks safe: repetition
 * inside repetition (`(a+)+`), repetition of what can be cut in several ways (`(a|ab)*`), back references, and repetitions that share
 * the same text when it can be long (`\s+$` anywhere in it). Strict rather than clever; such patterns can be written otherwise.
 */
export function findRisk(pattern: string, maxLength = 0): string | undefined {
  const reference = /^(?:[^\\]|\\[^1-9k])*(\\(?:[1-9]|k<))/su.exec(pattern)?.[1];
  if (reference !== undefined) return `${reference} refers back to a group`;
  const alternatives = readAlternatives({ pattern, index: 0 });
  const risk = alternatives.map(findGroupRisk).find((found) => found !== undefined);
  if (risk !== undefined) return risk;
  if (alternatives.some((parts) => waysOf(parts) > MOST_WAYS)) return 'too many of its parts can be left out';
  const longest = longestSafeText(pattern);
  return maxLength > longest
    ? `its repetitions can share the same text, so \`maxLength\` may be at most ${longest}; anchoring it with ^ may help`
    : undefined;
}
