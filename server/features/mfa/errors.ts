import { defineError } from '../../kernel/errors.ts';

export const MailNotSent = defineError('MAIL_NOT_SENT');
export const MailNotSetUp = defineError('MAIL_NOT_SET_UP');
export const MfaOnAlready = defineError('MFA_ON_ALREADY');
export const PasskeyRefused = defineError('PASSKEY_REFUSED');
export const MfaKept = defineError('MFA_KEPT');
export const MfaNotOn = defineError('MFA_NOT_ON');
