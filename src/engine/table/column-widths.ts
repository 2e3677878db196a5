import type { ColumnSizingState } from '@tanstack/react-table';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';

const LEAST_PX = 116;
// The name says which row it is, and often has a second line.
const LEAST_PRIMARY_PX = 180;
const PRIMARY_SHARE = 1.4;

// Of a heading at 12 px, half bold: what surrounds its words, and a character of the widest common letters, of Latin and Cyrillic, and of East Asian scripts.
const AROUND_PX = 22;
const SORT_PX = 20;
const LETTER_PX = 7.8;
const FULL_WIDTH_PX = 12.5;
const MOST_PX = 190;

/** Pixels in which the longest word of a heading is not broken. Words of East Asian scripts may break anywhere but in a run of katakana. */
export function headingPx(label: string, isSortable: boolean): number {
  const words = label
    .split(/[\s/-]+/)
    .flatMap((word) =>
      /\p{Script=Han}|\p{Script=Hiragana}/u.test(word) ? (word.match(/\p{Script=Katakana}[\p{Script=Katakana}ー]*/gu) ?? []) : [word],
    );
  const widths = words.map((word) =>
    [...word].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 0x2e80 ? FULL_WIDTH_PX : LETTER_PX), 0),
  );
  return Math.min(MOST_PX, Math.ceil(Math.max(0, ...widths) + AROUND_PX + (isSortable ? SORT_PX : 0)));
}

/**
 * Pixels of each column in a table that has `availablePx` for them: those that were sized by hand (`sized`) or have a width keep it, the others share
 * what is left, the primary column with the largest part unless they say otherwise; none gets less than it needs, and the table then scrolls sideways. `leastOf`: what its heading needs, in
 * pixels; only a width that was set by hand may be less.
 */
export function layOutColumns(
  columns: readonly ColumnEntry[],
  availablePx: number,
  sized: ColumnSizingState,
  leastOf: (column: ColumnEntry) => number = () => 0,
): ColumnSizingState {
  const fixedOf = (column: ColumnEntry) =>
    sized[column.key] ?? (column.width === undefined ? undefined : Math.max(column.width, leastOf(column)));
  const shareOf = (column: ColumnEntry) => (fixedOf(column) !== undefined ? 0 : (column.share ?? (column.primary ? PRIMARY_SHARE : 1)));
  const shares = columns.reduce((sum, column) => sum + shareOf(column), 0);
  const elasticPx = columns.reduce((left, column) => left - (fixedOf(column) ?? 0), availablePx);
  return Object.fromEntries(
    columns.map((column) => [
      column.key,
      fixedOf(column) ?? Math.max(column.primary ? LEAST_PRIMARY_PX : LEAST_PX, Math.floor((elasticPx * shareOf(column)) / shares)),
    ]),
  );
}

/** The columns that a user sized: those sized before and those that are `next` otherwise than they were laid out; one that is missing in `next` was reset. */
export function sizedByHand(next: ColumnSizingState, laidOut: ColumnSizingState, sized: ColumnSizingState): ColumnSizingState {
  return Object.fromEntries(Object.entries(next).filter(([key, px]) => key in sized || laidOut[key] !== px));
}
