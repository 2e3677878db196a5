import { deriveRoutes } from '../engine/resources/derive.ts';
import { callOfAddress } from '../engine/table/list-params.ts';
import { api } from '../kernel/http/index.ts';
import { findUser, holdsPermission, type CurrentUser } from '../kernel/session/index.ts';
import { resources } from './resources.ts';

/**
 * When the address is a list's, asks for its rows while the rest of the console is still being made. The address alone says which rows.
 * Settles when they are here or refused, at once for other addresses, and for lists that the user may not see, as far as that is known by
 * now: asking for one would be noted as an attempt.
 */
export async function askForFirstList({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<void> {
  const route = deriveRoutes(resources).find(({ view, path }) => view === 'list' && path === pathname);
  const user = findUser() ?? api.peek<CurrentUser>('/user', {})?.data;
  if (!route || (user && !holdsPermission(user.permissions, route.permission))) return;
  const { path, query } = callOfAddress(route.resource, new URLSearchParams(search));
  await api.ahead(path, query);
}
