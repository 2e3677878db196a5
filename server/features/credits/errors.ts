import { defineError } from '../../kernel/errors.ts';

export const CreditsShort = defineError<{ left: number }>('CREDITS_SHORT');
export const CreditsTooMany = defineError('CREDITS_TOO_MANY');
export const CreditCodeRefused = defineError('CREDIT_CODE_REFUSED');
export const CreditCodeUsed = defineError('CREDIT_CODE_USED');
export const SamePlace = defineError('SAME_PLACE');
export const IdempotencyKeyUsed = defineError('IDEMPOTENCY_KEY_USED');
export const NothingToMove = defineError('NOTHING_TO_MOVE');
