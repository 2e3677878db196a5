import { compilePattern } from '../../../schemas/kit/patterns/compile-pattern.ts';
import { PatternFault } from '../../../schemas/kit/patterns/pattern-fault.ts';
import { conditionsOf } from './branches.ts';
import type { Branch } from './types.ts';

/** Why an expression cannot be used; undefined for one that can. */
export function faultOfPattern(source: string): PatternFault | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    if (error instanceof PatternFault) return error;
    throw error;
  }
}

const patternsOf = (branches: readonly Branch[]): string[] =>
  conditionsOf(branches).flatMap(({ operator, value = '' }) => (operator === 'matches' ? [value] : []));

/** What the expressions of a rule cost together for each character that they are tried on. Throws `PatternFault`. */
export const costOfPatterns = (branches: readonly Branch[]): number =>
  patternsOf(branches).reduce((sum, source) => sum + compilePattern(source).size, 0);

/** The first expression of a rule that cannot be used, with why. */
export function unreadablePattern(branches: readonly Branch[]): { source: string; fault: PatternFault } | undefined {
  for (const source of patternsOf(branches)) {
    const fault = faultOfPattern(source);
    if (fault) return { source, fault };
  }
  return undefined;
}
