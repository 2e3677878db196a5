import { defineError } from '../errors.ts';

export const MfaRequired = defineError('MFA_REQUIRED');
export const ConfirmationFailed = defineError('CONFIRMATION_FAILED');
export const PasswordRequired = defineError('PASSWORD_REQUIRED');
export const SessionRequired = defineError('SESSION_REQUIRED');
export const PasswordKnown = defineError('PASSWORD_KNOWN');
