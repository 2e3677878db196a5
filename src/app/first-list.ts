import { collectionPath } from '../engine/resources/resource.ts';
import { deriveRoutes } from '../engine/resources/derive.ts';
import { listCall } from '../engine/resources/list-call.ts';
import { readListState } from '../engine/table/list-state.ts';
import { listParams } from '../engine/table/use-rows.ts';
import { api } from '../kernel/http/index.ts';
import { resources } from './resources.ts';

/**
 * When the address is a list's, asks for its rows while the rest of the console is still being made. The address alone says which rows.
 * Settles when they are here or refused, at once for other addresses.
 */
export async function askForFirstList({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<void> {
  const route = deriveRoutes(resources).find(({ view, path }) => view === 'list' && path === pathname);
  if (!route) return;
  const { resource } = route;
  const { path, query } = listCall(collectionPath(resource), listParams(readListState(new URLSearchParams(search), resource)));
  await api.ahead(path, query);
}
