/**
 * Why a regular expression cannot be used. syntax: it is none; look-around: `(?=…)` and the like; back-reference: `\1`; flags: `(?i:…)`; property:
 * `\p{…}` of a name that the engine does not know; size: it is too long, or repeats too much.
 */
export type PatternReason = 'syntax' | 'look-around' | 'back-reference' | 'flags' | 'property' | 'size';

/** Said in English; `detail` is the part of the expression, or what the engine says. */
const SENTENCES: Record<PatternReason, (detail: string) => string> = {
  syntax: (detail) => `This is no regular expression: ${detail}.`,
  'look-around': (detail) => `An expression cannot look ahead or behind: "${detail}". Write what is matched itself.`,
  'back-reference': (detail) => `An expression cannot refer back to a group: "${detail}".`,
  flags: (detail) => `An expression cannot change its flags: "${detail}". Name both cases, as in [Aa].`,
  property: (detail) =>
    `The property ${detail} of characters is not known. Use a short name such as \\p{L}, or a script such as \\p{Greek}.`,
  size: () => 'This expression is too large: it is too long, or repeats too much. Bound the length of a text by `maxLength` instead.',
};

/** A regular expression that cannot be used. */
export class PatternFault extends Error {
  override name = 'PatternFault';
  readonly reason: PatternReason;
  constructor(reason: PatternReason, detail = '') {
    super(SENTENCES[reason](detail));
    this.reason = reason;
  }
}
