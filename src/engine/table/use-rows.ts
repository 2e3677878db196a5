import { keys, useList } from '@refinedev/core';
import type { HttpError } from '@refinedev/core';
import { hashKey } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { ApiError } from '../../kernel/http/index.ts';
import { queryClient } from '../../kernel/queries.ts';
import { dataProvider } from '../data/data-provider.ts';
import type { Resource, Row } from '../resources/resource.ts';
import { listParams } from './list-params.ts';
import type { ListState } from './list-state.ts';

export interface Rows {
  rows: readonly Row[];
  total: number;
  /** Nothing has been loaded for this list yet. */
  isFirstLoad: boolean;
  /** Rows are on their way; what is shown are older ones. */
  isFetching: boolean;
  error: ApiError | undefined;
  /** Unix milliseconds of the last good answer; 0 before the first. */
  loadedAt: number;
  reload: () => void;
}

/** Rows that were asked for as a page was turned are not asked for again when it is drawn. */
const JUST_ASKED_MS = 1000;
const NO_ROWS: readonly Row[] = [];

/** The page of records that a list state asks for. The former page stays on screen until the next one is here. */
export function useRows(resource: Resource, state: ListState, enabled: boolean): Rows {
  const params = useMemo(() => listParams(state), [state]);
  const { query } = useList<Row, HttpError>({
    resource: resource.name,
    ...params,
    errorNotification: false,
    liveMode: 'off',
    queryOptions: {
      enabled,
      retry: false,
      staleTime: JUST_ASKED_MS,
      placeholderData: (previous) => previous,
      refetchOnMount: ({ queryHash }) => queryHash !== prefetched,
    },
  });
  useEffect(() => {
    prefetched = undefined;
  }, []);
  const { refetch } = query;
  return {
    rows: query.data?.data ?? NO_ROWS,
    total: query.data?.total ?? 0,
    isFirstLoad: query.data === undefined && query.error === null,
    isFetching: query.isFetching,
    error: toApiError(query.error),
    loadedAt: query.dataUpdatedAt,
    reload: useCallback(() => void refetch({ cancelRefetch: false }), [refetch]),
  };
}

/** The list that was read ahead of its page, which then does not read it again. */
let prefetched: string | undefined;

function rowsQuery(resource: Resource, state: ListState) {
  const params = listParams(state);
  const queryKey = keys().data().resource(resource.name).action('list').params(params).get();
  return { queryKey, queryFn: () => dataProvider.getList({ resource: resource.name, ...params }) };
}

/** Reads a page of a list into the cache before there is anything to show it. */
export async function prefetchRows(resource: Resource, state: ListState): Promise<void> {
  const query = rowsQuery(resource, state);
  prefetched = hashKey(query.queryKey);
  await queryClient.prefetchQuery(query);
}

/** Asks for rows that are about to be shown, so that they are on their way while the page is drawn. */
export function askForRows(resource: Resource, state: ListState): void {
  void queryClient.prefetchQuery(rowsQuery(resource, state));
}

function toApiError(error: unknown): ApiError | undefined {
  if (error === null || error === undefined) return undefined;
  if (!(error instanceof ApiError))
    return new ApiError({ kind: 'answer', message: error instanceof Error ? error.message : String(error) });
  return error.kind === 'cancelled' ? undefined : error;
}
