/** One position of a mask: a character that is there by itself, or what may be typed there. */
type MaskSlot = { literal: string } | { accepts: RegExp; toCase?: 'upper' | 'lower' };

/** The tokens of docs/behaviour.md section 5. */
const TOKENS: Readonly<Record<string, MaskSlot & { example: string }>> = {
  '#': { accepts: /^[\d ]$/, example: '0' },
  '*': { accepts: /^[0-9a-z]$/i, example: 'x' },
  S: { accepts: /^[a-z]$/i, example: 'a' },
  F: { accepts: /^[0-9a-f]$/i, toCase: 'upper', example: 'F' },
  A: { accepts: /^[a-z]$/i, toCase: 'upper', example: 'A' },
  a: { accepts: /^[a-z]$/i, toCase: 'lower', example: 'a' },
};

/** What people write between groups; accepted for the separator that the mask has there. */
const SEPARATOR = /^[\s:./_-]$/;

export interface Masked {
  /** The whole text: shaped as far as it fits, then the rest as it was typed. */
  text: string;
  /** What does not fit, from the first such character on; empty when all fits. */
  rest: string;
  /** Every place of the mask is filled. */
  isComplete: boolean;
}

const parsed = new Map<string, MaskSlot[]>();

function placesOf(mask: string): MaskSlot[] {
  let places = parsed.get(mask);
  if (!places) {
    // `!` takes the next character as it is: `!A` is the letter A.
    places = [...mask.matchAll(/!(.)|(.)/gsu)].map(([, escaped, character = '']) =>
      escaped === undefined && Object.hasOwn(TOKENS, character)
        ? (TOKENS[character] ?? { literal: character })
        : { literal: escaped ?? character },
    );
    parsed.set(mask, places);
  }
  return places;
}

function isSeparator(character: string): boolean {
  return SEPARATOR.test(character);
}

/** Where `character` goes from place `at` on, and what is written for it: `undefined` when it fits nowhere. Literals passed on the way are written too. */
function step(places: readonly MaskSlot[], at: number, character: string): { written: string; next: number } | undefined {
  let passed = '';
  for (let index = at; index < places.length; index += 1) {
    const place = places[index];
    if (!place) return undefined;
    if ('literal' in place) {
      const standsIn = index === at && isSeparator(character) && isSeparator(place.literal);
      if (place.literal === character || standsIn) return { written: passed + place.literal, next: index + 1 };
      passed += place.literal;
      continue;
    }
    if (!place.accepts.test(character)) return undefined;
    const cased = place.toCase === 'upper' ? character.toUpperCase() : place.toCase === 'lower' ? character.toLowerCase() : character;
    return { written: passed + cased, next: index + 1 };
  }
  return undefined;
}

/**
 * Shapes a text by a mask, such as `aabb.ccdd` by `FF:FF:FF:FF` → `AA:BB:CC:DD`. Tokens: `#` digit or space, `*` alphanumeric, `S` letter,
 * `F` hex digit (uppercased), `A` letter uppercased, `a` letter lowercased, `!` takes the next character as it is; all else is literal.
 * Nothing vanishes: from the first character that does not fit, the text stays as it was typed, in `rest`. Typing it key by key, pasting it,
 * and shaping it twice give the same.
 */
export function applyMask(mask: string, text: string): Masked {
  const places = placesOf(mask);
  const characters = [...text];
  let shaped = '';
  let at = 0;
  for (let index = 0; index < characters.length; index += 1) {
    const found = step(places, at, characters[index] ?? '');
    if (!found) {
      const rest = characters.slice(index).join('');
      return { text: shaped + rest, rest, isComplete: false };
    }
    shaped += found.written;
    at = found.next;
  }
  return { text: shaped, rest: '', isComplete: places.slice(at).every((place) => 'literal' in place) };
}

/** How a text of this mask looks: `FF:FF` for `FF:FF`, `+00 00` for `+## ##`. */
export function maskExample(mask: string): string {
  return [...mask.matchAll(/!(.)|(.)/gsu)]
    .map(([, escaped, character = '']) => escaped ?? (Object.hasOwn(TOKENS, character) ? TOKENS[character]?.example : character))
    .join('');
}

/** Where the caret belongs after shaping: behind what was before it. `caret` counts UTF-16 units, as inputs do. */
export function maskCaret(mask: string, text: string, caret: number): number {
  return applyMask(mask, text.slice(0, caret)).text.length;
}
