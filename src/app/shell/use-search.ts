import { useEffect, useState } from 'react';
import type { SearchGroup } from '../../engine/resources/derive.ts';
import { searchAll, type SearchResult } from './search.ts';

// docs/behaviour.md section 9, Timing.
const WAIT_MS = 500;

export type SearchState = { state: 'idle' } | { state: 'waiting' } | { state: 'found'; text: string; results: readonly SearchResult[] };

/** Searches after a pause in typing; a newer text ends the older search, so older results never follow newer ones. */
export function useSearch(groups: readonly SearchGroup[], text: string, isOpen: boolean): SearchState {
  const wanted = isOpen && groups.length > 0 ? text.trim() : '';
  const [found, setFound] = useState<{ key: string; text: string; results: readonly SearchResult[] }>();
  const key = `${wanted}\n${groups.map(({ resource }) => resource.name).join()}`;

  useEffect(() => {
    if (wanted === '') return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      searchAll(groups, wanted, controller.signal).then(
        (results) => setFound({ key, text: wanted, results }),
        () => undefined,
      );
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` is made of the groups.
  }, [key, wanted]);

  if (wanted === '') return { state: 'idle' };
  return found?.key === key ? { state: 'found', text: found.text, results: found.results } : { state: 'waiting' };
}
