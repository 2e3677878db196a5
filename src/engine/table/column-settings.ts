import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';

export type Density = 'comfortable' | 'compact';

/** What a user has changed about a list's columns; kept on the server under `table.<resource>`. */
export interface ColumnSettings {
  /** Keys in the user's order; unknown ones are ignored, missing ones follow where the entry puts them. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** Optional columns that the user chose to see. */
  readonly shown: readonly string[];
  readonly density: Density;
}
export const DEFAULT_COLUMN_SETTINGS: ColumnSettings = { order: [], hidden: [], shown: [], density: 'comfortable' };

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
    density: value.get('density') === 'compact' ? 'compact' : 'comfortable',
  };
}

/** All columns in the user's order with whether each is visible. The primary column is always visible: it holds the row's link. */
export function chooseColumns(columns: readonly ColumnEntry[], settings: ColumnSettings): ColumnChoice[] {
  return orderColumns(columns, settings.order).map((column) => ({
    column,
    visible: column.primary === true || (column.optional ? settings.shown.includes(column.key) : !settings.hidden.includes(column.key)),
  }));
}

function orderColumns(columns: readonly ColumnEntry[], order: readonly string[]): ColumnEntry[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const ordered = order.flatMap((key) => byKey.get(key) ?? []);
  // A column that came with an update stands behind the one it follows in the entry, instead of at the very end.
  for (const [index, column] of columns.entries()) {
    if (ordered.includes(column)) continue;
    const before = columns[index - 1];
    ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column);
  }
  return ordered;
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

/** Moves a column to another place of the user's order; `to` counts from 0 and is kept inside the list. */
export function moveColumn(settings: ColumnSettings, columns: readonly ColumnEntry[], key: string, to: number): ColumnSettings {
  const order = orderColumns(columns, settings.order).map((column) => column.key);
  const from = order.indexOf(key);
  if (from === -1) return settings;
  order.splice(from, 1);
  order.splice(Math.max(0, Math.min(to, order.length)), 0, key);
  return { ...settings, order };
}
