import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Resource } from '../resources/resource.ts';
import { readListState, writeListState } from './list-state.ts';
import type { ListState } from './list-state.ts';

export interface ChangeOptions {
  /** Takes the place of the present history entry: for what changes while typing. */
  replace?: boolean;
}
export type ChangeListState = (next: ListState, options?: ChangeOptions) => void;

/** The list state of the present address, and how to go to another one; back and forward bring former states again. */
export function useListState(resource: Resource): [ListState, ChangeListState] {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const search = params.toString();
  const state = useMemo(() => readListState(new URLSearchParams(search), resource), [search, resource]);
  const latest = useRef({ search, navigate });
  useLayoutEffect(() => void (latest.current = { search, navigate }));
  const change = useCallback<ChangeListState>(
    (next, options) => {
      const written = writeListState(new URLSearchParams(latest.current.search), next, resource);
      void latest.current.navigate(
        { search: written === '' ? '' : `?${written}` },
        // At once: the rows that are asked for then are what takes the time.
        { replace: options?.replace ?? false, preventScrollReset: true, flushSync: true },
      );
    },
    [resource],
  );
  return [state, change];
}
