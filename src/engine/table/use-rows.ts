import { useList } from '@refinedev/core';
import type { GetListResponse, HttpError } from '@refinedev/core';
import { useCallback, useMemo } from 'react';
import { ApiError, api } from '../../kernel/http/index.ts';
import { listCall } from '../resources/list-call.ts';
import { collectionPath, type Resource, type Row } from '../resources/resource.ts';
import { listParams, type ListParams } from './list-params.ts';
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
      placeholderData: (previous) => previous,
      initialData: () => (enabled ? firstRows(resource, params) : undefined),
    },
  });
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

/** Rows that were asked for while the console was being made and are here already: then nothing is drawn twice. */
function firstRows(resource: Resource, params: ListParams): GetListResponse<Row> | undefined {
  const { path, query } = listCall(collectionPath(resource), params);
  const answer = api.peek<Row[]>(path, query);
  return answer && { data: answer.data, total: answer.meta.total ?? answer.data.length };
}

function toApiError(error: unknown): ApiError | undefined {
  if (error === null || error === undefined) return undefined;
  if (!(error instanceof ApiError))
    return new ApiError({ kind: 'answer', message: error instanceof Error ? error.message : String(error) });
  return error.kind === 'cancelled' ? undefined : error;
}
