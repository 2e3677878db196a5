import { QueryClient, type Query } from '@tanstack/react-query';

/** The console's one cache. An answer is read again wherever it is shown again, unless its query may keep it (`keptFor`). */
export const queryClient = new QueryClient({
  // The HTTP client knows what is worth a second try.
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } },
});

const MINUTE = 60_000;
/** docs/behaviour.md section 9, Kept answers: choices, roles, rights. */
export const SELDOM_CHANGING_MS = 5 * MINUTE;
// Names of companies are in the records of all other resources.
const COMPANIES = 'companies';

/**
 * Query options for an answer that is shown again for so many milliseconds without another read. `about` names the resources that it depends
 * on: a write to one of them or a live event about one (`forgetKept`) ends it earlier. For choices and sums, never for lists and records.
 */
export function keptFor(milliseconds: number, ...about: string[]) {
  return { staleTime: milliseconds, gcTime: milliseconds, meta: { about } };
}

function isKept(query: Query, resource?: string): boolean {
  const about = query.meta?.['about'];
  return Array.isArray(about) && (resource === undefined || about.includes(resource));
}

/**
 * Kept answers that depend on a resource, or all of them, are read again where they are shown next. Without a resource, what is shown now and what
 * is being read is read again at once: the reader is another one.
 */
export function forgetKept(resource?: string): void {
  const all = resource === undefined || resource === COMPANIES ? undefined : resource;
  const cache = queryClient.getQueryCache();
  for (const query of cache.findAll({ predicate: (candidate) => isKept(candidate, all) })) {
    if (!query.isActive()) cache.remove(query);
    else if (query.state.fetchStatus === 'idle') query.invalidate();
    // Began before the change: good for those who wait for it, not for later ones.
    else void query.promise?.then(() => query.invalidate()).catch(() => undefined);
  }
  if (resource !== undefined) return;
  const shown = { predicate: (query: Query) => isKept(query) };
  void queryClient.cancelQueries(shown).then(() => queryClient.invalidateQueries(shown));
}

/** The resource that a path is about: `/credits/types` → `credits`. */
export function resourceOfPath(path: string): string {
  return path.split('/', 2)[1] ?? '';
}
