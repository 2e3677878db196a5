import { registerWidget } from '../../engine/form/index.ts';
import { defineCell, registerCell, registerCodeAction } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { PermissionMatrixWidget, RoleCompanyCell } from './parts.tsx';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Roles: what they permit and who holds them. */
export const room: Room = {
  register() {
    registerWidget('permission-matrix', PermissionMatrixWidget, { layout: 'group', isWide: true });
    registerCell(
      'role-description',
      withTexts(['permissions', 'roles'], async () => (await import('./role-cells.tsx')).RoleDescriptionCell),
    );
    defineCell('role-company', RoleCompanyCell);
    registerCodeAction(
      'roles.copy',
      withTexts(['roles'], async () => (await import('./copy-role.ts')).copyRole),
    );
  },
  pages: [
    {
      path: '/users/roles/compare',
      permission: 'view_permissions',
      load: withTexts(['permissions', 'roles'], () => import('./CompareRolesPage.tsx')),
    },
    {
      path: '/users/:id/access',
      permission: 'view_users',
      load: withTexts(['permissions', 'roles'], () => import('./UserAccessPage.tsx')),
    },
  ],
  showPages: { roles: withTexts(['history', 'permissions', 'roles'], () => import('./RolePage.tsx')) },
};
