import { registerResultView } from '../../engine/form/index.ts';
import { defineCell, registerCell, registerCodeAction, registerFilterRule } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { RoleCell, UserNameCell } from './cells.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';

/** People and what they may do. */
export const room: Room = {
  register() {
    defineCell('user-name', UserNameCell);
    defineCell('role', RoleCell);
    registerCell(
      'permission-list',
      withTexts(['permissions'], async () => (await import('./PermissionListCell.tsx')).PermissionListCell),
    );
    registerFilterRule('users', 'status', (row, value) => (row['is_disabled'] === true) === (value === 'disabled'));
    registerCodeAction(
      'users.enable',
      withTexts(['errors', 'users'], async () => (await import('./set-status.ts')).enableChosen),
    );
    registerCodeAction(
      'users.disable',
      withTexts(['users'], async () => (await import('./set-status.ts')).disableChosen),
    );
    registerResultView(
      'users/invite',
      withTexts(['account', 'users'], () => import('./InvitedView.tsx')),
    );
    registerResultView(
      'users/resend-invitation',
      withTexts(['account', 'users'], () => import('./InvitedView.tsx')),
    );
    registerResultView(
      'companies/invite',
      withTexts(['account', 'users'], () => import('./InvitedView.tsx')),
    );
  },
  showPages: { users: withTexts(['forms-users', 'history', 'permissions', 'users'], () => import('./UserPage.tsx')) },
};
