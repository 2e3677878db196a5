import { expect, test } from 'vitest';
import { permissionNames } from '../../_generated/contract.ts';
import { permissionsOfScope, scopesOf } from './token-scopes.ts';

test.each([
  ['devices:read', ['view_devices']],
  ['devices:write', ['create_devices', 'update_devices']],
  ['devices:move', ['move_devices']],
  ['command:execute', ['execute_device_commands']],
  ['device_actions:write', ['execute_device_actions']],
  ['device_location:read', ['view_devices']],
  ['device_configurations:read', ['view_devices']],
  ['device_configurations:write', ['create_multi_configuration']],
  ['credits:write', ['move_devices_credits', 'update_device_credit_status']],
  ['user_invitations:write', ['create_users']],
  ['view_tags', ['view_tags']],
  ['devices:fly', []],
  ['unicorns:read', []],
  ['constructor:read', []],
  ['devices:constructor', []],
])('the scope %s stands for %j', (scope, permissions) => {
  expect(permissionsOfScope(scope, permissionNames)).toEqual(permissions);
});

test('every permission is in exactly one scope, and that scope stands for it', () => {
  const scopes = scopesOf(permissionNames);
  expect(scopes.flatMap((entry) => entry.permissions).toSorted()).toEqual([...permissionNames].toSorted());
  for (const { scope, permissions } of scopes) expect([scope, permissionsOfScope(scope, permissionNames)]).toEqual([scope, permissions]);
});

test('every scope that the public API documents grants something', () => {
  const documented = [
    ...['devices:read', 'devices:write', 'devices:delete', 'devices:move', 'device_logs:read', 'device_location:read', 'dynamic_dns:read'],
    ...['device_actions:read', 'device_actions:write', 'device_configurations:read', 'device_configurations:write', 'wireless:read'],
    ...['device_alert_configurations:read', 'command:execute', 'device_remote_access:read', 'device_remote_access:write'],
    ...['device_tasks:read', 'device_tasks:write', 'device_tasks:execute', 'device_hotspots:read', 'device_hotspots:write', 'users:read'],
    ...['users:write', 'users:delete', 'companies:read', 'companies:write', 'companies:delete', 'credits:read', 'credits:write'],
    ...['credit_transfer_codes:read', 'credit_transfer_codes:write', 'user_invitations:write', 'device_commands:write'],
  ];
  expect(documented.filter((scope) => permissionsOfScope(scope, permissionNames).length === 0)).toEqual([]);
});
