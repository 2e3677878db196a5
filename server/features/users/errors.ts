import { defineError } from '../../kernel/errors.ts';

export const EmailTaken = defineError('EMAIL_TAKEN');
export const LastAdministrator = defineError('LAST_ADMINISTRATOR');
export const OwnAccount = defineError('OWN_ACCOUNT');
export const RoleNotAllowed = defineError('ROLE_NOT_ALLOWED');
