import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { SECOND } from '../../kernel/time/index.ts';
import type { TimeRange } from '../../ui/index.ts';

/** Unix seconds of the first and last moment that charts show. */
export const ZOOM_PARAMS = ['from', 'to'] as const;
const MOMENT = /^\d{1,11}$/;

/** The part of the time that the charts of a page show, kept in its address. */
export function useZoom(): { range: TimeRange | null; onRange(range: TimeRange | null): void } {
  const [search, setSearch] = useSearchParams();
  const [from, to] = ZOOM_PARAMS.map((name) => search.get(name) ?? '');
  const range = useMemo(() => {
    if (!MOMENT.test(from ?? '') || !MOMENT.test(to ?? '') || Number(from) >= Number(to)) return null;
    return { from: Number(from) * SECOND, to: Number(to) * SECOND };
  }, [from, to]);
  const onRange = useCallback(
    (next: TimeRange | null) => {
      const values = next && [Math.round(next.from / SECOND), Math.round(next.to / SECOND)];
      setSearch(
        (former) => {
          ZOOM_PARAMS.forEach((name, index) => {
            if (values) former.set(name, String(values[index]));
            else former.delete(name);
          });
          return former;
        },
        { replace: true },
      );
    },
    [setSearch],
  );
  return { range, onRange };
}
