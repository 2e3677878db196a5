import { useList } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import { dataProvider } from '../../../data/data-provider.ts';
import { listParams } from '../../../table/list-params.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import type { Resource, Row } from '../../../resources/resource.ts';
import type { ListState } from '../../../table/list-state.ts';

const FRESH_MS = 10_000;
/** What one call answers at most. */
const PAGE = 100;

/** The page of a resource's records that a list state and the `fixed` filters ask for. The former page stays until the next one is here. */
export function useRecords(
  resource: Resource,
  state: ListState,
  fixed: Readonly<Record<string, string>>,
): { rows: readonly Row[]; total: number; state: 'loading' | 'ready' | 'error'; retry: () => void } {
  const { query } = useList<Row, ApiError>({
    resource: resource.name,
    ...listParams(state),
    meta: { query: fixed },
    queryOptions: { staleTime: FRESH_MS, placeholderData: keepPreviousData },
    errorNotification: false,
  });
  return {
    rows: query.data?.data ?? [],
    total: query.data?.total ?? 0,
    state: query.isError ? 'error' : query.isPending ? 'loading' : 'ready',
    retry: () => void query.refetch(),
  };
}

/** The records that a query matches, page by page, `most` of them at most. Throws `ApiError`. */
export async function fetchAllMatching(resource: Resource, query: Readonly<Record<string, string>>, most: number): Promise<Row[]> {
  const found: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = await dataProvider.getList<Row>({
      resource: resource.name,
      pagination: { currentPage: page, pageSize: PAGE },
      sorters: [{ field: 'id', order: 'asc' }],
      meta: { query },
    });
    found.push(...data);
    if (found.length >= most || page * PAGE >= total) return found.slice(0, most);
  }
}
