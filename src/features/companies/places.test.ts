import { expect, test } from 'vitest';
import { deriveTabs } from '../../engine/resources/derive.ts';
import { resources } from '../../engine/resources/all.ts';
import { placeOf } from './places.ts';

const pathsFor = (...held: string[]) =>
  deriveTabs(resources, 'companies', (permission) => permission === undefined || held.includes(permission)).map(
    ({ tabOf }) => tabOf?.path ?? '',
  );

test('invitations of a company stand beside its users', () => {
  expect(pathsFor('view_users', 'view_user_invitations')).toEqual(['users', 'users/invitations']);
});

test('the data history and the credits of a company are found under their short addresses, by who sees them', () => {
  const all = pathsFor('view_devices', 'view_credits', 'view_company_data_history');
  expect(placeOf('data-history', all)).toBe('resources/data-history');
  expect(placeOf('resources/credits', all)).toBe('resources');
  expect(placeOf('data-history', pathsFor('view_devices'))).toBe('devices');
  expect(placeOf('nothing', all)).toBe('devices');
  expect(placeOf('nothing', [])).toBeUndefined();
});
