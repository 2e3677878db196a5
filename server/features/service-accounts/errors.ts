import { defineError } from '../../kernel/errors.ts';

export const RoleNotAllowed = defineError('ROLE_NOT_ALLOWED');
export const ScopeNotInRole = defineError<{ scope: string }>('SCOPE_NOT_IN_ROLE');
