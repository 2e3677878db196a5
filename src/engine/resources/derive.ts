import type { TabPlace } from '../../../schemas/kit/resources/resource-types.ts';
import type { Text } from '../../../schemas/kit/form/types.ts';
import type { RoomPage } from '../rooms/room.ts';
import type { Can, MenuGroupName, Resource, Resources } from './resource.ts';

export interface DerivedRoute {
  path: string;
  resource: Resource;
  view: 'list' | 'show';
  /** Everybody who is signed in, without one. */
  permission: string | undefined;
}

/** The lists that are tabs of a record's page, in their order, as far as this user may see them. */
export function deriveTabs(resources: Resources, of: string, can: Can): { resource: Resource; place: TabPlace }[] {
  return resources
    .flatMap((resource) => (resource.tabOf ?? []).map((place) => ({ resource, place })))
    .filter(({ resource, place }) => place.resource === of && can(resource.permission.list))
    .toSorted((a, b) => a.place.order - b.place.order);
}

/** The list from whose head a list that is not in the menu is reached, where the user may see it. */
export function deriveParent(resources: Resources, { menu, routes }: Resource, can: Can): Resource | undefined {
  if (menu) return undefined;
  return resources.find(
    ({ actions = [], permission }) =>
      can(permission.list) && actions.some((action) => action.kind === 'link' && action.on.includes('header') && action.to === routes.list),
  );
}

/** Every page that the resource list implies: lists first, then single records, in the order of the entries. A page with tabs has all below its address. */
export function deriveRoutes(resources: Resources): DerivedRoute[] {
  const lists = resources.flatMap((resource): DerivedRoute[] =>
    resource.routes.list ? [{ path: resource.routes.list, resource, view: 'list', permission: resource.permission.list }] : [],
  );
  const shows = resources.flatMap((resource): DerivedRoute[] =>
    resource.routes.show
      ? [
          {
            path:
              resource.routes.show + (resources.some(({ tabOf }) => tabOf?.some((place) => place.resource === resource.name)) ? '/*' : ''),
            resource,
            view: 'show',
            permission: resource.permission.show ?? resource.permission.list,
          },
        ]
      : [],
  );
  return [...lists, ...shows];
}

export interface MenuItem {
  resource: string;
  path: string;
  icon: string;
  /** i18n key of the text. */
  label: string;
  /** The text itself instead, for added forms. */
  text?: Text;
  /** The lists behind an entry that several share, the first of them the one that it leads to. */
  pages?: MenuItem[];
}
export interface MenuGroup {
  name: MenuGroupName;
  /** i18n key of the text. */
  label: string;
  items: MenuItem[];
}

/** The groups in their order (docs/behaviour.md section 2, Navigation). */
export const MENU_GROUPS: readonly MenuGroupName[] = ['management', 'maintenance', 'access', 'administration', 'system'];

/** The navigation for this user: lists and rooms' own pages in groups of fixed order, items by `order`, without what the user may not see and without empty groups. */
export function deriveMenu(resources: Resources, can: Can, pages: readonly Omit<RoomPage, 'load'>[] = []): MenuGroup[] {
  return MENU_GROUPS.map((name): MenuGroup => {
    const own = pages.flatMap(({ path, permission, menu }) =>
      menu?.group === name && (permission === undefined || can(permission))
        ? [{ order: menu.order, of: undefined, item: { resource: '', path, icon: menu.icon, label: menu.label } }]
        : [],
    );
    const lists = resources.flatMap((resource) =>
      resource.menu?.group === name && resource.routes.list && can(resource.permission.list)
        ? [{ order: resource.menu.order, of: resource.menu.of, item: menuItem(resource, resource.routes.list, resource.menu.icon) }]
        : [],
    );
    return {
      name,
      label: `menu.groups.${name}`,
      items: shareEntries([...lists, ...own].toSorted((a, b) => a.order - b.order)),
    };
  }).filter((group) => group.items.length > 0);
}

/** One item for all entries of the same `of`, where the first of them is; one that is alone keeps its own name. */
function shareEntries(entries: readonly { of: string | undefined; item: MenuItem }[]): MenuItem[] {
  return entries.flatMap(({ of, item }, index): MenuItem[] => {
    const pages = of === undefined ? [] : entries.filter((entry) => entry.of === of).map((entry) => entry.item);
    if (pages.length < 2) return [item];
    return entries.findIndex((entry) => entry.of === of) === index ? [{ ...item, label: `menu.of.${of}`, pages }] : [];
  });
}

/** The lists that share the menu entry of this one, itself among them, as far as the user may see them; none where there is no other. */
export function deriveMenuPages(resources: Resources, { menu }: Resource, can: Can): Resource[] {
  if (menu?.of === undefined) return [];
  const pages = resources
    .flatMap((resource) =>
      resource.menu?.of === menu.of && resource.menu?.group === menu.group && can(resource.permission.list)
        ? [{ resource, order: resource.menu.order }]
        : [],
    )
    .toSorted((a, b) => a.order - b.order);
  return pages.length < 2 ? [] : pages.map(({ resource }) => resource);
}

function menuItem(resource: Resource, path: string, icon: string): MenuItem {
  return { resource: resource.name, path, icon, label: `resources.${resource.name}.title` };
}

export interface SearchGroup {
  resource: Resource;
  fields: readonly string[];
}

/** The kinds of record that the global search asks for, in their order, as far as the user may list them (docs/behaviour.md section 6). */
export function deriveSearch(resources: Resources, can: Can): SearchGroup[] {
  return resources
    .flatMap((resource) => (resource.search && can(resource.permission.list) ? [{ resource, search: resource.search }] : []))
    .toSorted((a, b) => a.search.order - b.search.order)
    .map(({ resource, search }) => ({ resource, fields: search.fields }));
}

export interface RefineResource {
  name: string;
  list?: string;
  show?: string;
  meta: { label: string; icon?: string; path: string; permission?: string };
}

/** The same list in the shape that Refine's `resources` takes. */
export function deriveRefineResources(resources: Resources): RefineResource[] {
  return resources.map((resource) => ({
    name: resource.name,
    ...(resource.routes.list ? { list: resource.routes.list } : {}),
    ...(resource.routes.show ? { show: resource.routes.show } : {}),
    meta: {
      label: `resources.${resource.name}.title`,
      ...(resource.menu ? { icon: resource.menu.icon } : {}),
      path: resource.path ?? resource.name,
      ...(resource.permission.list ? { permission: resource.permission.list } : {}),
    },
  }));
}
