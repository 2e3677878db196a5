import { useCallback, useMemo } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { useSetting } from '../../kernel/settings/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import type { ColumnEntry } from '../../../schemas/kit/resource-types.ts';
import type { Resource } from '../resources/resource.ts';
import { chooseColumns, readColumnSettings } from './column-settings.ts';
import type { ColumnChoice, ColumnSettings } from './column-settings.ts';

export interface ColumnControl {
  settings: ColumnSettings;
  /** Every column that the user may see, in the user's order. */
  choices: readonly ColumnChoice[];
  /** The same without the choice. */
  all: readonly ColumnEntry[];
  /** The columns on screen. */
  visible: readonly ColumnEntry[];
  change: (next: ColumnSettings) => void;
}

/** The columns of a list as this user wants them, kept on the server so that every browser of the user agrees. */
export function useColumnSettings(resource: Resource): ColumnControl {
  const can = useCan();
  const [stored, store] = useSetting(`table.${resource.name}`);
  const storedText = JSON.stringify(stored);
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
    change: useCallback(
      (next: ColumnSettings) => {
        const value = { order: [...next.order], hidden: [...next.hidden], shown: [...next.shown], density: next.density };
        store(value).catch((error: unknown) => toasts.error(failureMessage(error)));
      },
      [store],
    ),
  };
}
