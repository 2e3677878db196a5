import type { ColumnOrderState, ColumnPinningState, ColumnSizingState, ColumnVisibilityState } from '@tanstack/react-table';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';

/** How high rows are, from low to high. */
export const DENSITIES = ['compact', 'middle', 'comfortable'] as const;
export type Density = (typeof DENSITIES)[number];

/** Where a column stays while the others scroll sideways. */
export type Side = 'left' | 'right';

/** What a column that was sized by hand may be, in pixels. */
export const LEAST_WIDTH_PX = 60;
export const MOST_WIDTH_PX = 800;

/** What a user has changed about a list's columns; kept on the server under `table.<resource>`. */
export interface ColumnSettings {
  /** Keys in the user's order; unknown ones are ignored, missing ones follow where the entry puts them. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** Optional columns that the user chose to see. */
  readonly shown: readonly string[];
  /** Columns that stay at a side. */
  readonly pinned: Readonly<Record<string, Side>>;
  /** Pixels of the columns that were sized by hand; the others share what is left. */
  readonly widths: Readonly<Record<string, number>>;
  readonly density: Density;
}
export const DEFAULT_COLUMN_SETTINGS: ColumnSettings = { order: [], hidden: [], shown: [], pinned: {}, widths: {}, density: 'middle' };

/** The same in the state that TanStack Table works on. `columnSizing` holds the columns that were sized by hand. */
export interface ColumnState {
  columnOrder: ColumnOrderState;
  columnVisibility: ColumnVisibilityState;
  columnPinning: ColumnPinningState;
  columnSizing: ColumnSizingState;
}

/** Reads stored settings. Whatever does not fit is dropped, so that an older or foreign value never breaks a list. */
export function readColumnSettings(stored: unknown): ColumnSettings {
  if (typeof stored !== 'object' || stored === null) return DEFAULT_COLUMN_SETTINGS;
  const value = new Map<string, unknown>(Object.entries(stored));
  const keys = (name: string): string[] => {
    const list = value.get(name);
    return Array.isArray(list) ? [...new Set(list.filter((key): key is string => typeof key === 'string'))] : [];
  };
  return {
    order: keys('order'),
    hidden: keys('hidden'),
    shown: keys('shown'),
    pinned: readEntries(value.get('pinned'), (side) => (side === 'left' || side === 'right' ? side : undefined)),
    widths: readEntries(value.get('widths'), (px) => (typeof px === 'number' && Number.isFinite(px) ? keepInside(px) : undefined)),
    density: DENSITIES.find((density) => density === value.get('density')) ?? DEFAULT_COLUMN_SETTINGS.density,
  };
}

function readEntries<V>(stored: unknown, read: (value: unknown) => V | undefined): Record<string, V> {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored).flatMap(([key, value]) => {
      const fit = read(value);
      return fit === undefined ? [] : [[key, fit] as const];
    }),
  );
}

function keepInside(px: number): number {
  return Math.max(LEAST_WIDTH_PX, Math.min(MOST_WIDTH_PX, Math.round(px)));
}

/** The table's state for these columns as the user wants them. The primary column is always visible: it holds the row's link. */
export function columnStateOf(columns: readonly ColumnEntry[], settings: ColumnSettings): ColumnState {
  const order = orderColumns(columns, settings.order).map((column) => column.key);
  const isVisible = (column: ColumnEntry): boolean =>
    column.primary === true || (column.optional ? settings.shown.includes(column.key) : !settings.hidden.includes(column.key));
  return {
    columnOrder: order,
    columnVisibility: Object.fromEntries(columns.map((column) => [column.key, isVisible(column)])),
    columnPinning: {
      start: order.filter((key) => settings.pinned[key] === 'left'),
      end: order.filter((key) => settings.pinned[key] === 'right'),
    },
    columnSizing: { ...settings.widths },
  };
}

function orderColumns(columns: readonly ColumnEntry[], order: readonly string[]): ColumnEntry[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const ordered = order.flatMap((key) => byKey.get(key) ?? []);
  // A column that came with an update follows its neighbour in the entry, instead of being the very last.
  for (const [index, column] of columns.entries()) {
    if (ordered.includes(column)) continue;
    const before = columns[index - 1];
    ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column);
  }
  return ordered;
}

/** The settings with what the table changed. Columns that are not in `columns`, such as those the user may not see now, keep theirs. */
export function withColumnState(
  columns: readonly ColumnEntry[],
  settings: ColumnSettings,
  { columnOrder, columnVisibility, columnPinning, columnSizing }: Partial<ColumnState>,
): ColumnSettings {
  const keys = new Set(columns.map((column) => column.key));
  const others = <V>(record: Readonly<Record<string, V>>) => Object.entries(record).filter(([key]) => !keys.has(key));
  const chosen = (isOptional: boolean, isVisible: boolean): string[] =>
    columns
      .filter((column) => (column.optional ?? false) === isOptional && !column.primary && columnVisibility?.[column.key] === isVisible)
      .map((column) => column.key);
  return {
    ...settings,
    ...(columnOrder && { order: columnOrder }),
    ...(columnVisibility && {
      hidden: [...settings.hidden.filter((key) => !keys.has(key)), ...chosen(false, false)],
      shown: [...settings.shown.filter((key) => !keys.has(key)), ...chosen(true, true)],
    }),
    ...(columnPinning && {
      pinned: Object.fromEntries([
        ...others(settings.pinned),
        ...columnPinning.start.map((key) => [key, 'left'] as const),
        ...columnPinning.end.map((key) => [key, 'right'] as const),
      ]),
    }),
    ...(columnSizing && {
      widths: Object.fromEntries([
        ...others(settings.widths),
        ...Object.entries(columnSizing).map(([key, px]) => [key, keepInside(px)] as const),
      ]),
    }),
  };
}

/** The order with one column at another place; `to` counts from 0 in `shown`, which is the order on screen, and stays among the columns pinned alike. */
export function moveColumn(shown: readonly string[], pinning: ColumnPinningState, key: string, to: number): string[] {
  const sideOf = (other: string) => (pinning.start.includes(other) ? 'start' : pinning.end.includes(other) ? 'end' : 'center');
  const order = [...shown];
  const from = order.indexOf(key);
  if (from === -1) return order;
  const alike = order.filter((other) => sideOf(other) === sideOf(key));
  const first = order.indexOf(alike[0] ?? key);
  order.splice(from, 1);
  order.splice(Math.max(first, Math.min(to, first + alike.length - 1)), 0, key);
  return order;
}
