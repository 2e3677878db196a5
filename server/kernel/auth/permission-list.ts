import type { Permission } from '../../../schemas/_generated/contract.ts';
import { permissionNames, type PermissionName } from '../../../schemas/_generated/contract.ts';
import type { Config } from '../../config.ts';
import type { PermissionsFile } from '../../../schemas/kit/form/types.ts';
import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import { MAX_LIMIT, type ListQuery, type ListRules } from '../list-query.ts';

/** What a list of permissions may be asked. */
export const permissionRules: ListRules = {
  sorts: new Set(['name', 'title', 'category']),
  filters: new Map([['name', { kind: 'enum', values: permissionNames, isNegatable: false }]]),
  fields: new Map(['id', 'name', 'title', 'description', 'category'].map((field) => [field, undefined])),
  defaultSort: { key: 'title', isDescending: false },
  isSearchable: true,
  // All of them: programs ask for no page.
  defaultLimit: MAX_LIMIT,
};

/** Every permission, numbered by its place in schemas/permissions.json. */
export const allPermissions: readonly (Permission & { name: PermissionName })[] = (permissionsFile as PermissionsFile).permissions.map(
  ({ name, title, description, category }, index) => ({
    id: index + 1,
    name: name as PermissionName,
    title,
    description,
    category,
  }),
);

const CREDIT_PERMISSIONS = new Set<PermissionName>([
  ...allPermissions.filter(({ category }) => category === 'Resources').map(({ name }) => name),
  'update_device_credit_status',
]);

/** Whether a permission shows what companies have of credits and data, or works on it; to activate a code shows nothing. */
export function isOfCredits(name: PermissionName): boolean {
  return CREDIT_PERMISSIONS.has(name) && name !== 'activate_credit_transfer_codes';
}

/** Whether this installation has what a permission is for. */
export function isOffered({ hasResources }: Pick<Config, 'hasResources'>, name: PermissionName): boolean {
  return hasResources || !CREDIT_PERMISSIONS.has(name);
}

function matches(permission: Permission, query: ListQuery): boolean {
  const text = query.q?.toLowerCase();
  return (
    query.filters.every((filter) => filter.values.includes(permission.name)) &&
    (query.ids === undefined || query.ids.includes(permission.id)) &&
    (text === undefined || `${permission.name} ${permission.title} ${permission.description}`.toLowerCase().includes(text))
  );
}

/** One page of these permissions, in the order asked for. */
export function pagePermissions(permissions: readonly Permission[], query: ListQuery): { rows: Permission[]; total: number } {
  const found = permissions.filter((permission) => matches(permission, query));
  const compare = (left: Permission, right: Permission): number => {
    for (const { key, isDescending } of query.sort) {
      const order = String(left[key as keyof Permission]).localeCompare(String(right[key as keyof Permission]), 'en');
      if (order !== 0) return isDescending ? -order : order;
    }
    return left.id - right.id;
  };
  return { rows: found.sort(compare).slice(query.offset, query.offset + query.limit), total: found.length };
}
