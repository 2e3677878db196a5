import { describe, expect, test } from 'vitest';
import edit from '../../schemas/forms/themes/edit.form.json' with { type: 'json' };
import permissions from '../../schemas/permissions.json' with { type: 'json' };
import { withoutView } from '../../schemas/kit/resources/permission-views.ts';
import { actionsAt } from '../engine/actions/applicability.ts';
import { deriveMenu, deriveRoutes, deriveSearch, deriveTabs } from '../engine/resources/derive.ts';
import { resources } from './resources.ts';

const all = permissions.permissions;
const parts = edit.schema.properties.disabled_routes.items.enum;

// The server takes the permissions of a part away (server/domain/themes.ts); here nothing is left that leads to it.
describe.each(parts)('with %s switched off', (name) => {
  const off = resources.find((resource) => resource.name === name)?.permission.list ?? '';
  const held = new Set(
    withoutView(
      all.filter((entry) => entry.roles.includes('admin')).map((entry) => entry.name),
      off,
      all,
    ),
  );
  const can = (permission: string | undefined) => permission === undefined || held.has(permission);

  test('it is a part that can be seen without it being system administration', () => {
    expect(off).toMatch(/^(?:view_|create_|execute_)/);
  });

  test('it is not in the menu', () => {
    expect(
      deriveMenu(resources, can).flatMap((group) => group.items.flatMap((item) => item.pages ?? [item]).map((item) => item.resource)),
    ).not.toContain(name);
  });

  test('the search does not ask for it', () => {
    expect(deriveSearch(resources, can).map(({ resource }) => resource.name)).not.toContain(name);
  });

  test('the palette offers none of its actions', () => {
    const offered = resources.filter((resource) => can(resource.permission.list)).flatMap((resource) => actionsAt(resource, 'header', can));
    expect(offered.filter(({ id }) => id.startsWith(`${name}.`))).toEqual([]);
  });

  test('its address and tab are refused', () => {
    const own = deriveRoutes(resources).filter(({ resource }) => resource.name === name);
    expect(own.filter(({ permission }) => can(permission))).toEqual([]);
    expect(deriveTabs(resources, 'companies', can).map(({ resource }) => resource.name)).not.toContain(name);
  });
});
