import { defineError } from '../../kernel/errors.ts';

export const WrongCredentials = defineError('WRONG_CREDENTIALS');
export const ScopeNotHeld = defineError<{ scope: string }>('SCOPE_NOT_HELD');
