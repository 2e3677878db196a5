import { expect, test } from 'vitest';
import { appliesTo } from '../../engine/actions/applicability.ts';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { resources } from '../../engine/resources/all.ts';
import { groupOf, partsOf, placeOf } from './company-tabs.ts';

const pathsFor = (...held: string[]) =>
  deriveTabs(resources, 'companies', (permission) => permission === undefined || held.includes(permission)).map(({ place }) => place.path);

test('invitations of a company are next to its users', () => {
  expect(pathsFor('view_users', 'view_user_invitations')).toEqual(['users', 'users/invitations']);
});

test('the data history of a company is a tab of its own and is among its resources as well, for users who may see it', () => {
  expect(pathsFor('view_devices', 'view_credits', 'view_company_data_history', 'view_users')).toEqual([
    'devices',
    'data-history',
    'users',
    'sims',
    'resources',
    'resources/data-history',
  ]);
  expect(pathsFor('view_devices', 'view_credits')).toEqual(['devices', 'sims', 'resources']);
});

test('credits and reports of a company are found under their other addresses, and what leads nowhere leads to the first tab', () => {
  expect(placeOf('reports', pathsFor('view_devices', 'view_reports'))).toBe('reports/single');
  const all = pathsFor('view_devices', 'view_credits');
  expect(placeOf('resources/credits', all)).toBe('resources');
  expect(placeOf('resources/credits', pathsFor('view_devices'))).toBe('devices');
  expect(placeOf('nothing', all)).toBe('devices');
  expect(placeOf('nothing', [])).toBeUndefined();
});

test('companies of the deepest level have no tab of subsidiaries', () => {
  const tab = deriveTabs(resources, 'companies', (permission) => permission === 'view_companies').find(
    ({ place }) => place.path === 'subsidiaries',
  );
  expect([1, 2, 3].map((level) => tab && appliesTo(tab.place, { id: 1, level }))).toEqual([true, true, false]);
});

test('what belongs together shares a tab, and the data history is named once in it', () => {
  const all = pathsFor('view_devices', 'view_tags', 'view_files', 'view_credits', 'view_company_data_history').map((path) => ({ path }));
  const groups = [...new Set(all.map(({ path }) => groupOf(path)))];
  expect(groups.map((group) => [group, ...partsOf(all, group).map(({ path }) => path)])).toEqual([
    ['devices', 'devices', 'tags', 'sims'],
    ['resources', 'resources', 'resources/data-history'],
    ['files', 'files'],
  ]);
});
