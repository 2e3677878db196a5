import { scopesOf } from '../../../schemas/kit/resources/token-scopes.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { allPermissions } from '../../kernel/auth/permission-list.ts';
import type { ListQuery, ListRules } from '../../kernel/list-query.ts';
import { includesText } from '../../../schemas/kit/text/text-order.ts';

/** What the list of scopes may be asked. */
export const scopeRules: ListRules = {
  sorts: new Set(['name']),
  filters: new Map(),
  fields: new Map(['id', 'name', 'description', 'permissions'].map((field) => [field, undefined])),
  defaultSort: { key: 'name', isDescending: false },
  isSearchable: true,
};

/** One page of the scopes that the actor can give to an access token of their own, with what of each they hold. */
export function pageScopes(actor: Actor, query: ListQuery) {
  const held = allPermissions.filter((permission) => can(actor, permission.name));
  const scopes = scopesOf(held.map((permission) => permission.name)).map(({ scope, permissions }) => ({
    // The number of its first permission: enough to distinguish scopes.
    id: allPermissions.findIndex(({ name }) => name === permissions[0]) + 1,
    name: scope,
    description: held
      .filter(({ name }) => permissions.includes(name))
      .map(({ title }) => title)
      .join(', '),
    permissions,
  }));
  const found = scopes.filter(
    ({ id, name, description }) =>
      (query.ids === undefined || query.ids.includes(id)) && includesText(`${name} ${description}`, query.q ?? ''),
  );
  const direction = query.sort[0]?.isDescending ? -1 : 1;
  found.sort((left, right) => direction * left.name.localeCompare(right.name, 'en'));
  return { rows: found.slice(query.offset, query.offset + query.limit), total: found.length };
}
