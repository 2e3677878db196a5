import type { ColumnSizingState } from '@tanstack/react-table';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';

const LEAST_PX = 116;
// The name says which row it is, and often has a second line.
const LEAST_PRIMARY_PX = 180;
const PRIMARY_SHARE = 1.4;

/**
 * Pixels of each column in a table that has `availablePx` for them: those that were sized by hand (`sized`) or have a width keep it, the others share
 * what is left, the primary column with the largest part unless they say otherwise; none gets less than it needs, and the table then scrolls sideways.
 */
export function layOutColumns(columns: readonly ColumnEntry[], availablePx: number, sized: ColumnSizingState): ColumnSizingState {
  const fixedOf = (column: ColumnEntry) => sized[column.key] ?? column.width;
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
