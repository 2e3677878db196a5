import { expect, test } from 'vitest';
import { permissionNames } from '../../_generated/contract.ts';
import { permissionsOfScope, scopesOf } from './token-scopes.ts';

test.each([
  ['devices:read', ['view_devices']],
  ['devices:write', ['create_devices', 'update_devices']],
  ['devices:move', ['move_devices']],
  ['command:execute', ['execute_device_commands']],
  ['device_actions:write', ['execute_device_actions']],
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
