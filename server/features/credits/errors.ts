import { defineError } from '../../kernel/errors.ts';

export const CreditsShort = defineError<{ left: number }>('CREDITS_SHORT');
export const CreditCodeRefused = defineError('CREDIT_CODE_REFUSED');
export const SamePlace = defineError('SAME_PLACE');
