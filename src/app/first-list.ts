import { collectionPath } from '../engine/resources/resource.ts';
import { deriveRoutes } from '../engine/resources/derive.ts';
import { readListState } from '../engine/table/list-state.ts';
import { listParams } from '../engine/table/use-rows.ts';
import { api } from '../kernel/http/index.ts';
import { listCall } from './refine/data-provider.ts';
import { resources } from './resources.ts';

/** When the address is a list's, asks for its rows while the rest of the console is still being made. The address alone says which rows. */
export function askForFirstList({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const route = deriveRoutes(resources).find(({ view, path }) => view === 'list' && path === pathname);
  if (!route) return;
  const { resource } = route;
  const { path, query } = listCall(collectionPath(resource), listParams(readListState(new URLSearchParams(search), resource)));
  api.ahead(path, query);
}
