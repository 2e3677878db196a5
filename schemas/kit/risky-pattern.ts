interface Group {
  /** Something inside repeats without a bound. */
  repeats: boolean;
  /** First characters of the alternatives, to see whether two can begin alike. */
  starts: string[];
  atStart: boolean;
}

// Matches `*`, `+`, `{3,}` and `{2,200}` with its numbers, at the place where it stands.
const QUANTIFIER = /(?:[*+]|\{\d+(?:,\d*)?\})\??/y;

function repeatsWidely(quantifier: string): boolean {
  if (quantifier.startsWith('*') || quantifier.startsWith('+')) return true;
  const [, from = '0', comma, to = ''] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
  return comma !== undefined && comma !== '' ? to === '' || Number(to) > 30 : Number(from) > 30;
}

/** One character, escape or class of a pattern, from `index`. */
function atomAt(pattern: string, index: number): string {
  if (pattern[index] === '\\') return /^\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|.)/su.exec(pattern.slice(index))?.[0] ?? '\\';
  if (pattern[index] !== '[') return pattern[index] ?? '';
  return /^\[(?:\\.|[^\]\\])*\]/s.exec(pattern.slice(index))?.[0] ?? '[';
}

function beginAlike(starts: readonly string[]): boolean {
  const wide = /^(?:\.|\[|\\[a-zA-Z])/;
  return starts.some((one, index) =>
    starts.some((other, otherIndex) => otherIndex < index && (one === other || wide.test(one) || wide.test(other))),
  );
}

/**
 * Why a regular expression could take exponential time on a hostile text, or `undefined` when it looks safe: repetition inside repetition
 * (`(a+)+`), repeated alternatives that begin alike (`(a|ab)*`), and back references. Strict rather than clever; such patterns can be written otherwise.
 */
export function findRisk(pattern: string): string | undefined {
  const open: Group[] = [{ repeats: false, starts: [], atStart: true }];
  let closed: Group | undefined;
  let index = 0;
  while (index < pattern.length) {
    const group = open.at(-1);
    if (!group) return undefined;
    QUANTIFIER.lastIndex = index;
    const quantifier = QUANTIFIER.exec(pattern)?.[0];
    if (quantifier) {
      const wide = repeatsWidely(quantifier);
      if (wide && closed?.repeats) return `the repetition ${quantifier} repeats a group that repeats something itself`;
      if (wide && closed && closed.starts.length > 1 && beginAlike(closed.starts))
        return `the repetition ${quantifier} repeats alternatives that begin alike`;
      group.repeats ||= wide || (closed?.repeats ?? false);
      closed = undefined;
      index += quantifier.length;
      continue;
    }
    if (closed?.repeats) group.repeats = true;
    closed = undefined;
    const character = pattern[index] ?? '';
    if (character === '(') {
      if (group.atStart) group.starts.push('(');
      group.atStart = false;
      open.push({ repeats: false, starts: [], atStart: true });
      index += /^\((?:\?(?:<?[=!]|:|<[^>]*>))?/.exec(pattern.slice(index))?.[0].length ?? 1;
    } else if (character === ')') {
      closed = open.pop();
      index += 1;
    } else if (character === '|') {
      group.atStart = true;
      index += 1;
    } else {
      const atom = atomAt(pattern, index);
      if (/^\\(?:[1-9]|k<)/.test(atom)) return `${atom} refers back to a group`;
      if (group.atStart) group.starts.push(atom);
      group.atStart = false;
      index += Math.max(1, atom.length);
    }
  }
  return undefined;
}
