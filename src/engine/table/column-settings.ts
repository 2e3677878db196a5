import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';

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

export interface ColumnChoice {
  readonly column: ColumnEntry;
  readonly visible: boolean;
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

/**
 * All columns as they stand from left to right, with whether each is visible: those pinned left, the others in the user's order, those pinned right.
 * The primary column is always visible: it holds the row's link.
 */
export function chooseColumns(columns: readonly ColumnEntry[], settings: ColumnSettings): ColumnChoice[] {
  return orderColumns(columns, settings).map((column) => ({
    column,
    visible: column.primary === true || (column.optional ? settings.shown.includes(column.key) : !settings.hidden.includes(column.key)),
  }));
}

function orderColumns(columns: readonly ColumnEntry[], { order, pinned }: ColumnSettings): ColumnEntry[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const ordered = order.flatMap((key) => byKey.get(key) ?? []);
  // A column that came with an update stands behind the one it follows in the entry, instead of at the very end.
  for (const [index, column] of columns.entries()) {
    if (ordered.includes(column)) continue;
    const before = columns[index - 1];
    ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column);
  }
  const at = (side: Side | undefined) => ordered.filter((column) => pinned[column.key] === side);
  return [...at('left'), ...at(undefined), ...at('right')];
}

/** Shows or hides one column. */
export function toggleColumn(settings: ColumnSettings, column: ColumnEntry, visible: boolean): ColumnSettings {
  const without = (list: readonly string[]) => list.filter((key) => key !== column.key);
  return {
    ...settings,
    hidden: visible || column.optional ? without(settings.hidden) : [...without(settings.hidden), column.key],
    shown: visible && column.optional ? [...without(settings.shown), column.key] : without(settings.shown),
  };
}

/** Moves a column to another place; `to` counts from 0 and is kept among the columns that are pinned alike. */
export function moveColumn(settings: ColumnSettings, columns: readonly ColumnEntry[], key: string, to: number): ColumnSettings {
  const order = orderColumns(columns, settings).map((column) => column.key);
  const from = order.indexOf(key);
  if (from === -1) return settings;
  const alike = order.filter((other) => settings.pinned[other] === settings.pinned[key]);
  const first = order.indexOf(alike[0] ?? key);
  order.splice(from, 1);
  order.splice(Math.max(first, Math.min(to, first + alike.length - 1)), 0, key);
  return { ...settings, order };
}

/** Keeps a column at a side, or with `undefined` where its place among the others is. */
export function pinColumn(settings: ColumnSettings, key: string, side: Side | undefined): ColumnSettings {
  const { [key]: _, ...others } = settings.pinned;
  return { ...settings, pinned: side === undefined ? others : { ...others, [key]: side } };
}

/** Sizes a column, inside the limits; `undefined` gives it its own width again. */
export function sizeColumn(settings: ColumnSettings, key: string, px: number | undefined): ColumnSettings {
  const { [key]: _, ...others } = settings.widths;
  return { ...settings, widths: px === undefined ? others : { ...others, [key]: keepInside(px) } };
}
