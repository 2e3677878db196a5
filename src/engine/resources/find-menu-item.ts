import { matchPath } from 'react-router';
import type { MenuGroup, MenuItem } from './derive.ts';
import type { Resources } from './resource.ts';

/** The page that is a form, such as `/forms/tags/new`, and none about forms, such as `/forms/edit/tags/new`. */
const FORM_PAGE = /^\/forms\/(?!edit\/|docs\/)./;

/**
 * The entry of the navigation that a page belongs to, or `undefined`: the page itself, one below its address, a record of its list with all its
 * tabs, or a list that shares its row of pages. Where several fit, the one with the longest address. The page of a form belongs to none.
 */
export function findMenuItem(resources: Resources, groups: readonly MenuGroup[], pathname: string): MenuItem | undefined {
  if (FORM_PAGE.test(pathname)) return undefined;
  const fitting = groups
    .flatMap((group) => group.items)
    .flatMap((item) => (item.pages ?? [item]).flatMap((page) => addressesOf(resources, page).map((address) => ({ item, address }))))
    .filter(({ address }) => matchPath({ path: address, end: false }, pathname) !== null);
  return fitting.toSorted((a, b) => b.address.length - a.address.length)[0]?.item;
}

function addressesOf(resources: Resources, item: MenuItem): string[] {
  const own = resources.find(({ name }) => name === item.resource);
  const strip = own?.table?.strip;
  const beside = resources.filter(({ menu, table }) => strip !== undefined && !menu && table?.strip === strip);
  return [item.path, own?.routes.show, ...beside.map(({ routes }) => routes.list)].filter((address) => address !== undefined);
}
