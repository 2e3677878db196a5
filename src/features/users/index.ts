import { registerResultView } from '../../engine/form/index.ts';
import { defineCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { PermissionListCell, RoleCell, UserNameCell } from './cells.tsx';

/** People and what they may do. */
export const room: Room = {
  register() {
    defineCell('user-name', UserNameCell);
    defineCell('role', RoleCell);
    defineCell('permission-list', PermissionListCell);
    registerResultView('users/invite', () => import('./InvitedView.tsx'));
    registerResultView('users/resend-invitation', () => import('./InvitedView.tsx'));
    registerResultView('companies/invite', () => import('./InvitedView.tsx'));
  },
};
