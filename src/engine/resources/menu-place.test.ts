import { describe, expect, test } from 'vitest';
import { resources as entries } from '../../../resources.config.ts';
import { deriveMenu } from './derive.ts';
import { findMenuItem } from './find-menu-item.ts';
import type { Resources } from './resource.ts';

const resources: Resources = entries;
const groups = deriveMenu(resources, () => true, [
  { path: '/forms', menu: { group: 'system', order: 50, icon: 'file', label: 'menu.forms' } },
]);
const placeOf = (pathname: string) => findMenuItem(resources, groups, pathname)?.path;

describe('findMenuItem', () => {
  test.each([
    ['a list', '/users', '/users'],
    ['a list that shares the entry of another', '/users/roles', '/users'],
    ['a record', '/devices/7', '/management/devices'],
    ['a tab of a record', '/companies/7/resources/codes', '/companies'],
    ['a page below the address of a list', '/users/7/access', '/users'],
    ['a list reached from the head of another', '/tags/runs', '/tags'],
    ['a page beside the one in the menu', '/resources/codes', '/resources'],
    ['a page beside it that has another address', '/statistics/people', '/statistics/general'],
    ['a page of a page', '/forms/edit/companies/new', '/forms'],
  ])('finds the entry of %s', (_, pathname, place) => {
    expect(placeOf(pathname)).toBe(place);
  });

  test('finds none for a page that no entry leads to', () => {
    expect(placeOf('/account/settings')).toBeUndefined();
    expect(placeOf('/forms/credits/activate-code')).toBeUndefined();
  });
});
