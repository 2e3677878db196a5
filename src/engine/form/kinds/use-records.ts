import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../kernel/http/index.ts';
import { collectionPath } from '../../resources/resource.ts';
import { listQuery } from '../../table/list-state.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import type { ListState } from '../../table/list-state.ts';

const FRESH_MS = 10_000;
/** What one call answers at most. */
const PAGE = 100;

/** The page of a resource's records that a list state and the `fixed` filters ask for. The former page stays until the next one is here. */
export function useRecords(
  resource: Resource,
  state: ListState,
  fixed: Readonly<Record<string, string>>,
): { rows: readonly Row[]; total: number; state: 'loading' | 'ready' | 'error'; retry: () => void } {
  const query = { ...listQuery(state), ...fixed };
  const { data, isError, isPending, refetch } = useQuery({
    queryKey: ['records', resource.name, query],
    staleTime: FRESH_MS,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.get<Row[]>(collectionPath(resource), { query, signal }),
  });
  return {
    rows: data?.data ?? [],
    total: data?.meta.total ?? 0,
    state: isError ? 'error' : isPending ? 'loading' : 'ready',
    retry: () => void refetch(),
  };
}

/** The records that a query matches, page by page, `most` of them at most. Throws `ApiError`. */
export async function fetchAllMatching(resource: Resource, query: Readonly<Record<string, string>>, most: number): Promise<Row[]> {
  const found: Row[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { data, meta } = await api.get<Row[]>(collectionPath(resource), {
      query: { ...query, sort: 'id', limit: PAGE, offset },
    });
    found.push(...data);
    if (found.length >= most || offset + PAGE >= (meta.total ?? 0)) return found.slice(0, most);
  }
}
