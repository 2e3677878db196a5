import { useQuery } from '@tanstack/react-query';
import type { Permission } from '../../../schemas/_generated/contract.ts';
import { api, seldomChanging, type Keeper } from '../../kernel/http/index.ts';

const MAX_PAGE = 100;

async function loadAll(path: string, keep?: Keeper): Promise<Permission[]> {
  const all: Permission[] = [];
  for (;;) {
    const { data, meta } = await api.get<Permission[]>(path, {
      query: { limit: MAX_PAGE, offset: all.length },
      survivesRouteChange: true,
      keep,
    });
    all.push(...data);
    if (data.length === 0 || all.length >= (meta.total ?? 0)) return all.toSorted((left, right) => left.id - right.id);
  }
}

/** Every permission that there is, in the order of the contract. */
export function usePermissions() {
  return useQuery({ queryKey: ['permissions'], queryFn: () => loadAll('/permissions', seldomChanging) });
}

/** The numbers of the permissions that a role gives. */
export function useRolePermissions(roleId: number) {
  return useQuery({
    queryKey: ['roles', 'permissions', roleId],
    queryFn: async () => (await loadAll(`/roles/${roleId}/permissions`)).map((permission) => permission.id),
  });
}
