import { useCallback, useMemo } from 'react';
import { useCan } from '../../kernel/session/index.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { View } from '../../../schemas/_generated/contract.ts';
import type { ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { useMoreColumns } from './use-made-fields.ts';
import type { Resource } from '../resources/resource.ts';
import { readColumnSettings } from './column-settings.ts';
import type { ColumnSettings } from './column-settings.ts';
import { storeSetting, readKept, useKept } from './stored-setting.ts';

export interface ColumnControl {
  settings: ColumnSettings;
  /** Every column that the user may see, in the order of the entry. */
  columns: readonly ColumnEntry[];
  change: (next: ColumnSettings) => void;
  /** Asks for the columns that people made themselves, to choose from. */
  offer: () => void;
  /** They were changed while a view was open that has them otherwise. */
  isUnsaved: boolean;
}

/** Column settings as they are kept. */
export function storedColumns(settings: ColumnSettings): Record<string, JsonValue> {
  return {
    order: [...settings.order],
    hidden: [...settings.hidden],
    shown: [...settings.shown],
    pinned: { ...settings.pinned },
    widths: { ...settings.widths },
    density: settings.density,
  };
}

/**
 * The columns of a list as this user wants them, kept on the server so that every browser of the user agrees. While a view is open that has columns,
 * they are the view's; changes are kept for the user beside it until the view is saved.
 */
export function useColumnSettings(resource: Resource, view?: Pick<View, 'id' | 'columns'>): ColumnControl {
  const can = useCan();
  const { name } = resource;
  const stored = useKept(ownKey(name));
  const viewId = view?.columns ? view.id : undefined;
  const unsaved = readUnsaved(useKept(unsavedKey(name))).get(String(viewId));
  const unsavedText = unsaved === undefined ? undefined : JSON.stringify(storedColumns(readColumnSettings(unsaved)));
  const storedText = unsavedText ?? view?.columns ?? JSON.stringify(stored);
  const settings = useMemo(() => readColumnSettings(storedText === undefined ? undefined : JSON.parse(storedText)), [storedText]);
  const { more, offer } = useMoreColumns(name, settings);
  return {
    settings,
    columns: useMemo(() => [...(resource.table?.columns.filter((column) => can(column.permission)) ?? []), ...more], [resource, can, more]),
    offer,
    isUnsaved:
      unsavedText !== undefined && unsavedText !== JSON.stringify(storedColumns(readColumnSettings(JSON.parse(view?.columns ?? '{}')))),
    change: useCallback(
      (next: ColumnSettings) => {
        if (viewId !== undefined) keepUnsaved(name, viewId, storedColumns(next));
        else void storeSetting(ownKey(name), storedColumns(next));
      },
      [name, viewId],
    ),
  };
}

/** Shows a view's columns as it has them again. */
export function dropUnsavedColumns(resource: string, viewId: number): void {
  if (readUnsaved(readKept(unsavedKey(resource))).has(String(viewId))) keepUnsaved(resource, viewId, undefined);
}

const ownKey = (resource: string) => `table.${resource}`;
const unsavedKey = (resource: string) => `table.${resource}.unsaved`;
/** Views of one list whose changes are kept; views that are gone leave theirs behind. */
const MOST_UNSAVED = 10;

function readUnsaved(stored: JsonValue | undefined): Map<string, JsonValue> {
  return new Map(typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? Object.entries(stored) : []);
}

function keepUnsaved(resource: string, viewId: number, columns: JsonValue | undefined): void {
  const key = unsavedKey(resource);
  const others = [...readUnsaved(readKept(key))].filter(([id]) => id !== String(viewId));
  const kept = columns === undefined ? others : [...others.slice(1 - MOST_UNSAVED), [String(viewId), columns] as const];
  void storeSetting(key, Object.fromEntries(kept));
}
