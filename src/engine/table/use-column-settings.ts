import { useCallback, useMemo } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { useSetting } from '../../kernel/settings/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { useStore } from '../../kernel/store.ts';
import type { JsonValue } from '../../../schemas/kit/types.ts';
import type { View } from '../../../schemas/_generated/contract.ts';
import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';
import type { Resource } from '../resources/resource.ts';
import { chooseColumns, readColumnSettings } from './column-settings.ts';
import type { ColumnChoice, ColumnSettings } from './column-settings.ts';
import { setUnsavedColumns, unsavedColumns } from './views/views-store.ts';

export interface ColumnControl {
  settings: ColumnSettings;
  /** Every column that the user may see, in the user's order. */
  choices: readonly ColumnChoice[];
  /** The same without the choice. */
  all: readonly ColumnEntry[];
  /** The columns on screen. */
  visible: readonly ColumnEntry[];
  change: (next: ColumnSettings) => void;
  /** They were changed while a view was open that has them otherwise. */
  isUnsaved: boolean;
}

/** Column settings as they are kept. */
export function storedColumns(settings: ColumnSettings): Record<string, JsonValue> {
  return { order: [...settings.order], hidden: [...settings.hidden], shown: [...settings.shown], density: settings.density };
}

/**
 * The columns of a list as this user wants them, kept on the server so that every browser of the user agrees. While a view is open that has columns,
 * they are the view's, and changes wait until the view is saved.
 */
export function useColumnSettings(resource: Resource, view?: Pick<View, 'id' | 'columns'>): ColumnControl {
  const can = useCan();
  const [stored, store] = useSetting(`table.${resource.name}`);
  const viewId = view?.columns ? view.id : undefined;
  const unsaved = useStore(unsavedColumns).get(viewId ?? 0);
  const unsavedText = unsaved && JSON.stringify(storedColumns(unsaved));
  const storedText = unsavedText ?? view?.columns ?? JSON.stringify(stored);
  return {
    ...useMemo(() => {
      const settings = readColumnSettings(storedText === undefined ? undefined : JSON.parse(storedText));
      const choices = chooseColumns(resource.table?.columns.filter((column) => can(column.permission)) ?? [], settings);
      return {
        settings,
        choices,
        all: choices.map((choice) => choice.column),
        visible: choices.filter((choice) => choice.visible).map((choice) => choice.column),
      };
    }, [storedText, resource, can]),
    isUnsaved:
      unsavedText !== undefined && unsavedText !== JSON.stringify(storedColumns(readColumnSettings(JSON.parse(view?.columns ?? '{}')))),
    change: useCallback(
      (next: ColumnSettings) => {
        if (viewId !== undefined) setUnsavedColumns(viewId, next);
        else store(storedColumns(next)).catch((error: unknown) => toasts.error(failureMessage(error)));
      },
      [store, viewId],
    ),
  };
}
