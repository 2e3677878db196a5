import { useQueries, useQuery } from '@tanstack/react-query';
import type { Permission } from '../../../schemas/_generated/contract.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { keptFor, SELDOM_CHANGING_MS } from '../../kernel/queries.ts';

const MAX_PAGE = 100;

/** More than one page of the API. */
async function readAll(resource: string): Promise<Permission[]> {
  const all: Permission[] = [];
  for (;;) {
    const { data, total } = await dataProvider.getList<Permission>({
      resource,
      pagination: { currentPage: 1 + all.length / MAX_PAGE, pageSize: MAX_PAGE },
      meta: { survivesRouteChange: true },
    });
    all.push(...data);
    if (data.length < MAX_PAGE || all.length >= total) return all.toSorted((left, right) => left.id - right.id);
  }
}

/** Every permission that there is, in the order of the contract. */
export function usePermissions() {
  return useQuery({ queryKey: ['permissions'], queryFn: () => readAll('permissions'), ...keptFor(SELDOM_CHANGING_MS, 'permissions') });
}

/** The numbers of the permissions that a role gives. */
export function useRolePermissions(roleId: number) {
  return useQuery(permissionsOf(roleId));
}

const permissionsOf = (roleId: number) => ({
  queryKey: ['roles', 'permissions', roleId],
  queryFn: async () => (await readAll(`roles/${roleId}/permissions`)).map((permission) => permission.id),
});

/** The same for several roles, by role; without data until all are there. */
export function usePermissionsOfRoles(roleIds: readonly number[]) {
  const queries = useQueries({ queries: roleIds.map(permissionsOf) });
  const isThere = queries.every(({ data }) => data !== undefined);
  return {
    data: isThere ? new Map(roleIds.map((id, place) => [id, new Set(queries[place]?.data)])) : undefined,
    error: queries.find(({ error }) => error)?.error ?? null,
    refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
  };
}
