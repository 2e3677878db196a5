import { useCustom, type BaseRecord } from '@refinedev/core';
import { useCallback, useMemo, useState } from 'react';
import type { ColumnEntry, FilterEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { keptFor } from '../../kernel/queries.ts';
import { useCan } from '../../kernel/session/index.ts';
import { MINUTE } from '../../kernel/time/index.ts';
import { findColumnSources, type ColumnSource } from '../resources/registry.ts';

const NO_COLUMNS: readonly ColumnEntry[] = [];
const NO_FILTERS: readonly FilterEntry[] = [];

/** What a source answers; undefined until it is wanted and known. */
function useSource(source: ColumnSource | undefined, isWanted: boolean): BaseRecord[] | undefined {
  const can = useCan();
  const { query } = useCustom<BaseRecord[], ApiError>({
    url: source?.path ?? '',
    method: 'get',
    queryOptions: { enabled: isWanted && source !== undefined && can(source.permission), ...keptFor(MINUTE, source?.about ?? '') },
    errorNotification: false,
  });
  return source && query.data?.data;
}

/** The columns that people made themselves: known once one of them is shown, or columns are chosen. */
export function useMoreColumns(
  resource: string,
  { shown }: { shown: readonly string[] },
): { more: readonly ColumnEntry[]; offer: () => void } {
  // A list has two such sources at most.
  const [first, second] = findColumnSources(resource);
  const [isOffered, setOffered] = useState(false);
  const isWanted = (source: ColumnSource | undefined) => isOffered || (source !== undefined && shown.some(source.isKey));
  const ones = useSource(first, isWanted(first));
  const others = useSource(second, isWanted(second));
  return {
    more: useMemo(() => {
      const columns = [...((first && ones && first.columnsOf(ones)) ?? []), ...((second && others && second.columnsOf(others)) ?? [])];
      return columns.length === 0 ? NO_COLUMNS : columns;
    }, [first, ones, second, others]),
    offer: useCallback(() => setOffered(true), [setOffered]),
  };
}

/** The filters that people made themselves: known once the list is filtered by one of them (`keys`), or filters are offered. */
export function useMoreFilters(resource: string, keys: readonly string[]): { more: readonly FilterEntry[]; offer: () => void } {
  const source = findColumnSources(resource).find(({ filtersOf }) => filtersOf !== undefined);
  const [isOffered, setOffered] = useState(false);
  const answer = useSource(source, source !== undefined && (isOffered || keys.some(source.isKey)));
  return {
    more: useMemo(() => (answer && source?.filtersOf ? source.filtersOf(answer) : NO_FILTERS), [source, answer]),
    offer: useCallback(() => setOffered(true), [setOffered]),
  };
}
