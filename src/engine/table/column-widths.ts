import type { CSSProperties } from 'react';
import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';
import type { ColumnSettings } from './column-settings.ts';

const LEAST_PX = 116;
// The name says which row it is, and a second line often stands below it.
const LEAST_PRIMARY_PX = 180;
const PRIMARY_SHARE = 1.4;

export interface ColumnLayout {
  /** CSS lengths, in the order of the columns. */
  widths: string[];
  /** All of them and `takenPx`. */
  total: string;
  /** Whether some of them take what is left. */
  isElastic: boolean;
}

/**
 * Widths of the columns in the container that their table scrolls in: those with one keep it, the others share what is left beside
 * `takenPx`, the primary column with the largest part unless they say otherwise; none gets less than it needs. In CSS, because measuring would draw the table twice.
 * `sized`: pixels that the user gave, by column.
 */
export function layOutColumns(columns: readonly ColumnEntry[], takenPx: number, sized: ColumnSettings['widths'] = {}): ColumnLayout {
  const fixed = (column: ColumnEntry) => sized[column.key] ?? column.width;
  const share = (column: ColumnEntry) => (fixed(column) !== undefined ? 0 : (column.share ?? (column.primary ? PRIMARY_SHARE : 1)));
  const shares = columns.reduce((sum, column) => sum + share(column), 0);
  const fixedPx = columns.reduce((sum, column) => sum + (fixed(column) ?? 0), takenPx);
  const widths = columns.map((column) => {
    const px = fixed(column);
    if (px !== undefined) return `${px}px`;
    return `max(${column.primary ? LEAST_PRIMARY_PX : LEAST_PX}px, round(down, (100cqi - ${fixedPx}px) * ${share(column)} / ${shares}, 1px))`;
  });
  return { widths, total: sumOf([`${takenPx}px`, ...widths]), isElastic: shares > 0 };
}

/** Where columns stay while the others scroll, as CSS for their cells: the pinned ones at their side, one beside the other, and the primary one always. */
export function pinStyles(
  columns: readonly ColumnEntry[],
  pinned: ColumnSettings['pinned'],
  widths: readonly string[],
  edges: { leftPx: number; rightPx: number },
): ReadonlyMap<string, CSSProperties> {
  const styles = new Map<string, CSSProperties>();
  const left = [`${edges.leftPx}px`];
  const right = [`${edges.rightPx}px`];
  for (const [index, column] of columns.entries()) {
    if (pinned[column.key] === 'right' || (pinned[column.key] === undefined && !column.primary)) continue;
    styles.set(column.key, { left: sumOf(left) });
    left.push(widths[index] ?? '0px');
  }
  for (const [index, column] of [...columns.entries()].toReversed()) {
    if (pinned[column.key] !== 'right') continue;
    styles.set(column.key, { left: 'auto', right: sumOf(right) });
    right.push(widths[index] ?? '0px');
  }
  return styles;
}

function sumOf(lengths: readonly string[]): string {
  return `calc(${lengths.join(' + ')})`;
}
