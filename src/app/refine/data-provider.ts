import type { CrudFilter, DataProvider, GetListParams, MetaQuery } from '@refinedev/core';
import { collectionPath, type Resource } from '../../engine/resources/resource.ts';
import { api, type Query, type QueryValue } from '../../kernel/http/index.ts';

/** The call that reads one page of a list. */
export function listCall(
  path: string,
  { pagination, sorters = [], filters = [] }: Pick<GetListParams, 'pagination' | 'sorters' | 'filters'>,
): { path: string; query: Query } {
  const { currentPage = 1, pageSize = 10, mode } = pagination ?? {};
  const page = mode === 'off' ? { limit: 100 } : { limit: pageSize, offset: (currentPage - 1) * pageSize };
  const sort = sorters.map(({ field, order }) => (order === 'desc' ? `-${field}` : field));
  return { path, query: { ...page, sort, ...filterQuery(filters) } };
}

/** Refine's data provider over our API. `meta.query` adds query parameters; a cancelled query cancels its call. */
export function makeDataProvider(findResource: (name: string) => Resource | undefined): DataProvider {
  const pathOf = (name: string): string => {
    const resource = findResource(name);
    return resource ? collectionPath(resource) : `/${name}`;
  };
  const recordOf = (name: string, id: string | number) => `${pathOf(name)}/${encodeURIComponent(id)}`;

  return {
    getApiUrl: () => '/api',
    async getList({ resource, meta, ...params }) {
      const { path, query } = listCall(pathOf(resource), params);
      const answer = await api.get<never[]>(path, { query: { ...query, ...readQuery(meta) }, signal: meta?.queryContext?.signal });
      return { data: answer.data, total: answer.meta.total ?? answer.data.length, meta: answer.meta };
    },
    async getMany({ resource, ids, meta }) {
      const answer = await api.get<never[]>(pathOf(resource), {
        query: { id: ids, limit: 100, ...readQuery(meta) },
        signal: meta?.queryContext?.signal,
      });
      return { data: answer.data };
    },
    async getOne({ resource, id, meta }) {
      const { data } = await api.get<never>(recordOf(resource, id), { query: readQuery(meta), signal: meta?.queryContext?.signal });
      return { data };
    },
    async create({ resource, variables }) {
      const { data } = await api.post<never>(pathOf(resource), variables);
      return { data };
    },
    async update({ resource, id, variables }) {
      const { data } = await api.put<never>(recordOf(resource, id), variables);
      return { data };
    },
    async deleteOne({ resource, id, variables }) {
      const { data } = await api.delete<never>(recordOf(resource, id), variables);
      return { data };
    },
  };
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

function readQuery(meta: MetaQuery | undefined): Query {
  const query: unknown = meta?.['query'];
  // The one place where Refine's loose meta becomes ours.
  return typeof query === 'object' && query !== null ? (query as Query) : {};
}
