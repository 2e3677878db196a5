import latin from '@fontsource/noto-sans/unicode.json' with { type: 'json' };
import japanese from '@fontsource/noto-sans-jp/unicode.json' with { type: 'json' };
import { fileURLToPath } from 'node:url';

export type Weight = 400 | 700;

/** A part of a text whose characters are all in one piece of a font. */
export interface TextRun {
  /** As in `noto-sans-cyrillic`. */
  piece: string;
  text: string;
}

// Fonts come in small pieces by characters: only those that a text needs are read and embedded. The first font that has a character draws it.
const FAMILIES: readonly [name: string, ranges: Readonly<Record<string, string>>][] = [
  ['noto-sans', latin],
  ['noto-sans-jp', japanese],
];
const PLAIN = 'noto-sans-latin';
const UNKNOWN = '\uFFFD';

/** The code points of a range as style sheets write it: `U+0301` or `U+0400-045F`. */
function* pointsOf(range: string): Generator<number> {
  const [first = '', last = first] = range.trim().slice('U+'.length).split('-');
  for (let point = Number.parseInt(first, 16); point <= Number.parseInt(last, 16); point += 1) yield point;
}

/** Which pieces have a character, the one to prefer in front. */
function readPieces(): Map<number, string[]> {
  const pieces = new Map<number, string[]>();
  for (const [family, ranges] of FAMILIES) {
    // Latin is last in each.
    for (const [name, list] of Object.entries(ranges).toReversed()) {
      const piece = `${family}-${name.replace(/[[\]]/g, '')}`;
      for (const point of list.split(',').flatMap((range) => [...pointsOf(range)]))
        pieces.set(point, [...(pieces.get(point) ?? []), piece]);
    }
  }
  return pieces;
}

let known: Map<number, string[]> | undefined;

/**
 * A text as readers see it: in one line, without what steers the direction, is not seen or is half a character, and without piles of accents, which would cover
 * other lines.
 */
export function shownText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1');
}

/** Cuts a text into runs; a character that no font has is drawn as �. */
export function runsOf(text: string): TextRun[] {
  known ??= readPieces();
  const runs: TextRun[] = [];
  for (const character of shownText(text)) {
    const pieces = known.get(character.codePointAt(0) ?? 0);
    const last = runs.at(-1);
    const piece = (last && pieces?.includes(last.piece) ? last.piece : pieces?.[0]) ?? PLAIN;
    const drawn = pieces ? character : UNKNOWN;
    if (last?.piece === piece) last.text += drawn;
    else runs.push({ piece, text: drawn });
  }
  return runs;
}

/** The file of a piece. */
export function fileOf(piece: string, weight: Weight): string {
  const [family] = FAMILIES.map(([name]) => name)
    .filter((name) => piece.startsWith(`${name}-`))
    .toReversed();
  return fileURLToPath(import.meta.resolve(`@fontsource/${family}/files/${piece}-${weight}-normal.woff`));
}
