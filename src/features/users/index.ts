import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerResultView } from '../../engine/form/index.ts';
import { defineCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { PermissionListCell, RoleCell, RolePermissionsCell, UserNameCell } from './cells.tsx';

/** People and what they may do. */
export const room: Room = {
  register() {
    defineCell('user-name', UserNameCell);
    defineCell('role', RoleCell);
    defineCell('role-permissions', RolePermissionsCell);
    defineCell('permission-list', PermissionListCell);
    registerResultView('users/invite', () => import('./InvitedView.tsx'));
    registerResultView('companies/invite', () => import('./InvitedView.tsx'));
    registerDialog('roles.permissions', () => import('./RolePermissionsDialog.tsx'));
  },
};
