import { defineError } from '../../kernel/errors.ts';

export const BuiltInRole = defineError('BUILT_IN_ROLE');
export const OwnRole = defineError('OWN_ROLE');
export const RoleInUse = defineError<{ count: number; names: string }>('ROLE_IN_USE');
export const RoleTooStrong = defineError('ROLE_TOO_STRONG');
export const ScopeTooWide = defineError('SCOPE_TOO_WIDE');
export const PermissionNotHeld = defineError<{ permission: string }>('PERMISSION_NOT_HELD');
export const PermissionReserved = defineError<{ permission: string }>('PERMISSION_RESERVED');
