import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';

const LEAST_PX = 116;
// The name says which row it is, and a second line often stands below it.
const LEAST_PRIMARY_PX = 180;
const PRIMARY_SHARE = 1.4;

export interface ColumnLayout {
  /** CSS lengths, in the order of the columns. */
  widths: string[];
  /** All of them and `takenPx`. */
  total: string;
}

/**
 * Widths of the columns in the container that their table scrolls in: those with one keep it, the others share what is left beside
 * `takenPx`, the primary column with the largest part; none gets less than it needs. In CSS, because measuring would draw the table twice.
 */
export function layOutColumns(columns: readonly ColumnEntry[], takenPx: number): ColumnLayout {
  const share = (column: ColumnEntry) => (column.width !== undefined ? 0 : column.primary ? PRIMARY_SHARE : 1);
  const shares = columns.reduce((sum, column) => sum + share(column), 0);
  const fixedPx = columns.reduce((sum, column) => sum + (column.width ?? 0), takenPx);
  const widths = columns.map((column) =>
    column.width === undefined
      ? `max(${column.primary ? LEAST_PRIMARY_PX : LEAST_PX}px, round(down, (100cqi - ${fixedPx}px) * ${share(column)} / ${shares}, 1px))`
      : `${column.width}px`,
  );
  return { widths, total: `calc(${[`${takenPx}px`, ...widths].join(' + ')})` };
}
