import { defineError } from '../../kernel/errors.ts';

export const AccountGone = defineError<{ email: string }>('ACCOUNT_GONE');
export const AccountShared = defineError('ACCOUNT_SHARED');
export const CompanyNeeded = defineError('COMPANY_NEEDED');
export const EmailTaken = defineError('EMAIL_TAKEN');
export const LastAdministrator = defineError('LAST_ADMINISTRATOR');
export const OwnAccount = defineError('OWN_ACCOUNT');
export const RoleNotAllowed = defineError('ROLE_NOT_ALLOWED');
export const MfaNotOn = defineError('MFA_NOT_ON');
export const CompanyTooDeep = defineError('COMPANY_TOO_DEEP');
export const CompanyNameNeeded = defineError('COMPANY_NAME_NEEDED');
export const InvitationRefused = defineError('INVITATION_REFUSED');
