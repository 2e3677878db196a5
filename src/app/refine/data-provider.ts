import type { DataProvider, MetaQuery } from '@refinedev/core';
import { listCall } from '../../engine/resources/list-call.ts';
import { collectionPath, type Resource } from '../../engine/resources/resource.ts';
import { api, type Query } from '../../kernel/http/index.ts';

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

function readQuery(meta: MetaQuery | undefined): Query {
  const query: unknown = meta?.['query'];
  // The one place where Refine's loose meta becomes ours.
  return typeof query === 'object' && query !== null ? (query as Query) : {};
}
