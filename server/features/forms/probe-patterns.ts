import { partsOf } from '../../../schemas/kit/form/schema-parts.ts';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';

type At = (string | number)[];

/** What one pattern may take on one text. A text of the longest length is checked within each call. */
const MAX_MS = 100;
const LONGEST_PROBE = 10_000;

function* patternsIn(schema: JsonSchema, at: At): Generator<{ pattern: string; longest: number; at: At }> {
  for (const { schema: part, at: place } of partsOf(schema, at)) {
    const longest = Math.min(part.maxLength ?? LONGEST_PROBE, LONGEST_PROBE);
    if (part.pattern !== undefined) yield { pattern: part.pattern, longest, at: [...place, 'pattern'] };
    for (const pattern of Object.keys(part.patternProperties ?? {}))
      yield { pattern, longest: LONGEST_PROBE, at: [...place, 'patternProperties', pattern] };
  }
}

/** Long texts of one character that nearly fit: what makes a pattern try every way to part them. */
function probesFor(pattern: string, longest: number): string[] {
  const characters = new Set(['a', '0', ' ', '-', '.', ...pattern.replaceAll(/\\.|[[\](){}|*+?^$]/g, '')].slice(0, 40));
  return [...characters].map((character) => `${character.repeat(Math.max(0, longest - 1))}\u0001`);
}

/**
 * Tries every pattern of a schema on long texts. `onStart` hears of each before it is tried: one that never comes back is the last it heard of, and
 * the thread has to be ended from outside. `onSlow` hears of one that took too long.
 */
export function probePatterns(schema: JsonSchema, at: At, onStart: (at: At) => void, onSlow: (at: At) => void): void {
  for (const { pattern, longest, at: place } of patternsIn(schema, at)) {
    onStart(place);
    const expression = new RegExp(pattern, 'u');
    const isSlow = probesFor(pattern, longest).some((text) => {
      const start = performance.now();
      expression.test(text);
      return performance.now() - start > MAX_MS;
    });
    if (isSlow) onSlow(place);
  }
}
