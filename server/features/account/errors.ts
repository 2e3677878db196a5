import { defineError } from '../../kernel/errors.ts';

export const WrongCredentials = defineError('WRONG_CREDENTIALS');
export const WrongPassword = defineError('WRONG_PASSWORD');
export const ScopeNotHeld = defineError<{ scope: string }>('SCOPE_NOT_HELD');
export const EmailTaken = defineError('EMAIL_TAKEN');
export const SameEmail = defineError('SAME_EMAIL');
export const MailNotSent = defineError('MAIL_NOT_SENT');
export const PasskeyRefused = defineError('PASSKEY_REFUSED');
export const NotInvitedExternalUser = defineError('NOT_INVITED_EXTERNAL_USER');
export const ExternalSignInFailed = defineError('EXTERNAL_SIGN_IN_FAILED');
export const NoPicture = defineError('NO_PICTURE');
