import { defineError } from '../../kernel/errors.ts';

export const WrongCredentials = defineError('WRONG_CREDENTIALS');
export const WrongPassword = defineError('WRONG_PASSWORD');
export const ScopeNotHeld = defineError<{ scope: string }>('SCOPE_NOT_HELD');
