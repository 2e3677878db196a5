import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';

const LEAST_PX = 116;
// The name says which row it is, and a second line often stands below it.
const LEAST_PRIMARY_PX = 180;
const PRIMARY_SHARE = 1.4;

export interface ColumnLayout {
  /** Pixels, in the order of the columns. */
  widths: number[];
  total: number;
}

/** Widths in pixels: those with one keep it, the others share the rest of `space`, the primary column with the largest part; none gets less than it needs. */
export function layOutColumns(columns: readonly ColumnEntry[], space: number): ColumnLayout {
  const share = (column: ColumnEntry) => (column.width !== undefined ? 0 : column.primary ? PRIMARY_SHARE : 1);
  const shares = columns.reduce((sum, column) => sum + share(column), 0);
  const rest = Math.max(0, space - columns.reduce((sum, column) => sum + (column.width ?? 0), 0));
  const widths = columns.map(
    (column) => column.width ?? Math.max(column.primary ? LEAST_PRIMARY_PX : LEAST_PX, Math.floor((rest * share(column)) / shares)),
  );
  return { widths, total: widths.reduce((sum, width) => sum + width, 0) };
}
