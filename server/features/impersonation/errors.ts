import { defineError } from '../../kernel/errors.ts';

export const LinkRefused = defineError('IMPERSONATION_LINK_REFUSED');
export const ImpersonationNotAllowed = defineError('IMPERSONATION_NOT_ALLOWED');
export const OwnAccount = defineError('OWN_ACCOUNT');
