import { useMemo } from 'react';
import { useUser } from '../../kernel/session/index.ts';
import { useEditedRows } from '../live/edits.ts';
import { useLiveRows } from '../live/use-live-rows.ts';
import type { Resource } from '../resources/resource.ts';
import { filterQuery, type ListState } from './list-state.ts';
import { useAutoRefresh, type useRefreshMode } from './RefreshControl.tsx';
import { useRows } from './use-rows.ts';
import { useSelection } from './use-selection.ts';

/** What a list that is part of another page is narrowed down to. */
export interface Within {
  key: string;
  /** A record's number, or the values of a filter, which may change. */
  value: number | readonly string[];
  /** The field of new records that gets the number, where it has another name than the filter. */
  fills?: string | undefined;
}

interface ListDataOptions {
  resource: Resource;
  state: ListState;
  within: Within | undefined;
  mode: ReturnType<typeof useRefreshMode>[0];
  /** The view is known: rows can be asked for. */
  isReady: boolean;
}

/** The rows of a list, with edits that are on their way and live changes, and what is selected of them. */
export function useListData({ resource, state, within, mode, isReady }: ListDataOptions) {
  const user = useUser();
  const key = within?.key;
  const value = within?.value;
  const asked = useMemo(() => narrowed(state, key, value), [state, key, value]);
  const loaded = useRows(resource, asked, isReady);
  const edited = useEditedRows(resource.name, loaded.rows, loaded.loadedAt);
  const rows = { ...loaded, rows: edited };
  useAutoRefresh(mode, rows.reload);
  const live = useLiveRows({
    resource,
    rows: rows.rows,
    loadedAt: rows.loadedAt,
    filters: asked.filters,
    companyId: user.company_id,
    userId: user.id,
    enabled: mode === 'live',
    holdAdded: isByTime(state.sort[0]?.key),
    isFetching: rows.isFetching,
    onReload: rows.reload,
  });
  const { page } = live;
  const query = useMemo(() => filterQuery(asked), [asked]);
  const removed = [...page.marks.values()].filter((mark) => mark === 'removed').length;
  const total = Math.max(0, rows.total - removed);
  const selection = useSelection({ rows: page.rows, marks: page.marks, query, total });
  return { asked, rows, live, query, total, selection };
}

function narrowed(state: ListState, key: string | undefined, value: Within['value'] | undefined): ListState {
  if (key === undefined || value === undefined) return state;
  const values = typeof value === 'number' ? [value] : value;
  return { ...state, filters: [...state.filters, { key, negated: false, values }] };
}

/** Whether the list is ordered by when things happened, so that new records belong at one end of it. */
function isByTime(key: string | undefined): boolean {
  return key === 'id' || key?.endsWith('_at') === true;
}
