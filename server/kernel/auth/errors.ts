import { defineError } from '../errors.ts';

export const MfaRequired = defineError('MFA_REQUIRED');
export const ConfirmationFailed = defineError('CONFIRMATION_FAILED');
export const PasswordRequired = defineError('PASSWORD_REQUIRED');
export const SessionRequired = defineError('SESSION_REQUIRED');
export const PasswordKnown = defineError('PASSWORD_KNOWN');
export const LinkRefused = defineError('LINK_REFUSED');
export const EmailNotVerified = defineError('EMAIL_NOT_VERIFIED');
export const MfaMandatory = defineError('MFA_MANDATORY');
export const ActingEnded = defineError('ACTING_ENDED');
export const TermsNotAccepted = defineError('TERMS_NOT_ACCEPTED');
