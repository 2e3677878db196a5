import type {
  BaseKey,
  BaseRecord,
  CreateParams,
  CustomParams,
  DataProvider,
  DeleteOneParams,
  MetaQuery,
  UpdateParams,
} from '@refinedev/core';
import { api, ApiError, type Answer, type CallOptions, type Query } from '../../kernel/http/index.ts';
import { resources } from '../resources/all.ts';
import { collectionPath, type Resource } from '../resources/resource.ts';
import { filterQuery, listCall, sortQuery } from './list-call.ts';

const MOST_RECORDS = 100;

/** What Refine asks of a data provider, with all that our API says in an answer. */
export interface OurDataProvider extends DataProvider {
  getMany: NonNullable<DataProvider['getMany']>;
  custom<T extends BaseRecord = BaseRecord>(params: CustomParams): Promise<WholeAnswer<T>>;
  create<T extends BaseRecord = BaseRecord, V = object>(params: CreateParams<V>): Promise<WholeAnswer<T>>;
  update<T extends BaseRecord = BaseRecord, V = object>(params: UpdateParams<V>): Promise<WholeAnswer<T>>;
  deleteOne<T extends BaseRecord = BaseRecord, V = object>(params: DeleteOneParams<V>): Promise<WholeAnswer<T>>;
}
type WholeAnswer<T> = Pick<Answer<T>, 'data' | 'meta' | 'errors' | 'requestId'>;

/**
 * Refine's data provider over our API. A resource without an entry is its own path: `roles/4/permissions`. Of `meta`, `query` adds query
 * parameters, `headers` headers, `signal` ends the call, and `survivesRouteChange` lets a read go on when another page is opened; a cancelled query cancels its call.
 * Answers carry the `meta` of the API, and what was refused of a partial success as `errors`. Fails with `ApiError`.
 */
export function makeDataProvider(entries: readonly Resource[]): OurDataProvider {
  const pathOf = (name: string): string => {
    const resource = entries.find((entry) => entry.name === name);
    return resource ? collectionPath(resource) : `/${name}`;
  };
  const recordOf = (name: string, id: BaseKey) => `${pathOf(name)}/${encodeURIComponent(id)}`;

  return {
    getApiUrl: () => '/api',
    async getList({ resource, meta, ...params }) {
      const { path, query } = listCall(pathOf(resource), params);
      const answer = await api.get<never[]>(path, optionsOf(meta, query));
      return { ...wholeOf(answer), total: answer.meta.total ?? answer.data.length };
    },
    async getMany({ resource, ids, meta }) {
      return wholeOf(await api.get<never[]>(pathOf(resource), optionsOf(meta, { id: ids, limit: MOST_RECORDS })));
    },
    async getOne({ resource, id, meta }) {
      return wholeOf(await api.get<never>(recordOf(resource, id), optionsOf(meta)));
    },
    async create({ resource, variables, meta }) {
      return wholeOf(await api.post<never>(pathOf(resource), variables, optionsOf(meta)));
    },
    async update({ resource, id, variables, meta }) {
      return wholeOf(await api.put<never>(recordOf(resource, id), variables, optionsOf(meta)));
    },
    async deleteOne({ resource, id, variables, meta }) {
      return wholeOf(await api.delete<never>(recordOf(resource, id), variables, optionsOf(meta)));
    },
    async custom({ url, method, filters = [], sorters = [], payload, query, headers, meta }) {
      const asked = { ...sortQuery(sorters), ...filterQuery(filters), ...asQuery(query) };
      const options = optionsOf({ ...meta, headers: { ...asHeaders(meta?.['headers']), ...asHeaders(headers) } }, asked);
      switch (method) {
        case 'get':
          return wholeOf(await api.get<never>(url, options));
        case 'post':
          return wholeOf(await api.post<never>(url, payload, options));
        case 'put':
          return wholeOf(await api.put<never>(url, payload, options));
        case 'delete':
          return wholeOf(await api.delete<never>(url, payload, options));
        default:
          throw new ApiError({ kind: 'answer', message: `The method "${method}" is not in the API.` });
      }
    },
  };
}

/** The console's data provider, for what is read or written outside components; inside them Refine's hooks have it. */
export const dataProvider = makeDataProvider(resources);

function wholeOf<T>({ data, meta, errors, requestId }: Answer<T>): WholeAnswer<T> {
  return { data, meta, errors, requestId };
}

function optionsOf(meta: MetaQuery | undefined, query: Query = {}): CallOptions {
  return {
    query: { ...query, ...asQuery(meta?.['query']) },
    headers: asHeaders(meta?.['headers']),
    // Read here, not before: a query whose signal is asked for is cancelled when nobody shows it any more.
    signal: meta?.queryContext?.signal ?? (meta?.['signal'] instanceof AbortSignal ? meta['signal'] : undefined),
    survivesRouteChange: meta?.['survivesRouteChange'] === true,
  };
}

// Refine's loose values become ours in the next two places.
function asQuery(value: unknown): Query {
  return typeof value === 'object' && value !== null ? (value as Query) : {};
}

function asHeaders(value: unknown): Record<string, string> {
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
}
