import { deriveRoutes } from '../engine/resources/derive.ts';
import { readListState } from '../engine/table/list-state.ts';
import { prefetchRows } from '../engine/table/use-rows.ts';
import { can } from '../kernel/session/index.ts';
import { resources } from './resources.ts';

/** When the address is that of a list which the user may see, reads its rows while texts and settings are still on their way. */
export async function prefetchFirstList({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<void> {
  const route = deriveRoutes(resources).find(({ view, path }) => view === 'list' && path === pathname);
  // Asking for a list that the user may not see would be recorded as an attempt.
  if (!route || !can(route.permission)) return;
  await prefetchRows(route.resource, readListState(new URLSearchParams(search), route.resource));
}
