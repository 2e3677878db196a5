import { useInfiniteList, useList } from '@refinedev/core';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { keptFor, resourceOfPath, SELDOM_CHANGING_MS } from '../../kernel/queries.ts';
import { LOOKUP_PAGE, getLookup, optionOf } from './lookup.ts';
import type { ComboboxOption, ComboboxSource, ComboboxValue } from '../../ui/index.ts';

type Row = Record<string, unknown>;

const SEARCH_DELAY_MS = 250;
/** Records that people make and change; docs/behaviour.md section 9, Kept answers. */
const RECORDS_MS = 10_000;
/** The server answers no more records at once; the rest are there by number. */
const MOST_WORDS = 100;

export interface LookupState {
  query: string;
  setQuery: (query: string) => void;
  source: ComboboxSource;
  /** The chosen values with their words, also those that are on no page loaded. */
  selected: ComboboxOption[];
  open: () => void;
  /** Keeps the words of what was chosen, for when the list shows something else. */
  remember: (chosen: readonly ComboboxOption[]) => void;
}

/** A searching, paged choice list of the server. Nothing is fetched before the list is opened, except the words of the chosen values. */
export function useLookup(name: string, params: Record<string, string>, values: readonly ComboboxValue[]): LookupState {
  const entry = getLookup(name);
  const resource = entry.path.slice(1);
  const kept = keptFor(entry.seldomChanges ? SELDOM_CHANGING_MS : RECORDS_MS, resourceOfPath(entry.path));
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState(false);
  const search = useDelayed(query.trim());

  const { query: pages } = useInfiniteList<Row, ApiError>({
    resource,
    pagination: { currentPage: 1, pageSize: LOOKUP_PAGE },
    meta: { query: { ...params, q: search } },
    queryOptions: { ...kept, enabled: opened },
    errorNotification: false,
  });
  const options = useMemo(
    () =>
      unique(
        (pages.data?.pages ?? []).flatMap((page) => page.data.map((row) => optionOf(entry, row)).filter((option) => option !== undefined)),
      ),
    [pages.data, entry],
  );

  const [remembered, setRemembered] = useState<readonly ComboboxOption[]>([]);
  const known = new Map([...options, ...remembered].map((option) => [option.value, option]));

  // Only ids can be asked for by value; of other lookups the value is its own word.
  const missing = entry.value === 'id' ? values.filter((value) => !known.has(value)).slice(0, MOST_WORDS) : [];
  const { query: words } = useList<Row, ApiError>({
    resource,
    pagination: { currentPage: 1, pageSize: Math.max(1, missing.length) },
    meta: { query: { id: missing } },
    queryOptions: { ...kept, enabled: missing.length > 0 },
    errorNotification: false,
  });
  const found = new Map(
    (words.data?.data ?? []).flatMap((row) => {
      const option = optionOf(entry, row);
      return option ? [[option.value, option] as const] : [];
    }),
  );

  const isSearching = search !== query.trim();
  return {
    query,
    setQuery,
    open: () => setOpened(true),
    remember: setRemembered,
    selected: values.map(
      (value) => known.get(value) ?? found.get(value) ?? { value, label: words.isFetching ? '…' : labelOf(entry.value, value) },
    ),
    source: {
      options: isSearching ? [] : options,
      state: pages.isError && !pages.isFetching ? 'error' : pages.isFetching || isSearching ? 'loading' : 'ready',
      hasMore: pages.hasNextPage,
      loadMore: () => {
        if (pages.hasNextPage && !pages.isFetching) void pages.fetchNextPage();
      },
      retry: () => void pages.refetch(),
    },
  };
}

function labelOf(key: string, value: ComboboxValue): string {
  return key === 'id' ? `#${value}` : String(value);
}

function unique(options: readonly ComboboxOption[]): ComboboxOption[] {
  return [...new Map(options.map((option) => [option.value, option])).values()];
}

function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    if (text === delayed) return;
    const timer = setTimeout(() => setDelayed(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, delayed]);
  return useDeferredValue(delayed);
}
