import { registerFieldKind } from '../../engine/form/index.ts';
import { defineCell } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { PermissionMatrixKind, RoleCompanyCell, RoleDescriptionCell } from './parts.tsx';

/** Roles: what they permit and who holds them. */
export const room: Room = {
  register() {
    registerFieldKind('permission-matrix', { component: PermissionMatrixKind, layout: 'group', isWide: true });
    defineCell('role-description', RoleDescriptionCell);
    defineCell('role-company', RoleCompanyCell);
  },
  pages: [{ path: '/users/:id/access', permission: 'view_users', load: () => import('./UserAccessPage.tsx') }],
  showPages: { roles: () => import('./RolePage.tsx') },
};
