import type { Permission } from '../../../schemas/_generated/contract.ts';
import { permissionNames, type PermissionName } from '../../../schemas/_generated/contract.ts';
import type { Config } from '../../config.ts';
import type { PermissionsFile } from '../../../schemas/kit/form/types.ts';
import permissionsFile from '../../../schemas/permissions.json' with { type: 'json' };
import { MAX_LIMIT, type ListQuery, type ListRules } from '../list-query.ts';
import { pageRecords } from '../page-records.ts';

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

/** One page of these permissions, in the order asked for. */
export function pagePermissions(permissions: readonly Permission[], query: ListQuery): { rows: Permission[]; total: number } {
  return pageRecords(permissions, query, ({ name, title, description }) => `${name} ${title} ${description}`);
}
