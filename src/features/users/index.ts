import { registerResultView } from '../../engine/form/index.ts';
import { defineCell, registerCodeAction, registerFilterRule } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { PermissionListCell, RoleCell, UserNameCell } from './cells.tsx';

/** People and what they may do. */
export const room: Room = {
  register() {
    defineCell('user-name', UserNameCell);
    defineCell('role', RoleCell);
    defineCell('permission-list', PermissionListCell);
    registerFilterRule('users', 'status', (row, value) => (row['is_disabled'] === true) === (value === 'disabled'));
    registerCodeAction('users.enable', async () => (await import('./set-status.ts')).enableChosen);
    registerCodeAction('users.disable', async () => (await import('./set-status.ts')).disableChosen);
    registerResultView('users/invite', () => import('./InvitedView.tsx'));
    registerResultView('users/resend-invitation', () => import('./InvitedView.tsx'));
    registerResultView('companies/invite', () => import('./InvitedView.tsx'));
  },
};
