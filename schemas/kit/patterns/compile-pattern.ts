import { RE2JS, RE2JSSyntaxException } from 're2js';
import { PatternFault } from './pattern-fault.ts';
import { translatePattern } from './translate-pattern.ts';

/** A regular expression whose time grows with the length of the text alone. */
export interface LinearPattern {
  /** Whether it is found anywhere in a text. */
  test(text: string): boolean;
  /** What a text costs for each of its characters. */
  size: number;
}

/** As the expressions of a large installation; one takes some kilobytes. */
const MAX_CACHED = 500;
/** By expression, the one that was not used for the longest time first. */
const cache = new Map<string, LinearPattern | PatternFault>();

function build(source: string): LinearPattern | PatternFault {
  try {
    const { text, size } = translatePattern(source);
    const engine = RE2JS.compile(text);
    // `engine.test` would keep up to 8 MB of states for each expression.
    return { test: (tried) => engine.matcher(tried).find(), size };
  } catch (error) {
    if (error instanceof PatternFault) return error;
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const [property] = /\\[pP]\{[^}]*\}/.exec(source) ?? [];
    const isProperty = property !== undefined && error.error === 'invalid character class range';
    return isProperty ? new PatternFault('property', error.input ?? property) : new PatternFault('size');
  }
}

/**
 * A regular expression that a person wrote, read as JavaScript reads it with the flag `u`, on an engine without backtracking. Throws `PatternFault`, which
 * says why, when it cannot be used.
 */
export function compilePattern(source: string): LinearPattern {
  const pattern = cache.get(source) ?? build(source);
  cache.delete(source);
  cache.set(source, pattern);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  if (pattern instanceof PatternFault) throw pattern;
  return pattern;
}

/** The expression; one that matches nothing where it cannot be used, as an older version may have kept it. */
export function storedPattern(source: string): LinearPattern {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternFault) return { test: () => false, size: 0 };
    throw error;
  }
}
