import type { CrudFilter, GetListParams } from '@refinedev/core';
import type { ListState } from './list-state.ts';

export type ListParams = Required<Pick<GetListParams, 'pagination' | 'sorters' | 'filters'>>;

/** A list state in the words of Refine. */
export function listParams(state: ListState): ListParams {
  return {
    pagination: { currentPage: state.page, pageSize: state.size, mode: 'server' },
    sorters: state.sort.map(({ key, desc }) => ({ field: key, order: desc ? 'desc' : 'asc' })),
    filters: crudFilters(state),
  };
}

function crudFilters(state: ListState): CrudFilter[] {
  const chips = state.filters.map((filter): CrudFilter => ({
    field: filter.key,
    operator: filter.negated ? 'ne' : 'eq',
    value: filter.values.length === 1 ? filter.values[0] : filter.values,
  }));
  const q = state.q.trim();
  return q === '' ? chips : [{ field: 'q', operator: 'eq', value: q }, ...chips];
}
