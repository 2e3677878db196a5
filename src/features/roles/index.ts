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
  showPages: { roles: () => import('./RolePage.tsx') },
};
