import { describe, expect, test } from 'vitest';
import { deriveMenu, deriveMenuPages, deriveParent, deriveRefineResources, deriveRoutes, deriveSearch } from './derive.ts';
import { recordPath, recordTitle } from './resource.ts';
import type { Resource } from './resource.ts';

const devices: Resource = {
  name: 'devices',
  entity: 'device',
  titleField: 'name',
  routes: { list: '/management/devices', show: '/devices/:id' },
  permission: { list: 'view_devices' },
  menu: { group: 'management', order: 10, icon: 'router' },
  search: { order: 10, fields: ['name', 'serial'] },
};
const tags: Resource = {
  name: 'tags',
  entity: 'tag',
  titleField: 'name',
  routes: { list: '/tags' },
  permission: { list: 'view_tags' },
  menu: { group: 'management', order: 5, icon: 'tag' },
  search: { order: 30, fields: ['name'] },
};
const users: Resource = {
  name: 'users',
  path: 'people',
  entity: 'user',
  titleField: 'email',
  routes: { list: '/users', show: '/users/:id' },
  permission: { list: 'view_users', show: 'view_user' },
  menu: { group: 'administration', order: 1, icon: 'users' },
  search: { order: 20, fields: ['email'] },
};
const permissions: Resource = {
  name: 'permissions',
  entity: 'permission',
  titleField: 'name',
  routes: {},
  permission: { list: 'view_permissions' },
};
const all = [devices, tags, users, permissions];
const everything = () => true;
const only =
  (...names: string[]) =>
  (permission: string | undefined) =>
    permission === undefined || names.includes(permission);

describe('deriveRoutes', () => {
  test('gives a list and a record route per entry, each with its permission', () => {
    expect(deriveRoutes(all).map((route) => [route.path, route.view, route.permission])).toEqual([
      ['/management/devices', 'list', 'view_devices'],
      ['/tags', 'list', 'view_tags'],
      ['/users', 'list', 'view_users'],
      ['/devices/:id', 'show', 'view_devices'],
      ['/users/:id', 'show', 'view_user'],
    ]);
  });
});

describe('deriveParent', () => {
  const runs: Resource = { name: 'tag-runs', entity: 'tag_run', titleField: 'device_name', routes: { list: '/tags/runs' }, permission: {} };
  const linked: Resource = { ...tags, actions: [{ id: 'tags.runs', kind: 'link', to: '/tags/runs', on: ['header'] }] };

  test('a list that is reached from the head of another hangs below it, for those who may see that one', () => {
    expect(deriveParent([linked, runs], runs, everything)?.name).toBe('tags');
    expect(deriveParent([linked, runs], runs, only('view_users'))).toBeUndefined();
  });

  test('a list of the menu, and one that nothing leads to, stand for themselves', () => {
    const menu = { group: 'system', order: 1, icon: 'tag' } as const;
    expect(deriveParent([linked, runs], { ...runs, menu }, everything)).toBeUndefined();
    expect(deriveParent(all, runs, everything)).toBeUndefined();
  });
});

describe('deriveMenu', () => {
  test('orders items by their number inside the fixed order of groups', () => {
    expect(deriveMenu(all, everything).map((group) => [group.name, group.items.map((item) => item.resource)])).toEqual([
      ['management', ['tags', 'devices']],
      ['administration', ['users']],
    ]);
  });
  test('lists that share an entry are one item, where the first that the user may see is; one that is alone is itself', () => {
    const menu = (order: number) => ({ group: 'administration', order, icon: 'tag', of: 'people' }) as const;
    const shared = all
      .filter(({ routes }) => routes.list !== undefined)
      .map((resource, index): Resource => ({ ...resource, menu: menu(index) }));
    const [group] = deriveMenu(shared, everything);
    expect(group?.items.map(({ label, path, pages }) => [label, path, pages?.length])).toEqual([
      ['menu.of.people', shared[0]?.routes.list, shared.length],
    ]);
    expect(deriveMenu(shared, only('view_users'))[0]?.items.map(({ label, pages }) => [label, pages])).toEqual([
      ['resources.users.title', undefined],
    ]);
    const [first = tags] = shared;
    expect(deriveMenuPages(shared, first, everything).map(({ name }) => name)).toEqual(shared.map(({ name }) => name));
    expect(deriveMenuPages(shared, first, only('view_users'))).toEqual([]);
  });

  test('leaves out what the user may not list, and groups left empty by that', () => {
    expect(deriveMenu(all, only('view_devices')).map((group) => [group.name, group.items.map((item) => item.path)])).toEqual([
      ['management', ['/management/devices']],
    ]);
  });
  test('has pages of rooms among the lists, for those who may open them', () => {
    const pages = [
      { path: '/forms', permission: 'manage_forms', menu: { group: 'system', order: 90, icon: 'file', label: 'forms' } as const },
    ];
    expect(deriveMenu(all, only('manage_forms'), pages).map((group) => [group.name, group.items.map((item) => item.path)])).toEqual([
      ['system', ['/forms']],
    ]);
    expect(deriveMenu(all, only('view_users'), pages).map((group) => group.name)).toEqual(['administration']);
  });
});

describe('deriveSearch', () => {
  test('orders the groups and keeps those that the user may list', () => {
    expect(deriveSearch(all, everything).map((group) => group.resource.name)).toEqual(['devices', 'users', 'tags']);
    expect(deriveSearch(all, only('view_users', 'view_tags')).map((group) => group.resource.name)).toEqual(['users', 'tags']);
  });
});

describe('deriveRefineResources', () => {
  test('names the collection where it differs from the name', () => {
    expect(deriveRefineResources(all)).toContainEqual({
      name: 'users',
      list: '/users',
      show: '/users/:id',
      meta: { label: 'resources.users.title', icon: 'users', path: 'people', permission: 'view_users' },
    });
    expect(deriveRefineResources([permissions])[0]).not.toHaveProperty('list');
  });
});

describe('records', () => {
  test('a record is named by its title field, or by its number when that is blank', () => {
    expect(recordTitle(devices, { id: 7, name: 'Quay 4' })).toBe('Quay 4');
    expect(recordTitle(devices, { id: 7, name: ' ' })).toBe('#7');
  });
  test('a record page is the show route with the fields filled in and escaped', () => {
    expect(recordPath(devices, { id: 7 })).toBe('/devices/7');
    expect(recordPath({ ...devices, routes: { show: '/x/:name' } }, { id: 7, name: 'a/b' })).toBe('/x/a%2Fb');
    expect(recordPath(tags, { id: 1 })).toBeUndefined();
  });
});
