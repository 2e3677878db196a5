import { expect, test } from 'vitest';
import permissionsFile from '../../permissions.json' with { type: 'json' };
import { viewOf, withoutView, withViews } from './permission-views.ts';

const known = permissionsFile.permissions;

test.each([
  ['update_devices', 'view_devices'],
  ['execute_device_commands', 'view_device_actions'],
  ['activate_credit_transfer_codes', 'view_credit_transfer_codes'],
  ['move_devices_credits', 'view_credits'],
  ['view_devices', undefined],
])('%s brings %s along', (action, view) => {
  expect(viewOf(action, known)).toBe(view);
});

test('ticking any action ticks its view; taking the view away takes its actions', () => {
  expect(withViews(['delete_tags', 'update_tags'], known)).toEqual(['view_tags', 'update_tags', 'delete_tags']);
  expect(withoutView(['view_tags', 'update_tags', 'view_users'], 'view_tags', known)).toEqual(['view_users']);
});
