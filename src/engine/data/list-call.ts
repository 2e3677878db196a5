import type { CrudFilter, CrudSort, GetListParams } from '@refinedev/core';
import type { Query, QueryValue } from '../../kernel/http/index.ts';

/** The call that reads one page of a list. */
export function listCall(
  path: string,
  { pagination, sorters = [], filters = [] }: Pick<GetListParams, 'pagination' | 'sorters' | 'filters'>,
): { path: string; query: Query } {
  const { currentPage = 1, pageSize = 10, mode } = pagination ?? {};
  const page = mode === 'off' ? { limit: 100 } : { limit: pageSize, offset: (currentPage - 1) * pageSize };
  return { path, query: { ...page, ...sortQuery(sorters), ...filterQuery(filters) } };
}

/** Our sort parameter: `sort=-status,name`. */
export function sortQuery(sorters: readonly CrudSort[]): Query {
  return { sort: sorters.map(({ field, order }) => (order === 'desc' ? `-${field}` : field)) };
}

/** Our filter parameters: `status=1,2`, `ne:status=0`. Other operators are not in the API, so they are a mistake of the caller. */
export function filterQuery(filters: readonly CrudFilter[]): Query {
  const query: Record<string, QueryValue> = {};
  for (const filter of filters) {
    if (!('field' in filter)) throw new Error('Nested filters are not in the API.');
    const { field, operator, value } = filter;
    if (operator === 'ne' || operator === 'nin') query[`ne:${field}`] = value;
    else if (operator === 'eq' || operator === 'in') query[field] = value;
    else throw new Error(`The filter operator "${operator}" is not in the API.`);
  }
  return query;
}
